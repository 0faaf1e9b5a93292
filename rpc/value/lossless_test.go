package value_test

import (
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/internal/test/rude"
	"github.com/spanwire/spanwire/rpc/value"
	"github.com/spanwire/spanwire/span"
)

type (
	member struct {
		Name string `json:"name"`
		Zero int
		Ptr  *string
		Skip string `span:"-"`
		Kept string `json:"-"`
	}
	inner struct{ A, B int }
	outer struct {
		inner
		B int
		C string
	}
	justTime  struct{ time.Time }
	mixedTime struct {
		time.Time
		Name string
	}
	fieldsTime struct {
		_ struct{} `span:"fields"`
		time.Time
		Name string
	}
	stamp  time.Time
	secret struct{ hidden int }
	level  int8
)

func (l level) String() string               { return "level" }
func (l level) MarshalText() ([]byte, error) { return []byte("text"), nil }

var when = time.Date(2024, 2, 3, 4, 5, 6, 123456789, time.FixedZone("", -9*1800))

// What lossless JSON looks like, and that it reads back as it was.
func TestLossless(t *testing.T) {
	text, nothing := "x", []int(nil)
	var none *int
	for _, k := range []struct {
		name string
		v    any
		want string
	}{
		{"bool", true, `true`}, {"int", -5, `-5`}, {"uint64", uint64(math.MaxUint64), `18446744073709551615`},
		{"float", 0.1, `0.1`}, {"whole float", 5.0, `5`}, {"large float", 1e300, `1e+300`}, {"minus zero", math.Copysign(0, -1), `-0`}, {"float32", float32(0.1), `0.1`},
		{"complex", complex(1.5, -2), `[1.5,-2]`}, {"string", " [\"é\x01 ", `" [\"é\u0001 "`}, {"empty", "", `""`}, {"number", json.Number("1.50"), `1.50`}, {"no number", json.Number(""), `""`},
		{"bytes", []byte{1, 2, 255}, `"AQL/"`}, {"no bytes", []byte(nil), `null`}, {"array of bytes", [2]byte{1, 2}, `"AQI="`}, {"guid", span.GUID{1}, `"AQAAAAAAAAAAAAAAAAAAAA=="`},
		{"time", when, `"2024-02-03T04:05:06.123456789-04:30"`}, {"zero time", time.Time{}, `"0001-01-01T00:00:00Z"`}, {"named time", stamp(when), `"2024-02-03T04:05:06.123456789-04:30"`},
		{"embedded time", justTime{when}, `"2024-02-03T04:05:06.123456789-04:30"`}, {"odd offset", when.In(time.FixedZone("", 12345)), `"2024-02-03T08:35:06.123456789Z"`},
		{"duration", time.Duration(1234567891), `1234567891`}, {"named integer", level(3), `3`},
		{"addr", netip.MustParseAddr("::1"), `"::1"`}, {"big", big.NewInt(7), `"7"`}, {"url", url.URL{Scheme: "a", User: url.UserPassword("b", "c"), Host: "d"}, `"YTovL2I6Y0Bk"`},
		{"struct", member{"n", 0, nil, "", "k"}, `{"name":"n","Zero":0,"Ptr":null,"Kept":"k"}`}, {"pointer", &member{Ptr: &text}, `{"name":"","Zero":0,"Ptr":"x","Kept":""}`},
		{"hidden name", outer{inner{1, 2}, 3, "c"}, `{"A":1,"inner.B":2,"B":3,"C":"c"}`}, {"by fields", fieldsTime{Time: when.UTC(), Name: "n"}, `{"Time":"2024-02-03T08:35:06.123456789Z","Name":"n"}`},
		{"list", []int{0, 1}, `[0,1]`}, {"nil list", []int(nil), `null`}, {"nulls", []*string{nil, &text}, `[null,"x"]`}, {"array", [2]bool{}, `[false,false]`},
		{"map", map[string]int{"b": 0, "a": 1}, `{"a":1,"b":0}`}, {"integer keys", map[int8]string{-1: "x"}, `{"-1":"x"}`}, {"pairs", map[[2]int]bool{{1, 2}: true}, `[[[1,2],true]]`},
		{"pointer to pointer", struct{ P **int }{&none}, `{"P":[null]}`}, {"pointer to no list", struct{ P *[]int }{&nothing}, `{"P":[]}`},
		{"any", []any{nil, int64(5), 5.0, "5", true, map[string]any{"a": nil}, []any{}, uint64(math.MaxUint64), json.Number("1e999")}, `[null,5,5.0,"5",true,{"a":null},[],18446744073709551615,1e999]`},
		{"ordered", value.Object{{Name: "b", Value: int64(1)}, {Name: "a", Value: nil}}, `{"b":1,"a":null}`},
		{"empty struct", struct{}{}, `{}`},
	} {
		t.Run(k.name, func(t *testing.T) {
			b, err := value.Dialect{}.AppendLossless([]byte("x"), k.v)
			require.NoError(t, err)
			require.Equal(t, "x"+k.want, string(b))
			require.True(t, json.Valid(b[1:]))
			got := reflect.New(reflect.TypeOf(k.v))
			n, err := value.Dialect{}.ReadLossless(b[1:], got.Interface())
			require.NoError(t, err)
			require.Zero(t, n)
			require.Empty(t, randval.Diff(k.v, got.Elem().Interface()), "%v", got.Elem())
			again, err := value.Dialect{}.AppendLossless(nil, got.Elem().Interface())
			require.NoError(t, err)
			if k.name != "pointer to no list" {
				require.Equal(t, k.want, string(again))
			}
		})
	}
}

