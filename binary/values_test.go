package binary_test

import (
	"errors"
	"math/bits"
	"net/netip"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
)

func TestDates(t *testing.T) {
	for text, days := range map[string]binary.Date{
		"0001-01-01": 0, "0001-12-31": 364, "1970-01-01": 719162, "2024-02-29": 738944, "9999-12-31": 3652058,
	} {
		var d binary.Date
		if err := d.UnmarshalText([]byte(text)); err != nil || d != days || d.String() != text {
			t.Errorf("%s: %d, %v, %v", text, d, d, err)
		}
		if back := binary.DateOf(d.Time().In(time.FixedZone("", 3600))); back != d {
			t.Errorf("%s: %v", text, back)
		}
	}
	if d := binary.DateOf(time.Date(2025, 1, 2, 23, 59, 59, 0, time.FixedZone("", -36000))); d.String() != "2025-01-02" {
		t.Errorf("the date is that of the clock: %v", d)
	}
	var d binary.Date
	if err := d.UnmarshalText([]byte("2025-02-30")); err == nil {
		t.Errorf("%v", d)
	}
	type dated struct {
		D binary.Date
		T binary.TimeOfDay
	}
	cannot(t, &dated{D: -1}, binary.Options{}, binary.ErrRange, "D")
	cannot(t, &dated{D: 3652059}, binary.Options{}, binary.ErrRange, "D")
	cannot(t, &dated{T: 864000000000}, binary.Options{}, binary.ErrRange, "T")
	cannot(t, &dated{T: -1}, binary.Options{}, binary.ErrRange, "T")
	refuses[dated](t, "ffffffff", binary.Options{}, binary.ErrRange, "D")
	refuses[dated](t, "00000000 ffffffffffffffff", binary.Options{}, binary.ErrRange, "T")
	tod := binary.TimeOfDayOf(time.Date(2025, 1, 2, 3, 4, 5, 678912399, time.UTC))
	if tod != 110456789123 || tod.String() != "03:04:05.6789123" || tod.Duration() != 11045678912300 {
		t.Errorf("%d %v %d", tod, tod, tod.Duration())
	}
}

func TestDurations(t *testing.T) {
	type m struct{ D time.Duration }
	roundTrip(t, &m{-100}, "ffffffffffffffff", binary.Options{})
	cannot(t, &m{150}, binary.Options{}, binary.ErrRange, "D")
	refuses[m](t, "7fffffffffffffff", binary.Options{}, binary.ErrRange, "D")
}

func TestDateTimeOffset(t *testing.T) {
	var d binary.DateTimeOffset
	if err := d.UnmarshalText([]byte("2025-01-02T03:04:05.5-05:30")); err != nil {
		t.Fatal(err)
	}
	if text, err := d.MarshalText(); string(text) != "2025-01-02T03:04:05.5-05:30" || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	type m struct{ D binary.DateTimeOffset }
	b, err := binary.Options{FullTime: true}.Marshal(&m{d})
	var got m
	if err == nil {
		err = binary.Options{FullTime: true}.Unmarshal(b, &got)
	}
	if err != nil || !got.D.Equal(d.Time) || got.D.String() != d.String() {
		t.Errorf("%v, %v", got, err)
	}
	for _, seconds := range []int{30, 15 * 3600, -14*3600 - 60} {
		at := time.Date(2025, 1, 2, 0, 0, 0, 0, time.FixedZone("", seconds))
		cannot(t, &m{binary.DateTimeOffset{Time: at}}, binary.Options{}, binary.ErrRange, "D")
	}
	refuses[m](t, "67760225 0000000000000001", binary.Options{}, binary.ErrRange, "D")
}

func TestAddresses(t *testing.T) {
	type m struct {
		A netip.Addr
		P netip.AddrPort
	}
	roundTrip(t, &m{netip.MustParseAddr("::ffff:1.2.3.4"), netip.MustParseAddrPort("1.2.3.4:5")},
		"10 00000000000000000000ffff01020304 04 01020304 0005", binary.Options{})
	cannot(t, &m{A: netip.MustParseAddr("fe80::1%eth0")}, binary.Options{}, binary.ErrRange, "A")
	refuses[m](t, "05 0102030405", binary.Options{}, binary.ErrMalformed, "A")
}

func TestPlatformIntegers(t *testing.T) {
	type m struct {
		I int
		U uint
	}
	roundTrip(t, &m{-1, 1}, "ffffffffffffffff 0000000000000001", binary.Options{})
	roundTrip(t, &m{-1, 1}, "ffffffffffffffffff01 01", binary.Options{EncodeInt: true})
	var v m
	err := binary.Unmarshal(unhex("0000000100000000 0000000100000000"), &v)
	if fits := bits.UintSize == 64; fits != (err == nil) || err != nil && !errors.Is(err, binary.ErrRange) {
		t.Errorf("%+v, %v", v, err)
	}
}
