package span

import (
	"bytes"
	"math"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/spanwire/spanwire/internal/layout"
)

// More of what generated code calls: values of single kinds.

// MaxDepth is the default limit of how deep types that lie on a cycle may nest.
const MaxDepth = maxDepth

// MaxNanosecond is the largest nanosecond of a second.
const MaxNanosecond = maxNano

// GrowAt returns all the capacity of b, or of a larger copy of its first i bytes,
// with room for n bytes behind index i.
//
//go:noinline
func GrowAt(b []byte, i, n int) []byte {
	if len(b)-i >= n {
		return b
	}
	b = Grow(b[:i], n)
	return b[:cap(b)]
}

// PutBytes stores s behind its length at b[i], where there must be room, and
// returns the index behind it.
func PutBytes[T ~uint8](b []byte, i int, s []T) int {
	i = PutLength(b, i, len(s))
	PutNumbers(b[i:], s)
	return i + len(s)
}

// PutUvarint stores x at b[i] and returns the index behind it.
func PutUvarint(b []byte, i int, x uint64) int {
	if x < 0x80 {
		b[i] = byte(x)
		return i + 1
	}
	return putLongUvarint(b, i, x)
}

//go:noinline
func putLongUvarint(b []byte, i int, x uint64) int {
	for x >= 0x80 {
		b[i] = byte(x) | 0x80
		x >>= 7
		i++
	}
	b[i] = byte(x)
	return i + 1
}

// varint is the integers that the tags varint and zigzag may stand for, save
// int and uint.
type varint interface {
	~int16 | ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// VarintAt reads the uvarint at b[i] into *p and returns the index behind it, or
// below 0 when the plan must decide what it is.
func VarintAt[T varint](b []byte, i int, p *T) int {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		*p = T(b[i])
		return i + 1
	}
	return longVarintAt(b, i, p)
}

//go:noinline
func longVarintAt[T varint](b []byte, i int, p *T) int {
	x, i := longVarint(b, i, reflect.TypeFor[T]().Bits())
	*p = T(x)
	return i
}

// ZigZagAt is VarintAt for the tag zigzag.
func ZigZagAt[T varint](b []byte, i int, p *T) int {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		*p = T(UnZigZag(uint64(b[i])))
		return i + 1
	}
	return longZigZagAt(b, i, p)
}

//go:noinline
func longZigZagAt[T varint](b []byte, i int, p *T) int {
	x, i := longVarint(b, i, reflect.TypeFor[T]().Bits())
	*p = T(UnZigZag(x))
	return i
}

// VarintIntAt is VarintAt for int and uint.
func VarintIntAt[T platformInt](b []byte, i int, p *T) int {
	x, i := longVarint(b, i, 64)
	if *p = T(x); !fits[T](x) {
		return -1
	}
	return i
}

// ZigZagIntAt is ZigZagAt for int and uint.
func ZigZagIntAt[T platformInt](b []byte, i int, p *T) int {
	x, i := longVarint(b, i, 64)
	x = uint64(UnZigZag(x))
	if *p = T(x); !fits[T](x) {
		return -1
	}
	return i
}

// longVarint reads a uvarint of at most width bits.
//
//go:noinline
func longVarint(b []byte, i, width int) (x uint64, next int) {
	if uint(i) >= uint(len(b)) {
		return 0, -1
	}
	x, n := consumeUvarint(b[i:], width, false)
	if n < 0 {
		return 0, -1
	}
	return x, i + n
}

// fits reports whether the 64 bits of an integer are one on this platform.
func fits[T platformInt](x uint64) bool {
	if T(0)-1 < 0 {
		return int64(int(x)) == int64(x)
	}
	return uint64(uint(x)) == x
}

// FitsInt reports whether the int64 at the start of b is an int on this platform.
func FitsInt(b []byte) bool { x := GetUint64(b); return int64(int(x)) == int64(x) }

// FitsIntBE is FitsInt for a number with its highest byte first.
func FitsIntBE(b []byte) bool { x := GetUint64BE(b); return int64(int(x)) == int64(x) }

// FitsUint reports whether the uint64 at the start of b is a uint on this
// platform.
func FitsUint(b []byte) bool { x := GetUint64(b); return uint64(uint(x)) == x }

// FitsUintBE is FitsUint for a number with its highest byte first.
func FitsUintBE(b []byte) bool { x := GetUint64BE(b); return uint64(uint(x)) == x }

func PutFloat32BE(b []byte, v float32) { PutUint32BE(b, math.Float32bits(v)) }
func PutFloat64BE(b []byte, v float64) { PutUint64BE(b, math.Float64bits(v)) }
func GetFloat32BE(b []byte) float32    { return math.Float32frombits(GetUint32BE(b)) }
func GetFloat64BE(b []byte) float64    { return math.Float64frombits(GetUint64BE(b)) }

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

