package spanrt

import (
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// PutTime stores a time given as t.Unix() and t.Nanosecond().
func PutTime(b []byte, sec int64, nsec int) {
	PutUint64(b, uint64(sec))
	PutUint32(b[8:], uint32(nsec))
}

// GetTime loads what PutTime stores; at most MaxNanosecond nanoseconds are known
// to be there.
func GetTime(b []byte) time.Time {
	return time.Unix(int64(GetUint64(b)), int64(GetUint32(b[8:]))).UTC()
}

// UnixNano returns the nanoseconds of a time given as t.Unix() and
// t.Nanosecond(), and whether they are sure to fit: when not, the plan decides.
func UnixNano(sec int64, nsec int) (int64, bool) {
	const span = 9223372036
	return sec*1e9 + int64(nsec), uint64(sec+span) < 2*span
}

// FitsDecimal reports whether the last of the four words at the start of b is
// that of a decimal.
func FitsDecimal(b []byte) bool { return wire.ValidDecimal(GetUint32(b[12:])) }

// The functions of package wire that generated code calls, under their names.

func SizeUvarint(v uint64) int                   { return wire.SizeUvarint(v) }
func SizeLength(n int) int                       { return wire.SizeLength(n) }
func SizeString(s string) int                    { return wire.SizeString(s) }
func ZigZag(v int64) uint64                      { return wire.ZigZag(v) }
func TimeSeconds(t time.Time) (uint32, bool)     { return wire.TimeSeconds(t) }
func TimeFromSeconds(x uint32) (time.Time, bool) { return wire.TimeFromSeconds(x) }
func TimeUnix(t time.Time) (uint32, bool)        { return wire.TimeUnix(t) }
func TimeFromUnix(x uint32) time.Time            { return wire.TimeFromUnix(x) }
func TimeUnixMilli(t time.Time) (int64, bool)    { return wire.TimeUnixMilli(t) }
func TimeFromUnixMilli(x int64) time.Time        { return wire.TimeFromUnixMilli(x) }
func TimeUnixNano(t time.Time) (int64, bool)     { return wire.TimeUnixNano(t) }
func TimeFromUnixNano(x int64) time.Time         { return wire.TimeFromUnixNano(x) }
func TimeTicks(t time.Time) (int64, bool)        { return wire.TimeTicks(t) }
func TimeFromTicks(x int64) (time.Time, bool)    { return wire.TimeFromTicks(x) }
