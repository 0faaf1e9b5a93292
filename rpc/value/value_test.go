package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

func TestFloats(t *testing.T) {
	for _, k := range []struct {
		f    float64
		bits int
		want string
	}{
		{0, 64, "0"}, {math.Copysign(0, -1), 64, "-0"}, {1, 64, "1"}, {-60, 64, "-60"}, {100, 64, "100"}, {1e14, 64, "100000000000000"}, {1e15, 64, "1E+15"},
		{123456789012345, 64, "123456789012345"}, {1234567890123456, 64, "1234567890123456"}, {12345678901234567, 64, "12345678901234568"},
		{123456789012345678, 64, "1.2345678901234568E+17"}, {1e300, 64, "1E+300"}, {1.5e-7, 64, "1.5E-07"}, {0.0001, 64, "0.0001"}, {0.00001, 64, "1E-05"},
		{0.00012345, 64, "0.00012345"}, {-1.25e-10, 64, "-1.25E-10"}, {0.1, 64, "0.1"}, {1.0 / 3, 64, "0.3333333333333333"}, {math.MaxFloat64, 64, "1.7976931348623157E+308"},
		{5e-324, 64, "5E-324"}, {1e7, 32, "1E+07"}, {1234567, 32, "1234567"}, {12345678, 32, "12345678"}, {16777216, 32, "16777216"}, {0.1, 32, "0.1"}, {1e10, 32, "1E+10"},
		{math.NaN(), 64, "NaN"}, {math.Inf(1), 64, "Infinity"}, {math.Inf(-1), 64, "-Infinity"},
	} {
		got := string(dotnet.AppendFloat(nil, k.f, k.bits))
		if got != k.want {
			t.Errorf("%g (%d bits): %s, want %s", k.f, k.bits, got, k.want)
		}
		var back float64
		if err := (Dialect{}).Read([]byte(got), &back); err != nil || k.bits == 64 && back != k.f && !math.IsNaN(k.f) {
			t.Errorf("%s reads as %v, %v", got, back, err)
		}
	}
}

func TestTimes(t *testing.T) {
	// The instant survives whatever the zone; a fraction and the zone do not.
	for _, zone := range []*time.Location{time.UTC, time.Local, time.FixedZone("", 3600), Unspecified(), time.FixedZone("Unspecified", 7200), time.FixedZone("Unspecified", 0)} {
		in := time.Date(2024, 2, 3, 4, 5, 6, 789, zone)
		for _, in := range []any{in, struct{ T time.Time }{in}} {
			b, _, err := Dialect{}.Append(nil, in)
			out := reflect.New(reflect.TypeOf(in))
			if err != nil || (Dialect{}).Read(b, out.Interface()) != nil {
				t.Fatal(err)
			}
			got, ok := out.Elem().Interface().(time.Time)
			if !ok {
				got = out.Elem().Field(0).Interface().(time.Time)
			}
			if got.Unix() != time.Date(2024, 2, 3, 4, 5, 6, 0, zone).Unix() {
				t.Errorf("%s reads as %v", b, got)
			}
		}
	}
	for _, bad := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if b, _, err := (Dialect{}).Append([]byte("x"), bad); err == nil || string(b) != "x" {
			t.Errorf("%s %v", b, err)
		}
	}
}

type level uint8 // named, without names

// spaced has JSON with white space in it and around.
type spaced struct{}

func (spaced) MarshalJSON() ([]byte, error) {
	return []byte(" { \"a b\" : \"c\\\" d\" ,\n\"e\\\\\" : [ 1 , \"\\\\\" ] } "), nil
}

type blob []byte

func TestOwnJSON(t *testing.T) {
	for _, k := range []struct {
		v    any
		kind Kind
		want string
	}{
		{spaced{}, JSON, `{"a b":"c\" d","e\\":[1,"\\"]}`}, {blob("raw"), Bytes, "raw"}, {[3]byte{1, 2, 3}, JSON, `"AQID"`}, {blob(nil), Absent, ""},
		{json.RawMessage(`[1, 2]`), JSON, "[1,2]"}, {[]any{"a\xffb\xe4\xb8"}, JSON, "[\"a\uFFFDb\uFFFD\uFFFD\"]"}, {json.Number(""), Text, "0"},
	} {
		b, kind, err := Dialect{}.Append(nil, k.v)
		if err != nil || kind != k.kind || string(b) != k.want {
			t.Errorf("%#v: %s %d %v, want %s", k.v, b, kind, err, k.want)
		}
	}
	var z struct{ Zone, AZ int }
	if err := (Dialect{}).Read([]byte(`{"zONE":1,"az":2}`), &z); err != nil || z.Zone != 1 || z.AZ != 2 {
		t.Error(z, err)
	}
	if sameName("[", "{") || sameName("@", "`") || !sameName("AZ", []byte("az")) {
		t.Error("names")
	}
}

