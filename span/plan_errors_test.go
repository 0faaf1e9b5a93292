package span_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

type errorLine struct {
	Name  string
	Price span.Char
}

type errorOrder struct {
	ID    int32
	Lines []errorLine
	By    map[string]*errorLine
	Nums  map[int8][2]errorLine
	Keys  map[[2]int8]errorLine
	When  struct {
		From, To time.Time `span:"unix"`
	}
}

// The path of an error names the way to the fault, its offset the bytes before.
func TestErrorPaths(t *testing.T) {
	bad := errorLine{"x", 300}
	refuseAt(t, here(), errorOrder{Lines: []errorLine{{}, {}, {}, bad}}, span.ErrRange, "Lines[3].Price", 4+1+3*2+2)
	refuseAt(t, here(), errorOrder{By: map[string]*errorLine{"key": &bad}}, span.ErrRange, `By["key"].Price`, 4+1+1+4+1+2)
	long := strings.Repeat("ä", 40)
	refuseAt(t, here(), errorOrder{By: map[string]*errorLine{long: &bad}}, span.ErrRange, `By["`+long[:32]+`…"].Price`, 4+1+1+81+1+2)
	refuseAt(t, here(), errorOrder{Nums: map[int8][2]errorLine{-5: {{}, bad}}}, span.ErrRange, "Nums[-5][1].Price", 4+1+1+1+1+2+2)
	refuseAt(t, here(), errorOrder{Keys: map[[2]int8]errorLine{{1, 2}: bad}}, span.ErrRange, "Keys[[1 2]].Price", 4+1+1+1+1+2+2)
	var o errorOrder
	o.When.To = time.Unix(-1, 0)
	refuseAt(t, here(), o, span.ErrRange, "When.To", 4+4+4)

	reject[errorOrder](t, here(), "00000000 01 0061 00 00 00 00000000 000000", errUnexpectedEOF, "When.To", 17)
	reject[errorOrder](t, here(), "00000000 00 01 0161 02", span.ErrMalformed, `By["a"]`, 8)
	reject[errorOrder](t, here(), "00000000 00 01 8000", span.ErrMalformed, `By[key]`, 6)
}

// refuseAt is refuse that also checks the offset.
func refuseAt[T any](t *testing.T, at row, v T, want error, path string, offset int64) {
	t.Helper()
	refuse(t, at, v, want, path)
	_, err := span.Append([]byte("before"), &v)
	var e *span.Error
	if errors.As(err, &e) && e.Offset != offset {
		t.Errorf("%s: %v, want offset %d", at, err, offset)
	}
}

// In a stream offsets count from its start, however much has been dropped.
func TestErrorOffsetInStream(t *testing.T) {
	type big struct {
		A [][]byte
		B bool
	}
	b, err := span.Marshal(big{A: make([][]byte, 200_000)})
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] = 7
	err = span.UnmarshalRead(&pieces{b: b, size: 999}, new(big))
	var e *span.Error
	if !errors.As(err, &e) || !errors.Is(err, span.ErrMalformed) || e.Path != "B" || e.Offset != int64(len(b)-1) {
		t.Errorf("%v", err)
	}
}

// The path of a value in the depths keeps its ends.
func TestErrorLongPath(t *testing.T) {
	_, err := span.Options{MaxDepth: 40_000}.Marshal(chain(50_000))
	var e *span.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Path, "Next.Next.") || !strings.HasSuffix(e.Path, ".Next.Next") ||
		strings.Count(e.Path, "…") != 1 || len(e.Path) > 4000 {
		t.Errorf("%.100v", err)
	}
}

// Shared strings are parts of one copy, also where a struct has its own window.
func TestSharedStringsInSized(t *testing.T) {
	type inner struct {
		A, B string
	}
	type outer struct {
		X string
		I inner   `span:"sized"`
		L []inner `span:"sized"`
		Y string
	}
	v := outer{"", inner{"in", "side"}, []inner{{"a", "b"}, {"", "c"}}, "behind"}
	b := exercise(t, here(), v)
	for cut := range 3 { // with less of the struct than there is
		c := bytes.Clone(b)
		if cut == 1 {
			c = append(c[:2:2], append([]byte{3, 2, 'i', 'n'}, b[10:]...)...)
		}
		if cut == 2 {
			c = append(c[:1:1], append([]byte{11}, append(b[2:10:10], append([]byte("xyz"), b[10:]...)...)...)...)
		}
		var u, w outer
		err := span.Options{Strings: span.SharedStrings}.Unmarshal(c, &u)
		err2 := span.Unmarshal(c, &w)
		if (err == nil) != (err2 == nil) || !equal(u, w) {
			t.Errorf("%x: %v %+v, copied: %v %+v", c, err, u, err2, w)
		}
	}
}
