package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// everything is a destination with a member of each kind.
type everything struct {
	A int8
	B uint64
	C float64
	D string
	E bool
	F time.Time
	G time.Duration
	H []byte
	I []string
	J map[string]any
	K any
	L *everything
	M Color
	N GUID
	O json.Number
	P Object
	Q [2]int
}

// FuzzJSON reads valid JSON and compares with encoding/json; other input must fail with an *Error or be what the dialect
// allows beyond. What is read is written and read again to the same.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":[1,null,2.5e3,"x\u4e2d"],"c":{"d":null,"e":true}}`, `[1,"2",{"x":[]}]`, `{Id:1,/*c*/'x':2} tail`, `{"K":{"P":1},"L":{"A":-1,"M":"Blue"}}`,
		`{"F":"2024-02-03T04:05:06Z","G":"1.02:03:04","H":"AQID","N":"11223344-5566-7788-99aa-bbccddeeff00","Q":[1,2]}`, `{"a":99999.9E99999,"b":-1e400}`, "text", ` "q" `, "{", `{"a":"\ud83d"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		var got any
		err := Dialect{}.Read(data, &got)
		typed(t, err)
		s := bytes.TrimSpace(data)
		structured := len(s) > 0 && (s[0] == '{' || s[0] == '[')
		if structured && json.Valid(s) && depth(s) <= defaultDepth {
			if err != nil {
				t.Fatalf("%q: %v", data, err)
			}
			if want := reference(s); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: %#v, encoding/json has %#v", data, got, want)
			}
		}
		if err == nil && structured {
			b, err := Dialect{Keep: true}.AppendJSON(nil, got)
			if err != nil || !json.Valid(b) || !utf8.Valid(b) {
				t.Fatalf("%q: writes %q, %v", data, b, err)
			}
			var again any
			if err := (Dialect{}).Read(b, &again); err != nil {
				t.Fatalf("%q: writes %q: %v", data, b, err)
			}
			if c, err := (Dialect{Keep: true}).AppendJSON(nil, again); err != nil || string(c) != string(b) {
				t.Fatalf("%q: writes %q, then %q, %v", data, b, c, err)
			}
		}
		for _, d := range []Dialect{{}, {Compat: true}} {
			var e, again everything
			if err := d.Read(data, &e); err != nil {
				typed(t, err)
			} else if b, _, err := d.Append(nil, &e); err == nil && !d.Compat {
				if err := d.Read(b, &again); err != nil {
					t.Fatalf("%q: writes %q: %v", data, b, err)
				}
				if c, _, err := d.Append(nil, &again); err != nil || string(c) != string(b) {
					t.Fatalf("%q: writes %q, then %q, %v", data, b, c, err)
				}
			}
			var a int
			var u *User
			var o Object
			var p Packet
			typed(t, d.Bind(data, Param{"a", &a}, Param{"b", &u}, Param{"o", &o}, Param{"p", &p}))
			for _, into := range []any{new(int), new(string), new([]int), new(*User), new(time.Time), new(Packet), new(map[string]int), new(bool), new(GUID), new(Color)} {
				typed(t, d.Bind(data, Param{"a", into}))
			}
		}
		FindMember(data, "a")
		if b, err := AppendMembers(bytes.Clone(data), 0, JSON, Member{"a", "v"}); err == nil && json.Valid(data) && structured {
			if !json.Valid(b) {
				t.Fatalf("%q: with a member %q", data, b)
			}
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

// typed fails unless err is nil or an *Error.
func typed(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
}

func depth(s []byte) (most int) {
	d, in := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			in = !in
		case in:
		case c == '{' || c == '[':
			d++
			most = max(most, d)
		case c == '}' || c == ']':
			d--
		}
	}
	return most
}

// reference is what encoding/json makes of s: integers as int64, nulls in lists dropped.
func reference(s []byte) any {
	d := json.NewDecoder(bytes.NewReader(s))
	d.UseNumber()
	var v any
	d.Decode(&v)
	return convert(v)
}

func convert(v any) any {
	switch v := v.(type) {
	case json.Number:
		return wordValue(string(v), false, false)
	case []any:
		out := []any{}
		for _, e := range v {
			if e != nil {
				out = append(out, convert(e))
			}
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = convert(e)
		}
		return out
	}
	return v
}

// FuzzText writes strings and numbers and reads them back.
func FuzzText(f *testing.F) {
	f.Add("q\"b\\s/n\nr\rt\tb\bf\fu\x01d\x7f中\U0001F600\xff", int64(-1), 1.5e-7)
	f.Fuzz(func(t *testing.T, s string, n int64, x float64) {
		b, err := Dialect{}.AppendJSON(nil, []any{s})
		var std []string
		if err != nil || !utf8.Valid(b) || json.Unmarshal(b, &std) != nil || std[0] != textOf([]byte(s)) {
			t.Fatalf("%q: %q %v", s, b, err)
		}
		if got := appendString(nil, []byte(s)); string(got) != string(b[1:len(b)-1]) {
			t.Fatalf("%q: %q as bytes", s, got)
		}
		var back []string
		if err := (Dialect{}).Read(b, &back); err != nil || back[0] != std[0] {
			t.Fatalf("%q: %q %v", s, back, err)
		}
		var text string
		if b, _, _ := (Dialect{}).Append(nil, s); (Dialect{}).Read(b, &text) != nil || text != textOf([]byte(s)) {
			t.Fatalf("%q: %q", s, text)
		}
		b, _, _ = Dialect{}.Append(nil, x)
		var y float64
		if err := (Dialect{}).Read(b, &y); err != nil || y != x && x == x {
			t.Fatalf("%v: %s reads as %v %v", x, b, y, err)
		}
		if y := float32(x); y == y {
			b, _, _ = Dialect{}.Append(nil, y)
			var z float32
			if err := (Dialect{}).Read(b, &z); err != nil || z != y {
				t.Fatalf("%v: %s reads as %v %v", y, b, z, err)
			}
		}
		for _, v := range []any{n, time.Duration(n) / 100 * 100} {
			b, _, _ := Dialect{}.Append(nil, v)
			out := reflect.New(reflect.TypeOf(v))
			if err := (Dialect{}).Read(b, out.Interface()); err != nil || out.Elem().Int() != reflect.ValueOf(v).Int() {
				t.Fatalf("%v: %s reads as %v %v", v, b, out.Elem(), err)
			}
		}
		when := time.Unix(n%253402300799, 0).UTC()
		if y := when.Year(); y >= 1 && y <= 9999 {
			b, _ := Dialect{}.AppendJSON(nil, when)
			got, err := dotnet.ParseTime(strings.Trim(string(b), `"`))
			if err != nil || !got.Equal(when) {
				t.Fatalf("%v: %s reads as %v %v", when, b, got, err)
			}
		}
	})
}
