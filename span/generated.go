package span

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
)

// This file is what generated code calls beside the public entry points. All
// of it is exported because generated code lives in other packages; hand-written
// code has no need of it. Generated code is the fast path only: whenever
// something is out of the ordinary - the input may end, a value may be out of
// range, options are set - it hands the struct to its plan (AppendPlan, WritePlan,
// ReadPlan), which knows every rule and finds the exact error.

// GeneratedCodeVersion1 exists as long as this package supports code that
// spangen has generated for version 1. When its absence stops a build, run
// go generate again with the spangen of this module's version.
const GeneratedCodeVersion1 = 1

// RunGoGenerate is called with the structs that generated code was made for, each as
// it was then. A call that does not compile tells of a struct that has changed
// since: run go generate.
func RunGoGenerate[Struct any](Struct) {}

// MaxLength is the longest string, byte slice, list or map that has a wire form.
const MaxLength = maxLength

// Bool returns the byte of v.
func Bool(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// The PutX functions store a value in the first bytes of b, little-endian; b
// must be long enough.

func PutUint16(b []byte, v uint16)   { binary.LittleEndian.PutUint16(b, v) }
func PutUint32(b []byte, v uint32)   { binary.LittleEndian.PutUint32(b, v) }
func PutUint64(b []byte, v uint64)   { binary.LittleEndian.PutUint64(b, v) }
func PutUint16BE(b []byte, v uint16) { binary.BigEndian.PutUint16(b, v) }
func PutUint32BE(b []byte, v uint32) { binary.BigEndian.PutUint32(b, v) }
func PutUint64BE(b []byte, v uint64) { binary.BigEndian.PutUint64(b, v) }

// The GetX functions load a value from the first bytes of b, little-endian; b
// must be long enough.

func GetUint16(b []byte) uint16   { return binary.LittleEndian.Uint16(b) }
func GetUint32(b []byte) uint32   { return binary.LittleEndian.Uint32(b) }
func GetUint64(b []byte) uint64   { return binary.LittleEndian.Uint64(b) }
func GetUint16BE(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func GetUint32BE(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func GetUint64BE(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

func PutFloat32(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) }
func PutFloat64(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }
func GetFloat32(b []byte) float32    { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
func GetFloat64(b []byte) float64    { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

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
			if c == 0 || u > maxLength {
				return none, i
			}
			return int(u), i
		}
	}
	return none, i
}

// Grow returns b with room for n more bytes behind its length. When it must
// reallocate it at least doubles, so that repeated calls cost linear time.
//
//go:noinline
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	c := make([]byte, len(b), max(len(b)+n, 2*cap(b), 64))
	copy(c, b)
	return c
}

// Unread returns the bytes that are in memory and not yet read; none when the
// Reader has failed or when options are set that only the plan obeys. Skip
// moves past them.
func (r *Reader) Unread() []byte {
	if r.st&rSlow != 0 || r.off >= len(r.b) {
		return nil
	}
	return At(r.b, r.off)
}

// Skip moves past n bytes of Unread.
func (r *Reader) Skip(n int) { r.off += n }

// EnterElems marks that elements of a list or map are being read, where the
// input may not end early; LeaveElems takes its result.
func (r *Reader) EnterElems() (was bool) {
	was = r.st&rElems != 0
	r.st |= rElems
	return was
}

// LeaveElems undoes EnterElems.
func (r *Reader) LeaveElems(was bool) {
	if !was {
		r.st &^= rElems
	}
}

// Direct returns the buffer to append to, and false when something is set that
// only the plan obeys. Put takes what was appended.
func (w *Writer) Direct() ([]byte, bool) {
	return w.b, w.st&(wFailed|wSlow|wFlush|wLimit) == 0
}

// Put takes the result of AppendSpan on the buffer that Direct gave. It is false
// where that does not fit into a fixed buffer: the plan then finds the field.
func (w *Writer) Put(b []byte, err error) bool {
	if err != nil {
		w.putError(err)
		return true
	}
	if w.st&wFixed != 0 {
		return w.putFixed(b)
	}
	w.b = b
	return true
}

// putError records an error, whose offset counts from the value's start.
func (w *Writer) putError(err error) {
	if e, ok := err.(*Error); ok && e.Offset >= 0 {
		e.Offset += w.Len()
	}
	w.Fail(err)
}

// putFixed brings b, which append may have moved, back into the fixed buffer.
func (w *Writer) putFixed(b []byte) bool {
	n := len(w.b)
	if len(b) > cap(w.b) {
		return false
	}
	w.b = w.b[:len(b)]
	if len(b) > n && &w.b[n] != &b[n] {
		copy(w.b[n:], b[n:])
	}
	return true
}

// Depth returns how many levels have been entered.
func (w *Writer) Depth() int { return int(w.st / wDepth) }

// UnixNano returns the nanoseconds of a time given as t.Unix() and
// t.Nanosecond(), and whether they are sure to fit: when not, the plan decides.
func UnixNano(sec int64, nsec int) (int64, bool) {
	const span = 9223372036
	return sec*1e9 + int64(nsec), uint64(sec+span) < 2*span
}

// List returns s with length n, or with as many elements as 64 KiB hold, fewer for
// lists of lists, when its capacity is smaller than n: memory follows the bytes
// that are there.
// Extend adds more. The elements that s has are read into again; those between
// its length and its capacity may be others' by now, so they are new.
func List[T any](s []T, n int) []T {
	if n == len(s) {
		return s[:n] // which stores nothing where s is what it is assigned to
	}
	return makeList(s, n)
}

//go:noinline
func makeList[T any](s []T, n int) []T {
	have := len(s)
	if n < have {
		clear(s[n:]) // what they held need not live as long as s
		return s[:n]
	}
	size := int(reflect.TypeFor[T]().Size())
	if size > 0 && n > cap(s) {
		n = min(n, max(cap(s), aheadOf(reflect.TypeFor[T]())/size, 1))
	}
	if n <= cap(s) {
		s = s[:n]
		clear(s[have:])
		return s
	}
	l := make([]T, n)
	copy(l, s)
	return l
}

// Extend returns s with more elements: twice as many, n at most.
//
//go:noinline
func Extend[T any](s []T, n int) []T {
	l := make([]T, min(n, max(2*len(s), 1)))
	copy(l, s)
	return l
}

// Keys makes the string keys of one map. In alias mode they share one private
// copy, since a key that changes breaks its map.
//
// It does not hold the Reader: what the keys are made of flows into the map,
// and the Reader would have to live on the heap with them.
type Keys struct {
	copy []byte // the entries' bytes
	at   int    // where they begin in Unread
}

// Keys prepares reading count entries that begin at b[i]; each value takes size
// bytes, or is itself a string or byte slice when size is below 0.
func (r *Reader) Keys(b []byte, i, count, size int) Keys {
	k := Keys{at: i}
	if StringMode(r.st) != AliasStrings || count == 0 {
		return k
	}
	end := i
	for range count {
		if end = skipString(b, end); size < 0 {
			end = skipString(b, end)
		} else {
			end += size
		}
		if end > len(b) || end < 0 {
			return Keys{at: i} // malformed: the caller finds out
		}
	}
	k.copy = cloneBytes(b[i:end])
	return k
}

// skipString returns the index behind the string at b[i], beyond len(b) when it
// is not all there.
func skipString(b []byte, i int) int {
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

// String returns the key b[i:i+n] of what r reads.
func (k *Keys) String(r *Reader, b []byte, i, n int) string {
	if k.copy != nil {
		return aliasString(k.copy[i-k.at : i-k.at+n])
	}
	if StringMode(r.st) == AliasStrings {
		return string(b[i : i+n])
	}
	return r.ownString(i, n, -1)
}

// Index returns the path step of element i, "[3]".
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// Within puts a step in front of the path of an error that AppendSpan of a
// nested value gave, before bytes behind the start of the enclosing one.
func Within(err error, step string, before int) error {
	e, ok := own(err)
	if !ok {
		e = &Error{Op: "marshal", Err: err}
	}
	e.within(step)
	e.settle()
	if e.Offset >= 0 {
		e.Offset += int64(before)
	}
	return e
}
