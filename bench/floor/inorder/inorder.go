// Package inorder is the floor in the wire order of package span (Go profile, times tagged
// unixnano): declaration order, uvarint lengths with a slow path, and every check that the format
// demands, written by hand with unsafe loads and stores. It is a measuring stick, not a design.
//
// Simple: id 4 | name | active 1 | nanos 8 | score 8
// Small:  name | nanos 8 | phone | siblings 8 | spouse 1 | money 8
// Nested: id 4 | title | Simple | timestamp 8
package inorder

import (
	"errors"
	"math"
	"time"
	"unsafe"

	"github.com/spanwire/spanwire/bench/floor/model"
)

var (
	ErrShort = errors.New("input ends inside a value")
	ErrBool  = errors.New("bool byte is neither 0 nor 1")
	ErrLen   = errors.New("length is not a shortest uvarint of 31 bits")
	ErrTime  = errors.New("time outside the range of int64 nanoseconds")
)

const (
	maxLen = 5  // longest length prefix
	tail   = 17 // active, nanos, score
	span   = 9223372036
)

type ptr = unsafe.Pointer

func base(b []byte) ptr { return ptr(unsafe.SliceData(b)) }

//go:noinline
func grow(buf []byte, end int) []byte {
	nb := make([]byte, len(buf), end*2)
	copy(nb, buf)
	return nb
}

// nanosSlow is taken by the zero time and by times that do not fit.
//
//go:noinline
func nanosSlow(t time.Time) (int64, bool) { return math.MinInt64, t.IsZero() }

// putLen writes a length of 128 or more at p and returns how many bytes it took.
//
//go:noinline
func putLen(p ptr, n int) int {
	i := 0
	for ; n >= 0x80; i++ {
		*(*byte)(unsafe.Add(p, i)) = byte(n) | 0x80
		n >>= 7
	}
	*(*byte)(unsafe.Add(p, i)) = byte(n)
	return i + 1
}

// lenSlow reads a length whose first byte has its high bit set; k is 0 when it is malformed.
//
//go:noinline
func lenSlow(b []byte, i int) (n, k int) {
	for s := uint(0); s < 35 && i < len(b); s += 7 {
		c := b[i]
		i++
		n |= int(c&0x7f) << s
		if c < 0x80 {
			if c == 0 || n > math.MaxInt32 {
				return 0, 0
			}
			return n, i
		}
	}
	return 0, 0
}

func AppendSimple(buf []byte, v *model.Simple) ([]byte, error) {
	n := len(v.Name)
	off := len(buf)
	if off+4+maxLen+n+tail > cap(buf) {
		buf = grow(buf, off+4+maxLen+n+tail)
	}
	p := unsafe.Add(base(buf[:cap(buf)]), off)
	*(*int32)(p) = v.ID
	i := 5
	if n < 0x80 {
		*(*byte)(unsafe.Add(p, 4)) = byte(n)
	} else {
		i = 4 + putLen(unsafe.Add(p, 4), n)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), n), v.Name)
	i += n
	*(*bool)(unsafe.Add(p, i)) = v.IsActive
	s := v.CreatedAt.Unix()
	x := s*1e9 + int64(v.CreatedAt.Nanosecond())
	if uint64(s+span) >= 2*span {
		ok := false
		if x, ok = nanosSlow(v.CreatedAt); !ok {
			return buf[:off], ErrTime
		}
	}
	*(*int64)(unsafe.Add(p, i+1)) = x
	*(*float64)(unsafe.Add(p, i+9)) = v.Score
	return buf[:off+i+tail], nil
}

func setTime(t *time.Time, x int64) {
	if x == math.MinInt64 {
		*t = time.Time{}
		return
	}
	*t = time.Unix(0, x).UTC()
}