// What cannot be written without loss is not written.
func TestLosslessRefuses(t *testing.T) {
	loop := &struct{ Next any }{}
	loop.Next = loop
	for _, k := range []struct {
		name string
		v    any
		want error
		says string
	}{
		{"not UTF-8", map[string]any{"k": []string{"\xff"}}, value.ErrConvert, "k.0"}, {"key", map[string]int{"\xff": 1}, value.ErrConvert, "[key]"},
		{"NaN", struct{ F float64 }{math.NaN()}, value.ErrConvert, "F"}, {"infinite", float32(math.Inf(1)), value.ErrConvert, ""},
		{"year", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), value.ErrConvert, "year"}, {"no number", json.Number("x"), value.ErrConvert, ""},
		{"chan", struct{ C chan int }{}, value.ErrType, "C"}, {"func", func() {}, value.ErrType, ""}, {"interface", struct{ E error }{url.InvalidHostError("")}, value.ErrType, "E"},
		{"hidden", secret{1}, value.ErrType, "exported"}, {"promoted", mixedTime{when, "n"}, value.ErrType, "promoted"}, {"cycle", loop, value.ErrDepth, "Next"},
		{"twice", value.Object{{Name: "a"}, {Name: "a"}}, value.ErrSyntax, "a"}, {"foreign state", struct{ U *url.Userinfo }{url.User("x")}, value.ErrType, "U"},
	} {
		b, err := value.Dialect{}.AppendLossless([]byte("x"), k.v)
		require.ErrorIs(t, err, k.want, k.name)
		require.ErrorContains(t, err, k.says, k.name)
		require.Equal(t, "x", string(b), k.name)
	}
}