type fragile int

func (f fragile) String() string { return [...]string{"off", "on"}[f] }

type inner struct {
	ID   int
	Name string
}

type shapes struct {
	inner
	Name    string
	Renamed int `json:"other,omitempty"`
	Hidden  int `json:"-"`
	secret  int
	Any     any
	Ptr     *int
	Level   level
	Bytes   []byte
	Hash    [3]byte
	Dur     time.Duration
	Addr    netip.Addr
	Big     *big.Int
	Map     map[int]string
	Nested  struct{ X []float32 }
	Err     error
	When    time.Time
	List    []any
	Packet  Packet
}

func TestJSONShapes(t *testing.T) {
	seven := 0
	v := shapes{inner: inner{1, "hidden"}, Name: "n", Renamed: 2, Hidden: 3, secret: 4, Any: Blue, Ptr: &seven, Level: 9, Bytes: []byte{}, Hash: [3]byte{1, 2, 3},
		Dur: 0, Addr: netip.MustParseAddr("::1"), Big: big.NewInt(12), Map: map[int]string{10: "a", 9: ""}, Err: errors.New("e\"r"), List: []any{nil, 0, "", false, time.Time{}}, Packet: Packet{1}}
	want := `{"ID":1,"Name":"n","other":2,"Any":2,"Ptr":0,"Level":9,"Bytes":"","Hash":"AQID","Dur":"00:00:00","Addr":"::1","Big":12,"Map":{"10":"a"},"Nested":{},"Err":"e\"r","List":[null,0,"",false,""],"Packet":"AQ=="}`
	b, kind, err := Dialect{}.Append(nil, v)
	if err != nil || kind != JSON || string(b) != want {
		t.Fatalf("%s %v\nwant\n%s", b, err, want)
	}
	var back shapes
	back.Err = nil
	if err := (Dialect{}).Read([]byte(strings.Replace(want, `"Err":"e\"r",`, "", 1)), &back); err != nil {
		t.Fatal(err)
	}
	if back.ID != 1 || back.Name != "n" || back.Renamed != 2 || back.Any != int64(2) || *back.Ptr != 0 || back.Hash != v.Hash || back.Addr != v.Addr || back.Big.Int64() != 12 ||
		back.Map[10] != "a" || len(back.List) != 4 || string(back.Packet) != "\x01" || back.Bytes == nil {
		t.Fatalf("%+v", back)
	}
	kept, err := Dialect{Keep: true}.AppendJSON(nil, struct {
		A int
		B *int
		C string
		D bool
		E time.Time
		F []int
	}{})
	if err != nil || string(kept) != `{"A":0,"B":null,"C":"","D":false,"E":"","F":null}` {
		t.Fatalf("%s %v", kept, err)
	}
	ip, err := Dialect{Keep: true}.AppendJSON(nil, struct{ A, B net.IP }{B: net.IP{1, 2, 3, 4}})
	if err != nil || string(ip) != `{"A":null,"B":"1.2.3.4"}` {
		t.Fatalf("%s %v", ip, err)
	}
	table := Dialect{Enums: Enums{reflect.TypeFor[level](): {{9, "High"}, {0, "None"}}}}
	for in, want := range map[level]string{9: "High", 0: "None", 5: "5"} {
		b, kind, err := table.Append(nil, in)
		var back level
		if err != nil || kind != Text || string(b) != want || table.Read(b, &back) != nil || back != in {
			t.Errorf("%d: %s %v", in, b, err)
		}
	}
	if b, _, err := table.Append(nil, uint8(9)); err != nil || string(b) != "9" {
		t.Errorf("%s %v", b, err)
	}
	if b, err := table.AppendJSON(nil, struct{ A, B uint8 }{A: 9}); err != nil || string(b) != `{"A":9}` {
		t.Errorf("%s %v", b, err)
	}
	if b, _ := table.AppendJSON(nil, struct{ L level }{}); string(b) != `{"L":0}` {
		t.Errorf("%s", b)
	}
	var l level
	if err := table.Read([]byte("high"), &l); !errors.Is(err, ErrConvert) {
		t.Error(err)
	}
	if b, kind, err := (Dialect{}).Append(nil, level(9)); err != nil || kind != Text || string(b) != "9" {
		t.Errorf("%s %v", b, err)
	}
	if b, _, err := (Dialect{}).Append(nil, time.March); err != nil || string(b) != "March" {
		t.Errorf("%s %v", b, err)
	}
	for in, want := range map[fragile]string{0: "off", 1: "on", 2: "2"} { // its String panics where it has no name
		b, kind, err := Dialect{}.Append(nil, in)
		var back fragile
		if err != nil || kind != Text || string(b) != want || (Dialect{}).Read(b, &back) != nil || back != in {
			t.Errorf("%d: %s %v", in, b, err)
		}
	}
	var bytes struct {
		A [2]level
		B []level
	}
	if err := (Dialect{}).Read([]byte(`{"A":"AQI=","B":"Aw=="}`), &bytes); err != nil || bytes.A != [2]level{1, 2} || bytes.B[0] != 3 {
		t.Error(bytes, err)
	}
	var m time.Month
	if err := (Dialect{}).Read([]byte("March"), &m); err != nil || m != time.March {
		t.Error(m, err)
	}
}