// ReadSimple reads one Simple from the front of b; the name aliases b.
func ReadSimple(b []byte, v *model.Simple) (int, error) {
	if len(b) < 5+tail {
		return 0, ErrShort
	}
	p := base(b)
	n, i := int(*(*byte)(unsafe.Add(p, 4))), 5
	if n >= 0x80 {
		if n, i = lenSlow(b, 4); i == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-i-tail < n {
		return 0, ErrShort
	}
	q := unsafe.Add(p, i+n)
	if *(*byte)(q) > 1 {
		return 0, ErrBool
	}
	v.ID = *(*int32)(p)
	v.Name = unsafe.String((*byte)(unsafe.Add(p, i)), n)
	v.IsActive = *(*bool)(q)
	setTime(&v.CreatedAt, *(*int64)(unsafe.Add(q, 1)))
	v.Score = *(*float64)(unsafe.Add(q, 9))
	return i + n + tail, nil
}

// ReadSimpleCopy is ReadSimple with a copied name.
func ReadSimpleCopy(b []byte, v *model.Simple) (int, error) {
	if len(b) < 5+tail {
		return 0, ErrShort
	}
	p := base(b)
	n, i := int(*(*byte)(unsafe.Add(p, 4))), 5
	if n >= 0x80 {
		if n, i = lenSlow(b, 4); i == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-i-tail < n {
		return 0, ErrShort
	}
	q := unsafe.Add(p, i+n)
	if *(*byte)(q) > 1 {
		return 0, ErrBool
	}
	v.ID = *(*int32)(p)
	v.Name = string(b[i : i+n])
	v.IsActive = *(*bool)(q)
	setTime(&v.CreatedAt, *(*int64)(unsafe.Add(q, 1)))
	v.Score = *(*float64)(unsafe.Add(q, 9))
	return i + n + tail, nil
}

func AppendSmall(buf []byte, v *model.Small) ([]byte, error) {
	n, m := len(v.Name), len(v.Phone)
	off := len(buf)
	if most := off + 2*maxLen + n + m + 25; most > cap(buf) {
		buf = grow(buf, most)
	}
	p := unsafe.Add(base(buf[:cap(buf)]), off)
	i := 1
	if n < 0x80 {
		*(*byte)(p) = byte(n)
	} else {
		i = putLen(p, n)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), n), v.Name)
	i += n
	s := v.BirthDay.Unix()
	x := s*1e9 + int64(v.BirthDay.Nanosecond())
	if uint64(s+span) >= 2*span {
		ok := false
		if x, ok = nanosSlow(v.BirthDay); !ok {
			return buf[:off], ErrTime
		}
	}
	*(*int64)(unsafe.Add(p, i)) = x
	if m < 0x80 {
		*(*byte)(unsafe.Add(p, i+8)) = byte(m)
		i += 9
	} else {
		i += 8 + putLen(unsafe.Add(p, i+8), m)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), m), v.Phone)
	i += m
	*(*int64)(unsafe.Add(p, i)) = int64(v.Siblings)
	*(*bool)(unsafe.Add(p, i+8)) = v.Spouse
	*(*float64)(unsafe.Add(p, i+9)) = v.Money
	return buf[:off+i+17], nil
}

// ReadSmall reads one Small; strings alias b.
func ReadSmall(b []byte, v *model.Small) (int, error) {
	if len(b) < 27 {
		return 0, ErrShort
	}
	p := base(b)
	n, i := int(*(*byte)(p)), 1
	if n >= 0x80 {
		if n, i = lenSlow(b, 0); i == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-i-26 < n {
		return 0, ErrShort
	}
	q := unsafe.Add(p, i+n)
	m, j := int(*(*byte)(unsafe.Add(q, 8))), i+n+9
	if m >= 0x80 {
		if m, j = lenSlow(b, i+n+8); j == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-j-17 < m {
		return 0, ErrShort
	}
	r := unsafe.Add(p, j+m)
	if *(*byte)(unsafe.Add(r, 8)) > 1 {
		return 0, ErrBool
	}
	v.Name = unsafe.String((*byte)(unsafe.Add(p, i)), n)
	setTime(&v.BirthDay, *(*int64)(q))
	v.Phone = unsafe.String((*byte)(unsafe.Add(p, j)), m)
	v.Siblings = int(*(*int64)(r))
	v.Spouse = *(*bool)(unsafe.Add(r, 8))
	v.Money = *(*float64)(unsafe.Add(r, 9))
	return j + m + 17, nil
}

// ReadSmallShared copies the two strings' stretch of the message once; they share the copy.
func ReadSmallShared(b []byte, v *model.Small) (int, error) {
	k, err := ReadSmall(b, v)
	if err != nil {
		return 0, err
	}
	n, m := len(v.Name), len(v.Phone)
	j := k - 17 - m
	i := int(uintptr(ptr(unsafe.StringData(v.Name))) - uintptr(base(b)))
	s := string(b[i : j+m])
	v.Name, v.Phone = s[:n], s[j-i:]
	return k, nil
}

// ReadSmallCopy allocates each string.
func ReadSmallCopy(b []byte, v *model.Small) (int, error) {
	k, err := ReadSmall(b, v)
	if err != nil {
		return 0, err
	}
	n, m := len(v.Name), len(v.Phone)
	j := k - 17 - m
	i := int(uintptr(ptr(unsafe.StringData(v.Name))) - uintptr(base(b)))
	v.Name, v.Phone = string(b[i:i+n]), string(b[j:j+m])
	return k, nil
}
