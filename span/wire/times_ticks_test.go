package wire_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

const (
	ticksDay = 864_000_000_000
	ticksMax = 3155378975999999999
	kindUTC  = 1 << 62
	kindMask = 3 << 62
)

// TestTicksRecorded has the numbers that DateTime.ToBinary gave.
func TestTicksRecorded(t *testing.T) {
	for _, r := range []struct {
		at   row
		time string
		in   *time.Location
		wire string // little-endian
	}{
		{here(), "zero", time.UTC, "0000000000000000"},
		{here(), "zero", time.Local, "0000000000000000"},
		{here(), "zero", wire.Unspecified(), "0000000000000000"},
		{here(), "2025-01-01T00:00:00Z", time.UTC, "0040313cf729dd48"},
		{here(), "2025-01-01T08:00:00+08:00", nil, "0040313cf729dd48"},
		{here(), "2026-11-30T09:41:07.891Z", time.UTC, "30b0680fc64edf48"},
		{here(), "2025-06-01T12:30:00Z", wire.Unspecified(), "0094a80608a1dd08"},
		{here(), "2025-06-01T12:00:00Z", wire.Unspecified(), "0060c6d503a1dd08"},
		{here(), "1970-01-01T00:00:00Z", time.UTC, "0080b5f7f57f9f48"},
		{here(), "1970-01-01T00:00:01Z", time.UTC, "80164ef8f57f9f48"},
		{here(), "1969-12-31T23:59:59Z", time.UTC, "80e91cf7f57f9f48"},
		{here(), "2038-01-19T03:14:08Z", time.UTC, "0080b5f735cbeb48"},
		{here(), "2106-02-07T06:28:15Z", time.UTC, "80e91cf775163849"},
		{here(), "9999-12-31T23:59:59Z", time.UTC, "80a99ef37528ca6b"},
		{here(), "2025-03-04T00:00:00Z", time.UTC, "00c0cd81af5add48"},
		{here(), "2025-03-04T00:00:00Z", time.Local, "00c0cd81af5add88"},
	} {
		v := at(t, r.time)
		if r.in != nil {
			v = v.In(r.in)
		}
		want := int64(binary.LittleEndian.Uint64(unhex(t, r.wire)))
		if x, ok := wire.TimeTicks(v); !ok || x != want {
			t.Errorf("%s: %#x, %v, want %#x", r.at, x, ok, want)
		}
		loc := r.in
		if loc == nil || v.IsZero() {
			loc = time.UTC
		}
		if back, ok := wire.TimeFromTicks(want); !ok || !back.Equal(v) || back.Location() != loc {
			t.Errorf("%s: reads back as %v, %v", r.at, back, ok)
		}
	}
}