// What is not exactly what the type holds is not read.
func TestLosslessReadRefuses(t *testing.T) {
	for _, k := range []struct {
		in   string
		into any
		want error
	}{
		{`"5"`, new(int), value.ErrConvert}, {`5`, new(string), value.ErrConvert}, {`1`, new(bool), value.ErrConvert}, {`"true"`, new(bool), value.ErrConvert},
		{`1.0`, new(int), value.ErrConvert}, {`1e2`, new(int), value.ErrConvert}, {`300`, new(int8), value.ErrConvert}, {`-1`, new(uint), value.ErrConvert},
		{`9007199254740993`, new(float64), value.ErrConvert}, {`0.1234567890123`, new(float32), value.ErrConvert}, {`1e400`, new(float64), value.ErrConvert},
		{`null `, new(int), nil}, {`[null]`, new([]int), value.ErrConvert}, {`{"A":null}`, new(inner), value.ErrConvert}, {`{"A":1,"A":2}`, new(inner), value.ErrSyntax},
		{`{"a":1,"A":2}`, new(inner), value.ErrSyntax}, {`{"k":1,"k":2}`, new(map[string]int), value.ErrSyntax}, {`{"k":1,"k":2}`, new(any), value.ErrSyntax},
		{`{"01":1}`, new(map[int]int), value.ErrConvert}, {`[1,2,3]`, new([2]int), value.ErrConvert}, {`[1]`, new([2]int), value.ErrConvert},
		{`"2024-02-03 04:05:06"`, new(time.Time), value.ErrConvert}, {`"2024-02-03T04:05:06"`, new(time.Time), value.ErrConvert}, {`5`, new(time.Time), value.ErrConvert},
		{`"1h"`, new(time.Duration), value.ErrConvert}, {`"AQ"`, new([]byte), value.ErrConvert}, {`"AQ==\n"`, new([]byte), value.ErrConvert}, {`"AR=="`, new([]byte), value.ErrConvert},
		{`"\ud800"`, new(string), value.ErrSyntax}, {"\"\xff\"", new(string), value.ErrSyntax}, {"\"\x01\"", new(string), value.ErrSyntax}, {`"a`, new(string), value.ErrSyntax}, {`"\x"`, new(any), value.ErrSyntax},
		{`{"A":1,}`, new(inner), value.ErrSyntax}, {`{A:1}`, new(inner), value.ErrSyntax}, {`[1,]`, new(any), value.ErrSyntax}, {`1 2`, new(int), value.ErrSyntax}, {`01`, new(int), value.ErrSyntax},
		{`+1`, new(int), value.ErrSyntax}, {`.5`, new(any), value.ErrSyntax}, {`// c` + "\n1", new(int), value.ErrSyntax}, {`nul`, new(any), value.ErrSyntax}, {`nullx`, new(any), value.ErrSyntax},
		{`{"X":1}`, new(error), value.ErrType}, {strings.Repeat("[", 2000), new(any), value.ErrDepth}, {`[[1,2],[1,3]]`, new(map[[1]int]int), value.ErrConvert},
		{`[[[1],2],[[1],3]]`, new(map[[1]int]int), value.ErrSyntax}, {`[[[1]]]`, new(map[[1]int]int), value.ErrSyntax}, {`{"x":tru}`, new(inner), value.ErrSyntax},
	} {
		_, err := value.Dialect{}.ReadLossless([]byte(k.in), k.into)
		if k.want == nil {
			require.NoError(t, err, k.in)
			continue
		}
		require.ErrorIs(t, err, k.want, "%s into %T", k.in, k.into)
	}
	_, err := value.Dialect{}.ReadLossless([]byte("1"), nil)
	require.ErrorIs(t, err, value.ErrType)
}

// Members without a place: in arguments they are refused by name unless they are zero, elsewhere counted.
func TestLosslessPlaces(t *testing.T) {
	zero := []string{`0`, `-0.0e5`, `false`, `null`, `""`, `[]`, `{}`, `{"a":0,"b":{"c":null}}`, `"0001-01-01T00:00:00Z"`}
	other := []string{`1`, `true`, `"x"`, `[0]`, `{"a":{"b":1}}`, `1e5`}
	for i, s := range append(zero, other...) {
		in := []byte(`{"A":1,"Extra":` + s + `,"b":2}`)
		var got inner
		n, err := value.Dialect{}.ReadLossless(in, &got)
		require.NoError(t, err)
		require.Equal(t, inner{1, 2}, got)
		require.Equal(t, i >= len(zero), n == 1, s)
		_, strict := value.Dialect{Strict: true}.ReadLossless(in, &got)
		bind := value.Dialect{}.BindLossless(in, value.Param{Into: &got})
		var a, b int
		params := value.Dialect{}.BindLossless(in, value.Param{Name: "A", Into: &a}, value.Param{Name: "B", Into: &b})
		for _, err := range []error{strict, bind, params} {
			if i < len(zero) {
				require.NoError(t, err, s)
				continue
			}
			require.ErrorIs(t, err, value.ErrNoPlace, s)
			require.ErrorContains(t, err, "Extra")
		}
		require.Equal(t, []int{1, 2}, []int{a, b})
	}
}

