package wire_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// at parses a time of the tables; "zero" is the zero time.
func at(t testing.TB, s string) time.Time {
	t.Helper()
	if s == "zero" {
		return time.Time{}
	}
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v.UTC()
}

func TestTimeSeconds(t *testing.T) {
	const bad = -1
	for _, r := range []struct {
		at      row
		time    string
		newlife int64 // number in the NewLife profile
		unix    int64 // number under the tag unix
		back    string
	}{
		{here(), "zero", 0, 0, "zero"},
		{here(), "1969-12-31T23:59:59Z", bad, bad, ""},
		{here(), "1969-12-31T23:59:59.999999999Z", bad, bad, ""},
		{here(), "1970-01-01T00:00:00Z", 0, bad, "zero"},
		{here(), "1970-01-01T00:00:00.5Z", 0, bad, "zero"},
		{here(), "1970-01-01T00:00:01Z", 1, 1, "1970-01-01T00:00:01Z"},
		{here(), "1970-01-01T08:00:01+08:00", 1, 1, "1970-01-01T00:00:01Z"},
		{here(), "2001-09-09T01:46:40Z", 1e9, 1e9, "2001-09-09T01:46:40Z"},
		{here(), "2026-11-30T09:41:07.891Z", 0x6b0d44b3, 0x6b0d44b3, "2026-11-30T09:41:07Z"},
		{here(), "2038-12-31T00:00:00Z", 0x81c7f980, 0x81c7f980, "2038-12-31T00:00:00Z"},
		{here(), "2106-02-07T06:28:14Z", 0xfffffffe, 0xfffffffe, "2106-02-07T06:28:14Z"},
		{here(), "2106-02-07T06:28:14.999999999Z", 0xfffffffe, 0xfffffffe, "2106-02-07T06:28:14Z"},
		{here(), "2106-02-07T06:28:15Z", bad, 0xffffffff, "2106-02-07T06:28:15Z"},
		{here(), "2106-02-07T06:28:16Z", bad, bad, ""},
		{here(), "2106-12-31T00:00:00Z", bad, bad, ""},
		{here(), "9999-12-31T23:59:59Z", bad, bad, ""},
		{here(), "0001-01-01T00:00:00.000000001Z", bad, bad, ""},
		{here(), "0001-01-01T00:00:01Z", bad, bad, ""},
	} {
		v := at(t, r.time)
		if x, ok := wire.TimeSeconds(v); ok != (r.newlife != bad) || ok && int64(x) != r.newlife {
			t.Errorf("%s: TimeSeconds %d, %v", r.at, x, ok)
		} else if ok {
			back, ok := wire.TimeFromSeconds(x)
			if want := at(t, r.back); !ok || back != want {
				t.Errorf("%s: TimeFromSeconds %v, %v", r.at, back, ok)
			}
		}
		if x, ok := wire.TimeUnix(v); ok != (r.unix != bad) || ok && int64(x) != r.unix {
			t.Errorf("%s: TimeUnix %d, %v", r.at, x, ok)
		} else if want := at(t, "zero"); ok {
			if r.back != "zero" {
				want = at(t, r.back)
			}
			if back := wire.TimeFromUnix(x); back != want {
				t.Errorf("%s: TimeFromUnix %v", r.at, back)
			}
		}
	}
	if _, ok := wire.TimeFromSeconds(math.MaxUint32); ok {
		t.Error("TimeFromSeconds takes .NET's number for all later times")
	}
}

// instants gives the first and last times that time.Time holds, what lies about
// the ends of our forms, and random times of every magnitude.
func instants() []time.Time {
	var list []time.Time
	for _, sec := range []int64{
		math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, 0, -1, 1, 62135596800,
		-62135596800, -62135596801, -62135596799, -62135683200, -62135683201, 253402300799, 253402300800, 253402387199, 253402387200,
		math.MaxInt64 - 62135596800, math.MinInt64 + 62135596800, math.MinInt64 - -62135596800,
		math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, math.MinInt64 / 1000, math.MinInt64/1000 - 1, math.MinInt64/1000 - 2,
		9223372035, 9223372036, 9223372037, -9223372035, -9223372036, -9223372037, -9223372038, math.MaxUint32, math.MaxUint32 + 1,
	} {
		for _, nsec := range []int64{
			0, 1, 99, 100, 101, 999, 999_999, 1_000_000, 145224191, 145224192, 145224193, 191_999_999, 192_000_000, 193_000_000,
			500_000_000, 806_999_999, 807_000_000, 807_999_999, 808_000_000, 854775806, 854775807, 854775808, 999_999_998, 999_999_999,
		} {
			list = append(list, time.Unix(sec, nsec).UTC())
		}
	}
	for range 5000 {
		sec := rand.Int64() >> rand.N(64)
		if rand.N(2) == 0 {
			sec = -sec
		}
		list = append(list, time.Unix(sec, rand.Int64N(1e9)).UTC())
	}
	return list
}

// floorUnits computes the number of a time without a care for overflow.
func floorUnits(v time.Time, perSecond int64) *big.Int {
	x := new(big.Int).Mul(big.NewInt(v.Unix()), big.NewInt(perSecond))
	return x.Add(x, big.NewInt(int64(v.Nanosecond())/(1e9/perSecond)))
}