func TestUnwritable(t *testing.T) {
	type node struct{ Next *node }
	loop := &node{}
	loop.Next = loop
	type pointer *pointer
	var self pointer
	self = &self
	for name, k := range map[string]struct {
		v      any
		reason error
		member string
	}{
		"chan": {make(chan int), ErrType, ""}, "func": {func() {}, ErrType, ""}, "complex": {1i, ErrType, ""},
		"member": {struct{ A []any }{[]any{1, func() {}}}, ErrType, "A.1"}, "nan": {struct{ F float64 }{math.NaN()}, ErrType, "F"},
		"map key": {map[float64]int{1: 1}, ErrType, ""}, "loop": {loop, ErrDepth, ""}, "number": {[]json.Number{"1x"}, ErrConvert, "0"},
		"year": {struct{ T time.Time }{time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}, errYear, "T"}, "bad marshaler": {[]any{badJSON{}}, ErrSyntax, "0"},
	} {
		b, kind, err := Dialect{}.Append([]byte("pre"), k.v)
		var e *Error
		if !errors.Is(err, k.reason) || !errors.As(err, &e) || string(b) != "pre" || kind != Absent {
			t.Errorf("%s: %q %v", name, b, err)
			continue
		}
		if k.member != "" && e.Member != k.member {
			t.Errorf("%s: member %q", name, e.Member)
		}
		if err.Error() == "" {
			t.Error("no text")
		}
	}
	if b, kind, err := (Dialect{}).Append(nil, self); err != nil || kind != Absent || len(b) != 0 {
		t.Errorf("pointer to itself: %q %v", b, err)
	}
	deep := strings.Repeat("[", 101) + strings.Repeat("]", 101)
	for _, dst := range []any{new(any), new([]any), new(struct{ A int })} {
		for _, in := range []string{deep, `{"x":` + deep + `}`} {
			if err := (Dialect{}).Read([]byte(in), dst); !errors.Is(err, ErrDepth) {
				t.Errorf("%T: %v", dst, err)
			}
		}
	}
	var most any
	if err := (Dialect{}).Read([]byte(deep[1:len(deep)-1]), &most); err != nil {
		t.Error(err)
	}
	if b, err := (Dialect{}).AppendJSON(nil, most); err != nil || len(b) != 200 {
		t.Error(len(b), err)
	}
	if _, err := (Dialect{}).AppendJSON(nil, []any{most}); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
	for _, dst := range []any{nil, 1, (*int)(nil)} {
		if err := (Dialect{}).Read(nil, dst); !errors.Is(err, ErrType) {
			t.Errorf("%T: %v", dst, err)
		}
		if err := (Dialect{}).Bind(nil, Param{"p", dst}); !errors.Is(err, ErrType) {
			t.Errorf("%T: %v", dst, err)
		}
	}
}

type badJSON struct{}

func (badJSON) MarshalJSON() ([]byte, error) { return []byte("{"), nil }