// PutDecimal stores the four words of d.
func PutDecimal(b []byte, d Decimal) {
	PutUint64(b, uint64(d.mid)<<32|uint64(d.lo))
	PutUint64(b[8:], uint64(d.flags)<<32|uint64(d.hi))
}

// FitsDecimal reports whether the last of the four words at the start of b is
// that of a decimal.
func FitsDecimal(b []byte) bool { return Decimal{flags: GetUint32(b[12:])}.valid() }

// GetDecimal loads what PutDecimal stores.
func GetDecimal(b []byte) Decimal {
	return Decimal{GetUint32(b), GetUint32(b[4:]), GetUint32(b[8:]), GetUint32(b[12:])}
}

// FitsPadded reports whether s has a form of n bytes padded with zeros.
func FitsPadded[S ~string | ~[]byte](s S, n int) bool {
	return len(s) <= n && (len(s) == 0 || s[len(s)-1] != 0)
}

// PutPadded fills b with s and zeros.
func PutPadded[S ~string | ~[]byte](b []byte, s S) { clear(b[copy(b, s):]) }

// Unpadded returns the length of b without the zeros at its end.
func Unpadded(b []byte) int { return len(bytes.TrimRight(b, "\x00")) }

// ValidUTF8 reports whether s is valid UTF-8.
func ValidUTF8(s string) bool { return utf8.ValidString(s) }

// EndSized completes what was appended behind one byte reserved at b[start] with
// the number of its bytes, as PutSize does. It returns all the capacity of the
// buffer and the index behind, or one below 0 where the plan must decide.
func EndSized(b []byte, start int) ([]byte, int) {
	b, ok := PutSize(b, start)
	if !ok {
		return b, -1
	}
	return b[:cap(b)], len(b)
}

// EndMarshaled stores data behind its length at b[start], where there must be
// room for a byte. A method may have appended data behind that byte, or have made
// it anywhere. It returns what EndSized does.
func EndMarshaled(b []byte, start int, data []byte) ([]byte, int) {
	at := start + 1
	if len(data) > cap(b)-at {
		b = Grow(b[:at], len(data))
	}
	b = b[:at+len(data)]
	if len(data) > 0 && &data[0] != &b[at] {
		copy(b[at:], data)
	}
	return EndSized(b, start)
}

// ReadJSON sets *v to what its UnmarshalJSON makes of b, whatever was there.
func ReadJSON[P interface {
	*T
	UnmarshalJSON([]byte) error
}, T any](v P, b []byte) error {
	*v = *new(T)
	return v.UnmarshalJSON(b)
}

// ReadGob is ReadJSON for GobDecode.
func ReadGob[P interface {
	*T
	GobDecode([]byte) error
}, T any](v P, b []byte) error {
	*v = *new(T)
	return v.GobDecode(b)
}

// Map returns m without entries, or a new map for n entries, nil for none. Room
// is made for as many as may be there; a larger number is only announced yet.
func Map[M ~map[K]V, K comparable, V any](m M, n int) M {
	switch {
	case m != nil:
		clear(m)
		return m
	case n == 0:
		return nil
	}
	return make(M, mapRoom[V](n))
}

// mapRoom returns how many of n entries with values of type V a new map gets room
// for.
//
//go:noinline
func mapRoom[V any](n int) int {
	if few := 16; n <= few {
		return n
	}
	return min(n, max(aheadOf(reflect.TypeFor[V]())>>6, 1))
}

// Present reads the byte that tells whether a value follows, 0 or 1.
func (r *Reader) Present() bool {
	if b := r.Unread(); len(b) > 0 && b[0] <= 1 {
		r.off++
		return b[0] != 0
	}
	return r.readPresence(false)
}

// PresentLenient is Present for the NewLife profile, where any byte but 0 is
// true.
func (r *Reader) PresentLenient() bool {
	if b := r.Unread(); len(b) > 0 && b[0] <= 1 {
		r.off++
		return b[0] != 0
	}
	return r.readPresence(true)
}

// readPresence is Present with care.
//
//go:noinline
func (r *Reader) readPresence(lenient bool) bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 && (!lenient || r.strict()) {
		r.failAt(r.off-1, because(ErrMalformed, "a presence byte of %d", b[0]))
		return false
	}
	return b[0] != 0
}

// LayoutHash returns a number that changes with what the struct T looks like on
// the wire, 0 where it has no wire form. Generated tests compare it.
func LayoutHash[T any]() uint64 {
	pl := typePlan[T]()
	if pl.err != nil {
		return 0
	}
	n := pl.node
	if n.Op == layout.OpSized {
		n = n.Elem
	}
	if n.Struct == nil {
		return 0
	}
	return n.Struct.Hash()
}
