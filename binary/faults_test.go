package binary_test

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// TestFaults holds what this package does by default, and NewLife's own bytes
// under Compat, for every fault of NewLife that the recordings show.
func TestFaults(t *testing.T) {
	ascii, err := ianaindex.IANA.Encoding("us-ascii")
	if err != nil {
		t.Fatal(err)
	}
	type timed struct{ T time.Time }
	type guid struct{ G *span.GUID }
	type middle struct {
		P *stone
		N uint8
	}
	type chars struct{ C binary.Chars }
	type nets struct {
		A netip.Addr
		P netip.AddrPort
	}
	type offset struct{ D binary.DateTimeOffset }
	type duration struct{ D time.Duration }
	type objects struct{ L []*stone }
	type dict struct {
		M map[string]uint8
		N uint8
	}
	type fixed struct {
		S string `binary:"size=3"`
		D []byte `binary:"size=2"`
		N uint8
	}
	type sized struct {
		L uint8
		S string `binary:"ref=L"`
		D []byte `binary:"count=L"`
	}
	type maybes struct{ L []*uint8 }
	type words struct {
		S string
		W string `binary:"fixed=2"`
	}
	one := uint8(7)
	g := span.GUID{0: 1, 15: 2}
	utc := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	fs := binary.Options{UseFieldSize: true}
	for name, c := range map[string]struct {
		v    any
		o    binary.Options
		ours string // "" is an error
		path string
		his  string // "" is an error
	}{
		"before 1970":       {v: &timed{utc("1969-12-31T23:59:59Z")}, path: "T", his: "00000000"},
		"after 2106":        {v: &timed{utc("2106-02-07T06:28:15Z")}, path: "T"},
		"1970":              {v: &timed{utc("1970-01-01T00:00:00Z")}, ours: "00000000", his: "00000000"},
		"nullable guid":     {v: &guid{&g}, ours: "01 01000000000000000000000000000002", his: "01 01 01000000000000000000000000000002"},
		"narrow encoding":   {v: &stone{1, "a汉😀"}, o: binary.Options{Encoding: binary.TextEncoding(ascii)}, path: "Name", his: "00000001 04 613f3f3f"},
		"nil in the middle": {v: &middle{nil, 9}, path: "P", his: "09"},
		"chars":             {v: &chars{"ab"}, ours: "02 6162", his: "00"},
		"chars of width 2":  {v: &chars{"ab"}, o: binary.Options{SizeWidth: 2}, ours: "0002 6162", his: "0000"},
		"addresses": {
			v:    &nets{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddrPort("[2001:db8::1]:80")},
			ours: "04 c0000201 10 20010db8000000000000000000000001 0050",
			his:  "c0000201 20010db8000000000000000000000001 0050",
		},
		"no addresses":           {v: &nets{}, ours: "00 00 0000", his: " "}, // nothing, as of null
		"no addresses, marked":   {v: &nets{}, o: binary.Options{UseRef: true}, ours: "00 00 0000", his: "00 00"},
		"no address with a port": {v: &nets{P: netip.AddrPortFrom(netip.Addr{}, 80)}, ours: "00 00 0050", path: "P"},
		"offset": {
			v:    &offset{binary.DateTimeOffset{Time: utc("2025-01-02T03:04:05+08:00")}},
			ours: "677591a5 000000430e234000",
			his: "67760225 000000430e234000 00000000 00000008 00000000 00000000 00000000 00000000 00000000" +
				"3fd5555555555555 4020000000000000 417b774000000000 421ad27480000000 42ba3185c5000000 407e000000000000 40dc200000000000",
		},
		"duration": {
			v:    &duration{-90 * time.Second},
			ours: "ffffffffca5b1700",
			his: "ffffffffca5b1700 00000000 00000000 00000000 00000000 00000000 ffffffff ffffffe2" +
				"bf51111111111111 bf9999999999999a c0f5f90000000000 c195752a00000000 c234f46b04000000 bff8000000000000 c056800000000000",
		},
		"nil element":        {v: &objects{[]*stone{nil, {1, "a"}}}, path: "L[0]", his: "02 00000001 0161"},
		"nil dictionary":     {v: &dict{nil, 9}, ours: "00 09", his: "09"},
		"length of a byte":   {v: &data{make([]byte, 257)}, o: binary.Options{SizeWidth: 1}, path: "Data", his: "01" + string(bytes.Repeat([]byte("00"), 257))},
		"too long":           {v: &fixed{"abcd", []byte{1}, 9}, o: fs, path: "S", his: "616263 0100 09"},
		"too long bytes":     {v: &fixed{"abc", []byte{1, 2, 3}, 9}, o: fs, path: "D", his: "616263 0102 09"},
		"a cut character":    {v: &fixed{"汉字", nil, 9}, o: fs, path: "S", his: "e6b189 09"},
		"null of fixed size": {v: &fixed{"", nil, 9}, o: fs, ours: "000000 0000 09", his: "000000 09"},
		"null with length":   {v: &sized{L: 2}, o: fs, ours: "00", his: "02 0000"},
		"nullable elements":  {v: &maybes{[]*uint8{&one, nil}}, ours: "02 0107 00", his: "02 07"},
		"fixed string":       {v: &words{"", "abc"}, path: "W", his: "00 6162"},
		"trimmed ends":       {v: &words{"", "a\x00"}, path: "W", his: "00 6100"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.his == "" {
				compat := c.o
				compat.Compat = true
				cannot(t, c.v, compat, binary.ErrRange, c.path)
			} else {
				holds(t, c.v, c.o, true, c.his)
			}
			if c.ours != "" {
				holds(t, c.v, c.o, false, c.ours)
				return
			}
			want := binary.ErrRange
			if name == "nil element" || name == "nil in the middle" {
				want = binary.ErrNil
			}
			cannot(t, c.v, c.o, want, c.path)
		})
	}
}