func TestTimeUnits(t *testing.T) {
	for _, form := range []struct {
		name string
		per  int64
		to   func(time.Time) (int64, bool)
		from func(int64) time.Time
	}{
		{"milli", 1e3, wire.TimeUnixMilli, wire.TimeFromUnixMilli},
		{"nano", 1e9, wire.TimeUnixNano, wire.TimeFromUnixNano},
	} {
		if x, ok := form.to(time.Time{}); x != math.MinInt64 || !ok || form.from(x) != (time.Time{}) {
			t.Errorf("%s: the zero time is %d, %v", form.name, x, ok)
		}
		for _, v := range instants() {
			if v.IsZero() {
				continue
			}
			want := floorUnits(v, form.per)
			fits := want.IsInt64() && want.Int64() != math.MinInt64
			x, ok := form.to(v)
			if ok != fits || ok && x != want.Int64() {
				t.Fatalf("%s: %v (%d s, %d ns) is %d, %v; want %v", form.name, v, v.Unix(), v.Nanosecond(), x, ok, want)
			}
			if !ok {
				continue
			}
			back := form.from(x)
			if back.Location() != time.UTC || floorUnits(back, form.per).Cmp(want) != 0 || v.Sub(back) < 0 || v.Sub(back) >= time.Duration(1e9/form.per) {
				t.Fatalf("%s: %v reads back as %v", form.name, v, back)
			}
		}
		for range 5000 {
			x := rand.Int64() - math.MaxInt64/2
			if y, ok := form.to(form.from(x)); !ok || y != x {
				t.Fatalf("%s: %d comes back as %d, %v", form.name, x, y, ok)
			}
		}
		for _, x := range []int64{math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 0, 1, -1, 999, 1000, -999, -1000, 1e9, -1e9, 1e9 - 1, 1 - 1e9} {
			if y, ok := form.to(form.from(x)); !ok || y != x {
				t.Errorf("%s: %d comes back as %d, %v", form.name, x, y, ok)
			}
		}
	}
}

func TestTimeFull(t *testing.T) {
	for _, v := range append(instants(), time.Time{}) {
		b := wire.AppendTime(nil, v)
		back, n := wire.ConsumeTime(b)
		if n != 12 || back != v || len(b) != 12 {
			t.Fatalf("%v reads back as %v, %d", v, back, n)
		}
	}
	zone := time.FixedZone("", -3600)
	if back, _ := wire.ConsumeTime(wire.AppendTime(nil, time.Time{}.In(zone))); back != (time.Time{}) {
		t.Errorf("the zero time elsewhere reads back as %v", back)
	}
	for nsec, want := range map[uint32]bool{0: true, 999_999_999: true, 1_000_000_000: false, math.MaxUint32: false} {
		if v, ok := wire.TimeFromFull(5, nsec); ok != want || ok && v != time.Unix(5, int64(nsec)).UTC() {
			t.Errorf("%d ns: %v, %v", nsec, v, ok)
		}
	}
}

func TestTimesAllocs(t *testing.T) {
	v := time.Date(2025, 6, 1, 12, 30, 0, 7, time.UTC)
	noAllocs(t, "times", func() {
		x, _ := wire.TimeSeconds(v)
		v, _ = wire.TimeFromSeconds(x)
		ms, _ := wire.TimeUnixMilli(v)
		v = wire.TimeFromUnixMilli(ms)
		ns, _ := wire.TimeUnixNano(v)
		v = wire.TimeFromUnixNano(ns)
		ticks, _ := wire.TimeTicks(v)
		v, _ = wire.TimeFromTicks(ticks)
		v, _ = wire.TimeFromFull(v.Unix(), uint32(v.Nanosecond()))
	})
}

func FuzzTimes(f *testing.F) {
	f.Add(int64(0), uint32(0))
	f.Add(int64(-62135596800), uint32(0))
	f.Add(int64(math.MinInt64), uint32(999_999_999))
	f.Fuzz(func(t *testing.T, x int64, n uint32) {
		if v, ok := wire.TimeFromFull(x, n); ok != (n <= 999_999_999) || ok && (v.Unix() != x || v.Nanosecond() != int(n)) {
			t.Fatalf("full %d, %d: %v, %v", x, n, v, ok)
		}
		if y, ok := wire.TimeUnixNano(wire.TimeFromUnixNano(x)); !ok || y != x {
			t.Fatalf("nano %d: %d, %v", x, y, ok)
		}
		// The milliseconds of year 1 are the zero time, which has a number of its own.
		if y, ok := wire.TimeUnixMilli(wire.TimeFromUnixMilli(x)); !ok || y != x && x != -62135596800000 {
			t.Fatalf("milli %d: %d, %v", x, y, ok)
		}
		if y, ok := wire.TimeUnix(wire.TimeFromUnix(n)); !ok || y != n {
			t.Fatalf("unix %d: %d, %v", n, y, ok)
		}
		if v, ok := wire.TimeFromSeconds(n); ok != (n != math.MaxUint32) {
			t.Fatalf("seconds %d: %v", n, ok)
		} else if y, okBack := wire.TimeSeconds(v); ok && (!okBack || y != n) {
			t.Fatalf("seconds %d: %d, %v", n, y, okBack)
		}
		v, ok := wire.TimeFromTicks(x)
		if !ok {
			return
		}
		y, ok := wire.TimeTicks(v)
		back, okBack := wire.TimeFromTicks(y)
		if !ok || !okBack || !back.Equal(v) || back.Location() != v.Location() && !v.IsZero() {
			t.Fatalf("ticks %#x: %v gives %#x, then %v", x, v, y, back)
		}
		// .NET reads 11 as 10, and two kinds of the zero time, which is 0.
		if y != x && y != x&^(1<<62) && !v.IsZero() {
			t.Fatalf("ticks %#x: %v gives %#x", x, v, y)
		}
	})
}