func TestConversions(t *testing.T) {
	for _, k := range []struct {
		in     string
		dst    any // pointer; what it points to is what must be read
		strict error
		compat string // what is read under Compat when it is an error without
	}{
		{`"5"`, p(int32(5)), nil, ""}, {`5`, p(int32(5)), nil, ""}, {`1.7`, p(2), nil, ""}, {`2.5`, p(2), nil, ""}, {`1e2`, p(uint8(100)), nil, ""},
		{`"1,234"`, p(1234), nil, ""}, {`"12,34"`, p(0), ErrConvert, "1234"}, {`true`, p(1), nil, ""}, {`"+7"`, p(uint16(7)), nil, ""}, {`-1`, p(uint8(0)), ErrConvert, "0"},
		{`256`, p(uint8(0)), ErrConvert, "0"}, {`"x"`, p(0), ErrConvert, "0"}, {`""`, p(0), nil, ""}, {`9223372036854775808`, p(int64(0)), ErrConvert, "-9223372036854775808"},
		{`12345678901234567890`, p(int64(0)), ErrConvert, "-6101065172474983726"}, {`12345678901234567890`, p(uint64(12345678901234567890)), nil, ""},
		{`1e30`, p(int64(0)), ErrConvert, "0"}, {`"1,5"`, p(0.0), ErrConvert, "15"}, {`"1,234.5"`, p(1234.5), nil, ""}, {`"NaN"`, p("NaN"), nil, ""}, {`"0x10"`, p(0.0), ErrConvert, "0"},
		{`"1_000"`, p(0), ErrConvert, "0"}, {`1e999`, p(0.0), ErrConvert, "0"}, {`"yes"`, p(true), nil, ""}, {`"Y"`, p(true), nil, ""}, {`0.5`, p(true), nil, ""}, {`"maybe"`, p(false), ErrConvert, "false"},
		{`5`, p("5"), nil, ""}, {`true`, p("True"), nil, ""}, {`1.50`, p("1.5"), nil, ""}, {`{"a":1}`, p(""), ErrConvert, ""}, {`[1]`, p(""), ErrConvert, "!"}, {`[1]`, p(0), ErrConvert, "!"},
		{`{"a":1}`, p(0), ErrConvert, "0"}, {`"2"`, p(Blue), nil, ""}, {`77`, p(Color(77)), nil, ""}, {`"blue"`, p(Red), ErrConvert, "!"}, {`"Blue"`, p(Blue), nil, ""}, {`1e12`, p(Red), ErrConvert, "!"},
		{`"AQI"`, p([]byte{1, 2}), nil, ""}, {`"AQI="`, p([]byte{1, 2}), nil, ""}, {`"A!"`, p([]byte(nil)), ErrConvert, "!"}, {`5`, p([]byte(nil)), ErrConvert, "!"}, {`"AQI="`, p([3]byte{}), ErrConvert, "!"},
		{`"x"`, p(time.Time{}), ErrConvert, "!"}, {`1706933106`, p(plain(2024, 2, 3, 4, 5, 6, 0)), nil, ""}, {`5`, p(time.Duration(0)), ErrConvert, "!"}, {`null`, p(0), nil, ""},
		{`[1,null,2]`, p([]int{1, 2}), nil, ""}, {`[1,2]`, p([3]int{1, 2}), nil, ""}, {`[1,2,3]`, p([2]int{1, 2}), ErrConvert, "!"}, {`[1,"x",2.5,true,null,[null]]`, p(any([]any{int64(1), "x", 2.5, true, []any{}})), nil, ""},
		{`"112233445566778899aabbccddeeff00"`, p(guid), nil, ""}, {`"1122"`, p(GUID{}), ErrConvert, "!"}, {`1.50`, p(json.Number("1.50")), nil, ""}, {`"x"`, p(json.Number("")), ErrConvert, "!"},
		{`2147483647.4`, p(int32(math.MaxInt32)), nil, ""}, {`2147483647.6`, p(int32(0)), ErrConvert, "0"}, {`-2147483648.5`, p(int32(math.MinInt32)), nil, ""},
		{`-2147483649.6`, p(int32(0)), ErrConvert, "0"}, {`255.4`, p(uint8(255)), nil, ""}, {`255.6`, p(uint8(0)), ErrConvert, "0"}, {`-0.4`, p(uint8(0)), nil, ""}, {`-0.6`, p(uint8(0)), ErrConvert, "0"},
		{`9223372036854775808.0`, p(int64(0)), ErrConvert, "0"}, {`18446744073709551616.0`, p(uint64(0)), ErrConvert, "0"}, {`"01:02:03"`, p(time.Hour + 2*time.Minute + 3*time.Second), nil, ""},
		{`{"1":2}`, p(map[int]int{1: 2}), nil, ""}, {`{"x":2}`, p(map[int]int{}), ErrConvert, "map[0:2]"}, {`{"b":[1],"a":null}`, p(Object{{"b", []any{int64(1)}}, {"a", nil}}), nil, ""},
	} {
		read := func(d Dialect) (any, error) {
			dst := reflect.New(reflect.TypeOf(k.dst).Elem())
			err := d.Bind([]byte(`{"v":`+k.in+`}`), Param{"V", dst.Interface()})
			return dst.Elem().Interface(), err
		}
		got, err := read(Dialect{})
		if !errors.Is(err, k.strict) || err == nil && !reflect.DeepEqual(got, reflect.ValueOf(k.dst).Elem().Interface()) && !equalTime(got, k.dst) {
			t.Errorf("%s into %T: %v %v", k.in, k.dst, got, err)
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || !strings.HasPrefix(e.Member, "V") || e.Type == "") {
			t.Errorf("%s into %T: %#v", k.in, k.dst, err)
		}
		if k.strict != nil {
			got, err := read(Dialect{Compat: true})
			if (err != nil) != (k.compat == "!") || err == nil && fmt.Sprint(got) != k.compat {
				t.Errorf("%s into %T under Compat: %v %v", k.in, k.dst, got, err)
			}
		}
	}
}

