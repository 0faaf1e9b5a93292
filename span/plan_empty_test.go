package span_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

type (
	nothing    struct{}
	textEmpty  struct{}
	onlyHidden struct{ a, b int64 }
	blankKey   struct{ _ int32 }
	hiddenKey  struct {
		A int8
		B int8 `span:"-"`
	}
)

var _ = onlyHidden{a: 1, b: 2}

func (textEmpty) MarshalText() ([]byte, error) { return []byte("t"), nil }
func (*textEmpty) UnmarshalText([]byte) error  { return nil }

// selfEmpty has no memory and takes a byte.
type selfEmpty struct{}

func (*selfEmpty) WriteSpan(w *span.Writer) { w.WriteUint8(7) }
func (*selfEmpty) ReadSpan(r *span.Reader)  { r.ReadUint8() }

// Values without memory have the bytes that they write all the same (G28).
func TestEmptyValues(t *testing.T) {
	type sized struct {
		A [3]struct{}            `span:"sized"`
		B []nothing              `span:"sized"`
		C map[string][2]struct{} `span:"sized"`
		D *[2]nothing            `span:"sized"`
	}
	onWire(t, here(), sized{B: make([]nothing, 2), C: map[string][2]struct{}{"k": {}}, D: new([2]nothing)},
		"000000 020000 01016b0000 010000")
	type methods struct {
		A [3]selfEmpty
		B [2]textEmpty
		C []selfEmpty
		D [2][2]selfEmpty
		E map[string][2]textEmpty
	}
	onWire(t, here(), methods{C: make([]selfEmpty, 2), E: map[string][2]textEmpty{"": {}}},
		"070707 01740174 020707 07070707 010001740174")
	onWire(t, here(), [2]textEmpty{}, "01740174")
	onWire(t, here(), struct{ A [5]nothing }{}, "")
	onWire(t, here(), [3][0]string{}, "")
}

// Keys without bytes are all the same (G29).
func TestEmptyKeys(t *testing.T) {
	onWire(t, here(), map[struct{}]string{{}: "x"}, "010178")
	onWire(t, here(), map[blankKey]string{{}: "x"}, "010178")
	onWire(t, here(), map[[0]int]map[nothing]nothing{{}: {{}: {}}}, "0101")
	onWire(t, here(), map[selfEmpty]int8{{}: 5}, "010705")
	reject[map[struct{}]string](t, here(), "010578", errUnexpectedEOF, "[{}]", 3)
	reject[map[struct{}]string](t, here(), "0201780179", span.ErrLimit, "", 0)
	reject[map[[0]string]nothing](t, here(), "02", span.ErrLimit, "", 0)
	reject[map[textEmpty]bool](t, here(), "01017402", span.ErrMalformed, "[{}]", 3)
	refuse(t, here(), map[struct{}]span.Char{{}: 1000}, span.ErrRange, "[{}]")
	refuse(t, here(), map[blankKey]span.Char{{}: 1000}, span.ErrRange, "[{}]")
	for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
		var m map[struct{}]string
		require.NoError(t, span.Options{Strings: mode}.Unmarshal([]byte("\x01\x01x"), &m))
		require.Equal(t, map[struct{}]string{{}: "x"}, m)
	}
}

// Elements without bytes and memory are counted and no more (G19).
func TestEmptyElements(t *testing.T) {
	type holder struct {
		L []nothing
		M map[[0]int]nothing
		X []nothing    `span:"max=100000"`
		H []onlyHidden `span:"max=1024"`
	}
	onWire(t, here(), holder{L: make([]nothing, 65537), X: make([]nothing, 100000), H: make([]onlyHidden, 1024)}, "818004 00 a08d06 8008")
	refuse(t, here(), holder{X: make([]nothing, 100001)}, span.ErrLimit, "X")
	refuse(t, here(), holder{H: make([]onlyHidden, 1025)}, span.ErrLimit, "H")
	reject[holder](t, here(), "00 00 a18d06 00", span.ErrLimit, "X", 2)
	reject[holder](t, here(), "00 00 00 8108", span.ErrLimit, "H", 3)
	b, err := span.Marshal([][]nothing{make([]nothing, math.MaxInt32), nil})
	require.NoError(t, err)
	require.Equal(t, unhex(t, "02 ffffffff07 00"), b)
	reject[[]nothing](t, here(), "ffffffff0f", span.ErrRange, "", 0)

	in := append([]byte{0xe0, 0x5d}, bytes.Repeat([]byte{0xff, 0xff, 0xff, 0xff, 7}, 12000)...)
	var deep [][]nothing
	require.NoError(t, span.Unmarshal(in, &deep))
	require.True(t, len(deep[11999]) == math.MaxInt32)
	var none [][][0]map[string]*int
	require.NoError(t, span.Unmarshal(in, &none))
	require.True(t, len(none[11999]) == math.MaxInt32)
	var maps []map[struct{}]struct{}
	require.ErrorIs(t, span.Unmarshal([]byte("\x02\xff\xff\x03\xff\xff\x03"), &maps), span.ErrLimit)

	// Those that write themselves are called, 65,536 in a message at most.
	var calls [][]selfNothing
	require.NoError(t, span.Unmarshal([]byte("\x02\x80\x80\x02\x80\x80\x02"), &calls))
	require.True(t, len(calls[1]) == 32768)
	require.ErrorIs(t, span.Unmarshal([]byte("\x02\x80\x80\x02\x81\x80\x02"), &calls), span.ErrLimit)
	require.ErrorIs(t, span.UnmarshalRead(bytes.NewReader([]byte("\x02\x80\x80\x02\x81\x80\x02")), &calls), span.ErrLimit)
}