// holds checks the bytes of a value.
func holds(t *testing.T, v any, o binary.Options, compat bool, want string) {
	t.Helper()
	o.Compat = compat
	b, err := o.Marshal(v)
	if err != nil || !bytes.Equal(b, unhex(want)) {
		t.Errorf("Compat %t: error %v, wrote\n%x, want\n%s", compat, err, b, want)
	}
}

// TestLocalTimes: the seconds of a local time are those of its instant.
func TestLocalTimes(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("UTC+8", 8*3600)
	defer func() { time.Local = local }()
	type timed struct{ T time.Time }
	v := &timed{time.Date(2025, 3, 4, 8, 0, 0, 0, time.Local)}
	holds(t, v, binary.Options{}, false, "67c64280")
	holds(t, v, binary.Options{}, true, "67c6b300")
	holds(t, v, binary.Options{FullTime: true}, false, "88dd5aaf81cdc000")
}

// TestCompatReading: NewLife's own bytes read as NewLife reads them.
func TestCompatReading(t *testing.T) {
	o := binary.Options{Compat: true}
	type timed struct {
		T *time.Time
		D binary.DateTimeOffset
		L time.Duration
	}
	in := timed{new(time.Time), binary.DateTimeOffset{Time: time.Date(2025, 1, 2, 3, 4, 5, 0, time.FixedZone("", -5*3600))}, time.Minute}
	b, err := o.Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out timed
	if err := o.Unmarshal(b, &out); err != nil || out.T != nil || !out.D.Equal(in.D.Time) || out.L != in.L {
		t.Errorf("%+v, %v", out, err)
	}
	var s stone
	if err := o.Unmarshal(unhex("0000"), &s); err != nil || s.Code != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := o.Unmarshal(unhex("00000001 05 61"), &s); err != nil || s.Name != "a\x00\x00\x00\x00" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := o.Unmarshal(unhex("00000001 ffffffff0f"), &s); err != nil || s.Name != "" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := o.Unmarshal(unhex("00000001 80808040"), &s); err == nil {
		t.Error("128 MiB of padding are accepted")
	}
}

func TestTextEncodings(t *testing.T) {
	type m struct {
		A string
		N uint8
		B string `binary:"count=N"`
		C binary.Chars
	}
	gbk := binary.Options{Encoding: binary.TextEncoding(simplifiedchinese.GBK)}
	v := &m{A: "汉字", B: "新", C: "a"}
	roundTrip(t, v, "04 babad7d6 02 d0c2 01 61", gbk)
	var got m
	if err := gbk.Unmarshal(unhex("04 babad7d6 02 d0c2 01 61"), &got); err != nil || got.A != v.A || got.B != v.B || got.N != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	cannot(t, &m{A: "😀"}, gbk, binary.ErrRange, "A")
	trim := binary.Options{TrimZero: true}
	var s stone
	if err := trim.Unmarshal(unhex("00000001 05 0061620000"), &s); err != nil || s.Name != "ab" {
		t.Errorf("%q, %v", s.Name, err)
	}
}
