package value

import (
	"errors"
	"testing"
)

type spanned struct{ n byte }

func (s *spanned) AppendSpan(b []byte) ([]byte, error) {
	if s.n == 0 {
		return append(b, "half"...), errors.New("zero")
	}
	return append(b, 's', s.n), nil
}

// Span bodies go to a type's own methods; the reader is the caller's.
func TestSpanBodies(t *testing.T) {
	d := Dialect{ReadSpan: func(data []byte, dst any) error {
		s, ok := dst.(*spanned)
		if !ok || len(data) != 2 {
			return errors.New("not mine")
		}
		s.n = data[1]
		return nil
	}}
	b, kind, err := d.AppendBody([]byte("x"), &spanned{7})
	if err != nil || kind != Span || string(b) != "xs\x07" {
		t.Fatalf("%q %v", b, err)
	}
	var s spanned
	if err := d.ReadBody(b[1:], true, &s); err != nil || s.n != 7 {
		t.Fatal(s, err)
	}
	if err := d.ReadBody([]byte("z"), true, &s); err == nil || err.Error() != "value: *value.spanned: not mine" {
		t.Fatal(err)
	}
	if err := (Dialect{}).ReadBody(nil, true, &s); !errors.Is(err, ErrType) {
		t.Fatal(err)
	}
	var text string
	if err := d.ReadBody([]byte("plain"), false, &text); err != nil || text != "plain" {
		t.Fatal(text, err)
	}
	if b, kind, err := d.AppendBody(nil, 5); err != nil || kind != Text || string(b) != "5" {
		t.Fatal(err)
	}
	if b, kind, err := d.AppendBody([]byte("x"), (*spanned)(nil)); err != nil || kind != Absent || string(b) != "x" {
		t.Fatal(err)
	}
	if b, _, err := d.AppendBody([]byte("x"), &spanned{}); err == nil || string(b) != "x" {
		t.Fatalf("%q %v", b, err)
	}
	if b, kind, err := d.Append(nil, &spanned{7}); err != nil || kind != JSON || string(b) != "{}" {
		t.Fatalf("%s %v", b, err) // towards NewLife it is a struct like any other
	}
}

func TestPackets(t *testing.T) {
	data := []byte("raw")
	var pk Packet
	if err := (Dialect{}).Bind(data, Param{"pk", &pk}); err != nil || &pk[0] != &data[0] {
		t.Fatal("a packet is the data itself", err)
	}
	var ptr *Packet
	if err := (Dialect{}).Bind([]byte("{}"), Param{"pk", &ptr}); err != nil || string(*ptr) != "{}" {
		t.Fatal(err)
	}
	var b []byte
	if err := (Dialect{}).Read(data, &b); err != nil || string(b) != "raw" || &b[0] == &data[0] {
		t.Fatal("a result is a copy", err)
	}
	var a Acc
	if err := (Dialect{}).Bind(nil, Param{"a", &a}); err == nil {
		t.Fatal("own reader without data")
	}
	if b, err := (Dialect{}).AppendJSON(nil, []any{&Acc{1, "a"}}); err != nil || string(b) != `["AQAAAGE="]` {
		t.Fatalf("%s %v", b, err)
	}
}

func TestAllocations(t *testing.T) {
	b := make([]byte, 0, 512)
	user := &User{Id: 1, Name: str("n"), CreateTime: date, Color: Green}
	for name, v := range map[string]any{"string": "text", "bytes": []byte("x"), "int": 12, "float": 1.5, "nil": nil, "bool": true, "struct": user} {
		if n := testing.AllocsPerRun(50, func() { b, _, _ = Dialect{}.Append(b[:0], v) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkAppendUser(b *testing.B) {
	b.ReportAllocs()
	out := make([]byte, 0, 512)
	for range b.N {
		out, _, _ = Dialect{}.Append(out[:0], stone)
	}
}

func BenchmarkReadUser(b *testing.B) {
	in, _, _ := Dialect{}.Append(nil, stone)
	b.ReportAllocs()
	for range b.N {
		var u User
		if err := (Dialect{}).Read(in, &u); err != nil {
			b.Fatal(err)
		}
	}
}