func p[T any](v T) *T { return &v }

func equalTime(got, want any) bool {
	a, ok := got.(time.Time)
	b, ok2 := want.(*time.Time)
	return ok && ok2 && a.Equal(*b)
}

func TestLenientJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{/*c*/"Id":1}`: "1", `{Id:1,Name:"n"}`: "1", `{"Id":1} trailing`: "1", `{"Id":1,"id":2}`: "2", `{'Id':1}`: "0", "{\"Id\" : 3 // c\n}": "3", ` {"Id":7}`: "7",
		`{"Id":1`: "!", `{"Id":1/`: "!", `{"Id":1//`: "!", `{"ID":1}`: "1", `{"Zone":1}`: "0", `{`: "!", `{"Id"}`: "!", `{"Id":}`: "!", `{"Id":1,}`: "!", `{"Id":1 "x":2}`: "!", `{"Name":"ab`: "!", `{"Id":tru}`: "!", `{"x":{"y":[1,2}}}`: "!", `{"Name":"\u12"}`: "!",
		`{"Name":"\q"}`: "!", `{"x":1:2}`: "!", `{x"Id":1}`: "!", "{\"x\":/*": "!", `{"x":nul,"Id":1}`: "!", `{"Name":"\ud83d\ude00\ud83d"}`: "0",
	} {
		var u User
		err := Dialect{}.Read([]byte(in), &u)
		got := fmt.Sprint(u.Id)
		if err != nil {
			got = "!"
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("%s: %v", in, err)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", in, got, want, err)
		}
		if strings.Contains(in, "d83d") && *u.Name != "\U0001F600\uFFFD" {
			t.Errorf("%q", *u.Name)
		}
	}
	var e *Error
	if err := (Dialect{}).Read([]byte(`{"Friend":{"Tags":["a",{"b":1}]}}`), new(User)); !errors.As(err, &e) || e.Member != "Friend.Tags.1" || e.Type != "string" || e.Offset != 23 {
		t.Error(err)
	}
	if s, ok := FindMember([]byte(`{"a":1,"T":"x","t":"y\n","o":{"p":[1]},"n":null}`), "T"); !ok || s != "y\n" {
		t.Errorf("%q", s)
	}
	for name, want := range map[string]string{"o": `{"p":[1]}`, "A": "1"} {
		if s, ok := FindMember([]byte(`{"a":1,"o":{"p":[1]}}`), name); !ok || s != want {
			t.Errorf("%q", s)
		}
	}
	for _, in := range []string{"", "x", "[1]", `{"a":1}`, `{"t":null}`, `{"t":"x`} {
		if s, ok := FindMember([]byte(in), "t"); ok {
			t.Errorf("%q: %q", in, s)
		}
	}
}