// Parameters by name: of an object, or one that is the whole.
func TestBindLossless(t *testing.T) {
	p := func(name string, into any) value.Param { return value.Param{Name: name, Into: into} }
	var n int
	var s string
	var in inner
	var list []int
	var m map[string]int
	d := value.Dialect{}
	require.NoError(t, d.BindLossless([]byte(`5`), p("n", &n)))
	require.Equal(t, 5, n)
	require.NoError(t, d.BindLossless([]byte(`{"N":6}`), p("n", &n)))
	require.Equal(t, 6, n)
	require.ErrorIs(t, d.BindLossless([]byte(`"6"`), p("n", &n)), value.ErrConvert)
	require.NoError(t, d.BindLossless(nil, p("n", &n), p("s", &s)))
	require.NoError(t, d.BindLossless([]byte(`{"A":1,"B":2}`), p("in", &in)))
	require.Equal(t, inner{1, 2}, in)
	require.NoError(t, d.BindLossless([]byte(`{"in":{"A":3,"B":4}}`), p("in", &in)))
	require.Equal(t, inner{3, 4}, in)
	require.NoError(t, d.BindLossless([]byte(`{"s":"x","A":5,"B":6}`), p("s", &s), p("in", &in)))
	require.Equal(t, inner{5, 6}, in)
	require.Equal(t, "x", s)
	require.NoError(t, d.BindLossless([]byte(`{"s":"y"}`), p("s", &s), p("in", &in)))
	require.Equal(t, inner{5, 6}, in, "defaults stay")
	require.NoError(t, d.BindLossless([]byte(`[1,2]`), p("list", &list)))
	require.Equal(t, []int{1, 2}, list)
	require.NoError(t, d.BindLossless([]byte(`{"a":1}`), p("m", &m)))
	require.Equal(t, map[string]int{"a": 1}, m)
	require.ErrorIs(t, d.BindLossless([]byte(`5`), p("n", &n), p("s", &s)), value.ErrNoObject)
	require.ErrorIs(t, d.BindLossless([]byte(`{"n":1,"N":2}`), p("n", &n), p("s", &s)), value.ErrSyntax)
	require.ErrorIs(t, d.BindLossless([]byte(`{"n":1}x`), p("n", &n)), value.ErrSyntax)
	require.ErrorIs(t, d.BindLossless([]byte(`1`), p("n", nil)), value.ErrType)
}

// Reading takes memory in proportion to the input, and does not write to it, whatever the types do with what they are given.
func TestLosslessMemory(t *testing.T) {
	type big struct{ A [64]int }
	for name, k := range map[string]struct {
		in   string
		into any
		most uint64 // bytes for each of the input
	}{
		"any":     {"[" + strings.Repeat("0,", 1<<16) + "0]", new(any), 64},
		"empties": {"[" + strings.Repeat("{},", 1<<16) + "{}]", new([]struct{}), 64},
		"maps":    {"[" + strings.Repeat("{},", 1<<14) + "{}]", new(any), 128},
		"structs": {"[" + strings.Repeat("{},", 1<<12) + "{}]", new([]big), 1024},
		"escapes": {`"` + strings.Repeat(`\u00e9`, 1<<14) + `"`, new(string), 8},
	} {
		in := []byte(k.in)
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		_, err := value.Dialect{}.ReadLossless(in, k.into)
		runtime.ReadMemStats(&m1)
		require.NoError(t, err, name)
		require.Less(t, m1.TotalAlloc-m0.TotalAlloc, k.most*uint64(len(in))+64<<10, name)
		require.Equal(t, k.in, string(in), name)
	}
	all := append([]byte(`["first","second"]`), "behind behind"...)
	var got []rude.Shifter
	_, err := value.Dialect{}.ReadLossless(all[:18], &got)
	require.NoError(t, err)
	require.Equal(t, []rude.Shifter{{S: "first"}, {S: "second"}}, got)
	require.Equal(t, `["first","second"]behind behind`, string(all))
}

// FuzzLossless: what is read is written so that it reads the same again, and nothing panics.
func FuzzLossless(f *testing.F) {
	for _, s := range []string{`{"name":"x","Ptr":null}`, `[1,2.50,-0,"é😀",null,{"a":[]}]`, `"2024-02-03T04:05:06.1Z"`, `{"A":1,"inner.B":2}`, `[[[1,2],true]]`, `1e999`, `"AQ=="`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, into := range []any{new(any), new(member), new(outer), new(time.Time), new(map[[2]int]bool), new([]byte), new(map[int]*member), new(float32), new(json.Number), new(value.Object)} {
			if _, err := (value.Dialect{}).ReadLossless(in, into); err != nil {
				continue
			}
			b, err := value.Dialect{}.AppendLossless(nil, into)
			require.NoError(t, err, "%q into %T", in, into)
			again := reflect.New(reflect.TypeOf(into).Elem())
			_, err = value.Dialect{}.ReadLossless(b, again.Interface())
			require.NoError(t, err, "%q", b)
			require.Empty(t, randval.Diff(into, again.Interface()), "%q %q", in, b)
		}
	})
}
