package spanrt

import (
	"math"
	"reflect"

	"github.com/spanwire/spanwire/span/wire"
)

// PutLength stores n, at most MaxLength, as a uvarint at b[i] and returns the
// index behind it.
func PutLength(b []byte, i, n int) int {
	if n < 0x80 {
		b[i] = byte(n)
		return i + 1
	}
	return putLongLength(b, i, n)
}

//go:noinline
func putLongLength(b []byte, i, n int) int {
	for n >= 0x80 {
		b[i] = byte(n) | 0x80
		n >>= 7
		i++
	}
	b[i] = byte(n)
	return i + 1
}

// LongLength reads a length whose first byte, b[i-1], has its high bit set and
// returns it with the index behind it. A malformed or too long one gives a
// length that no input holds.
//
//go:noinline
func LongLength(b []byte, i int) (n, next int) {
	const none = math.MaxInt32
	u := uint64(b[i-1] & 0x7f)
	for s := uint(7); s < 35 && i < len(b); s += 7 {
		c := b[i]
		i++
		u |= uint64(c&0x7f) << s
		if c < 0x80 {
			if c == 0 || u > MaxLength {
				return none, i
			}
			return int(u), i
		}
	}
	return none, i
}

// SkipString returns the index behind the string at b[i], beyond len(b) when it
// is not all there.
func SkipString(b []byte, i int) int {
	if i >= len(b) {
		return len(b) + 1
	}
	n, i := int(b[i]), i+1
	if n >= 0x80 {
		n, i = LongLength(b, i)
	}
	if n > len(b)-i {
		return len(b) + 1
	}
	return i + n
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
		*p = T(wire.UnZigZag(uint64(b[i])))
		return i + 1
	}
	return longZigZagAt(b, i, p)
}

//go:noinline
func longZigZagAt[T varint](b []byte, i int, p *T) int {
	x, i := longVarint(b, i, reflect.TypeFor[T]().Bits())
	*p = T(wire.UnZigZag(x))
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
	x = uint64(wire.UnZigZag(x))
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
	x, n := wire.ConsumeUvarint(b[i:], width, false)
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