func TestTicksEdges(t *testing.T) {
	minUTC := time.Time{}
	maxUTC := time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	utc, local, none := time.UTC, time.Local, wire.Unspecified()
	const tick, day = 100 * time.Nanosecond, 24 * time.Hour
	for _, r := range []struct {
		at   row
		time time.Time
		in   *time.Location
		want uint64
		ok   bool
	}{
		{here(), maxUTC, utc, kindUTC | ticksMax, true},
		{here(), maxUTC, none, ticksMax, true},
		{here(), maxUTC, local, 1<<63 | ticksMax, true},
		{here(), maxUTC.Add(1), utc, 0, false},
		{here(), maxUTC.Add(1), none, 0, false},
		{here(), maxUTC.Add(1), local, 1<<63 | (ticksMax + 1), true},
		{here(), maxUTC.Add(day), local, 1<<63 | (ticksMax + ticksDay), true},
		{here(), maxUTC.Add(day + 1), local, 0, false},
		{here(), minUTC.Add(1), utc, kindUTC, true},
		{here(), minUTC.Add(tick), utc, kindUTC | 1, true},
		{here(), minUTC.Add(1), none, 0, false}, // not the zero time, but its number
		{here(), minUTC.Add(tick), none, 1, true},
		{here(), minUTC.Add(1), local, 1 << 63, true},
		{here(), minUTC.Add(-1), utc, 0, false},
		{here(), minUTC.Add(-1), none, 0, false},
		{here(), minUTC.Add(-1), local, 1<<63 | (1<<62 - 1), true},
		{here(), minUTC.Add(tick - day), local, 1<<63 | (1<<62 - ticksDay + 1), true},
		{here(), minUTC.Add(-day), local, 0, false},
		{here(), time.Date(2025, 1, 1, 0, 0, 0, 199, utc), utc, 0x48dd29f73c314001, true}, // cut
	} {
		x, ok := wire.TimeTicks(r.time.In(r.in))
		if ok != r.ok || ok && uint64(x) != r.want {
			t.Errorf("%s: %#x, %v", r.at, x, ok)
		}
		if !ok {
			continue
		}
		back, ok := wire.TimeFromTicks(x)
		if d := r.time.Sub(back); !ok || d < 0 || d >= tick || back.Location() != r.in && !back.IsZero() {
			t.Errorf("%s: reads back as %v, %v", r.at, back, ok)
		}
	}
	for _, v := range instants() { // nothing wraps
		for _, loc := range []*time.Location{utc, local, none} {
			x, ok := wire.TimeTicks(v.In(loc))
			sec, slack := v.Unix(), int64(0)
			if loc == local {
				slack = 86400
			}
			want := sec >= -62135596800-slack && sec <= 253402300799+slack
			first := sec == -62135596800 && v.Nanosecond() < 100 && !v.IsZero() && loc == none
			last := loc == local && (sec == -62135596800-slack && v.Nanosecond() < 100)
			if ok != (want && !first && !last) || !ok && x != 0 {
				t.Errorf("%v (%d s, %d ns) in %v: %#x, %v", v, sec, v.Nanosecond(), loc, x, ok)
			}
		}
	}
}

func TestTicksRefused(t *testing.T) {
	for _, r := range []struct {
		at row
		x  uint64
		ok bool
	}{
		{here(), ticksMax, true},
		{here(), ticksMax + 1, false},
		{here(), 1<<62 - 1, false},
		{here(), kindUTC | ticksMax, true},
		{here(), kindUTC | (ticksMax + 1), false},
		{here(), kindUTC | (1<<62 - 1), false},
		{here(), 1<<63 | ticksMax, true},
		{here(), 1<<63 | (ticksMax + ticksDay), true},
		{here(), 1<<63 | (ticksMax + ticksDay + 1), false},
		{here(), 1<<63 | (1<<62 - ticksDay), false},
		{here(), 1<<63 | (1<<62 - ticksDay + 1), true},
		{here(), kindMask | ticksMax, true}, // .NET looks at bit 63 alone
		{here(), 1<<64 - 1, true},
	} {
		if v, ok := wire.TimeFromTicks(int64(r.x)); ok != r.ok || !ok && !v.IsZero() {
			t.Errorf("%s: %v, %v", r.at, v, ok)
		}
	}
	for _, x := range []uint64{0, kindUTC, 1 << 63} { // each kind's first tick is the zero time
		if v, ok := wire.TimeFromTicks(int64(x)); !ok || !v.IsZero() {
			t.Errorf("%#x: %v, %v", x, v, ok)
		}
	}
}

func TestUnspecified(t *testing.T) {
	v := time.Date(2025, 6, 1, 12, 30, 0, 0, wire.Unspecified())
	if !v.Equal(time.Date(2025, 6, 1, 12, 30, 0, 0, time.UTC)) || v.Location().String() != "Unspecified" {
		t.Errorf("%v", v)
	}
	// A zone that merely looks the same is another zone.
	twin := v.In(time.FixedZone("Unspecified", 0))
	if x, ok := wire.TimeTicks(twin); !ok || uint64(x)&kindMask != kindUTC {
		t.Errorf("twin: %#x, %v", x, ok)
	}
}

// TestTicksLocalIsUTC covers programs that set time.Local to time.UTC.
func TestTicksLocalIsUTC(t *testing.T) {
	old := time.Local
	time.Local = time.UTC
	defer func() { time.Local = old }()
	if x, ok := wire.TimeTicks(time.Date(2025, 1, 1, 0, 0, 0, 0, time.Local)); !ok || x != 0x48dd29f73c314000 {
		t.Errorf("%#x, %v", x, ok)
	}
}