// What can't be bounded by its bytes has no wire form (G19, G32).
func TestEmptyRefused(t *testing.T) {
	type recursive struct {
		M map[hiddenKey]recursive
	}
	for name, v := range map[string]any{
		"hidden elements": []onlyHidden{},
		"nested":          [][]onlyHidden{},
		"in arrays":       [][3]onlyHidden{},
		"max too large": struct {
			H []onlyHidden `span:"max=1025"`
		}{},
		"pointers to nothing": struct {
			_ struct{} `span:"newlife"`
			P []*nothing
		}{},
		"skipped": []struct {
			A int `span:"-"`
		}{},
		"hidden key":            map[hiddenKey]int{},
		"only hidden key":       map[onlyHidden]string{},
		"hidden within the key": map[[2]struct{ H hiddenKey }]string{},
		"hidden key, recursive": recursive{},
		"embedded hidden key":   map[struct{ hiddenKey }]string{},
	} {
		_, err := span.Marshal(v)
		require.ErrorIs(t, err, span.ErrUnsupported, name)
	}
}

// Keys that would read back as one are an error where they lie side by side (G32).
func TestEqualKeys(t *testing.T) {
	here := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	there := here.In(time.FixedZone("", 3600))
	type key struct {
		A int8
		T time.Time
	}
	type seconds struct {
		_ struct{} `span:"newlife"`
		M map[time.Time]int8
	}
	for name, v := range map[string]any{
		"zones":           map[time.Time]int8{here: 1, there: 2},
		"zones in struct": map[key]int8{{1, here}: 1, {1, there}: 2, {0, here}: 3},
		"zones in array":  map[[1]time.Time]int8{{here}: 1, {there}: 2},
		"fractions":       &seconds{M: map[time.Time]int8{here: 1, here.Add(1): 2}},
	} {
		_, err := ordered.Marshal(v)
		require.ErrorIs(t, err, span.ErrDuplicateKey, name)
		_, err = ordered.Size(v)
		require.ErrorIs(t, err, span.ErrDuplicateKey, name)
	}
	_, err := ordered.Marshal(map[key]int8{{1, here}: 1, {2, there}: 2})
	require.NoError(t, err)
	nan := map[float64]int8{}
	nan[math.NaN()], nan[math.NaN()] = 1, 2 // which are two keys when read as well
	b, err := ordered.Marshal(nan)
	require.NoError(t, err)
	var back map[float64]int8
	require.NoError(t, span.Unmarshal(b, &back))
	require.Len(t, back, 2)
}

// Sized structs as keys are ordered field by field, as others (G36).
func TestSizedKeys(t *testing.T) {
	type key struct {
		_ struct{} `span:"sized"`
		S string
	}
	b, err := ordered.Marshal(map[key]int8{{S: "b"}: 1, {S: "aaa"}: 2})
	require.NoError(t, err)
	require.Equal(t, unhex(t, "02 0403616161 02 020162 01"), b)
}

// A marked object must tell its end, as whatever else something follows (G31).
func TestMarkedEnds(t *testing.T) {
	type optional struct {
		A, B int8 `span:"optional"`
	}
	type tail struct {
		_ struct{} `span:"newlife"`
		A int8
		P *struct{ B int8 }
	}
	type lenient struct {
		_    struct{} `span:"newlife"`
		A, B int8
	}
	for _, v := range []any{new(optional), new(tail), (*tail)(nil)} {
		b, err := span.AppendMarked([]byte("x"), v)
		require.ErrorIs(t, err, span.ErrNotSelfDelimiting, "%T", v)
		require.Equal(t, "x", string(b))
	}
	_, _, err := span.ConsumeMarked([]byte{1, 2, 3, 4}, new(optional))
	require.ErrorIs(t, err, span.ErrNotSelfDelimiting)
	_, _, err = span.ConsumeMarked([]byte{0, 2, 3, 4}, new(tail))
	require.ErrorIs(t, err, span.ErrNotSelfDelimiting)
	var v lenient
	n, present, err := span.ConsumeMarked([]byte{1, 2, 3, 4}, &v)
	require.True(t, n == 3 && present && err == nil)
}
