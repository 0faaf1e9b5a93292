// Package limit is the hand-written "physical limit" baseline: positional
// format, fixed fields first, one capacity check per message, unsafe stores.
//
// Simple wire: int32 id | int64 unix-nano | float64 score | byte active | uvarint len | name
package limit

import (
	"errors"
	"time"
	"unsafe"

	"github.com/spanwire/spanwire/bench/floor/model"
)

var ErrShort = errors.New("short buffer")

const simpleFixed = 4 + 8 + 8 + 1

// ---- variant A: idiomatic unsafe, UnixNano / time.Unix(0,n).UTC(), memmove for string ----

func AppendSimple(buf []byte, v *model.Simple) []byte {
	n := len(v.Name)
	if n >= 0x80 {
		return appendSimpleSlow(buf, v)
	}
	off := len(buf)
	end := off + simpleFixed + 1 + n
	if end > cap(buf) {
		buf = grow(buf, end)
	}
	buf = buf[:end]
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
	*(*int32)(p) = v.ID
	*(*int64)(unsafe.Add(p, 4)) = v.CreatedAt.UnixNano()
	*(*float64)(unsafe.Add(p, 12)) = v.Score
	*(*bool)(unsafe.Add(p, 20)) = v.IsActive
	*(*byte)(unsafe.Add(p, 21)) = byte(n)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 22)), n), v.Name)
	return buf
}

//go:noinline
func grow(buf []byte, end int) []byte {
	nb := make([]byte, len(buf), end*2)
	copy(nb, buf)
	return nb
}

//go:noinline
func appendSimpleSlow(buf []byte, v *model.Simple) []byte { panic("long strings not needed here") }

// ReadSimpleCopy copies the string.
func ReadSimpleCopy(b []byte, v *model.Simple) (int, error) {
	if len(b) < simpleFixed+1 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n := int(*(*byte)(unsafe.Add(p, 21)))
	if n >= 0x80 || len(b) < simpleFixed+1+n {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	v.CreatedAt = time.Unix(0, *(*int64)(unsafe.Add(p, 4))).UTC()
	v.Score = *(*float64)(unsafe.Add(p, 12))
	v.IsActive = *(*byte)(unsafe.Add(p, 20)) != 0
	v.Name = string(b[22 : 22+n])
	return 22 + n, nil
}

// ReadSimpleCopyReuse copies the string unless the destination already holds the
// same bytes (string interning against the reused object).
func ReadSimpleCopyReuse(b []byte, v *model.Simple) (int, error) {
	if len(b) < simpleFixed+1 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n := int(*(*byte)(unsafe.Add(p, 21)))
	if n >= 0x80 || len(b) < simpleFixed+1+n {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	v.CreatedAt = time.Unix(0, *(*int64)(unsafe.Add(p, 4))).UTC()
	v.Score = *(*float64)(unsafe.Add(p, 12))
	v.IsActive = *(*byte)(unsafe.Add(p, 20)) != 0
	if s := b[22 : 22+n]; string(s) != v.Name {
		v.Name = string(s)
	}
	return 22 + n, nil
}

// ReadSimpleZC aliases the string to the input buffer.
func ReadSimpleZC(b []byte, v *model.Simple) (int, error) {
	if len(b) < simpleFixed+1 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n := int(*(*byte)(unsafe.Add(p, 21)))
	if n >= 0x80 || len(b) < simpleFixed+1+n {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	v.CreatedAt = time.Unix(0, *(*int64)(unsafe.Add(p, 4))).UTC()
	v.Score = *(*float64)(unsafe.Add(p, 12))
	v.IsActive = *(*byte)(unsafe.Add(p, 20)) != 0
	v.Name = unsafe.String((*byte)(unsafe.Add(p, 22)), n)
	return 22 + n, nil
}

// ---- variant B: sec+nsec on the wire (no div/mul by 1e9), inline short-string copy ----
// wire: int32 id | int64 sec | uint32 nsec | float64 score | byte active | len | name

const simpleFixedB = 4 + 8 + 4 + 8 + 1

func AppendSimpleB(buf []byte, v *model.Simple) []byte {
	n := len(v.Name)
	if n >= 0x80 {
		return appendSimpleSlow(buf, v)
	}
	off := len(buf)
	end := off + simpleFixedB + 1 + n
	if end > cap(buf) {
		buf = grow(buf, end)
	}
	buf = buf[:end]
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
	*(*int32)(p) = v.ID
	*(*int64)(unsafe.Add(p, 4)) = v.CreatedAt.Unix()
	*(*uint32)(unsafe.Add(p, 12)) = uint32(v.CreatedAt.Nanosecond())
	*(*float64)(unsafe.Add(p, 16)) = v.Score
	*(*bool)(unsafe.Add(p, 24)) = v.IsActive
	*(*byte)(unsafe.Add(p, 25)) = byte(n)
	shortCopy(unsafe.Add(p, 26), unsafe.Pointer(unsafe.StringData(v.Name)), n)
	return buf
}

// shortCopy copies n (<128) bytes with overlapping word moves up to 32 bytes.
func shortCopy(d, s unsafe.Pointer, n int) {
	switch {
	case n >= 8:
		if n > 16 {
			copy(unsafe.Slice((*byte)(d), n), unsafe.Slice((*byte)(s), n))
			return
		}
		a := *(*uint64)(s)
		b := *(*uint64)(unsafe.Add(s, n-8))
		*(*uint64)(d) = a
		*(*uint64)(unsafe.Add(d, n-8)) = b
	case n >= 4:
		a := *(*uint32)(s)
		b := *(*uint32)(unsafe.Add(s, n-4))
		*(*uint32)(d) = a
		*(*uint32)(unsafe.Add(d, n-4)) = b
	case n >= 2:
		a := *(*uint16)(s)
		b := *(*uint16)(unsafe.Add(s, n-2))
		*(*uint16)(d) = a
		*(*uint16)(unsafe.Add(d, n-2)) = b
	case n == 1:
		*(*byte)(d) = *(*byte)(s)
	}
}

func ReadSimpleBZC(b []byte, v *model.Simple) (int, error) {
	if len(b) < simpleFixedB+1 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n := int(*(*byte)(unsafe.Add(p, 25)))
	if n >= 0x80 || len(b) < simpleFixedB+1+n {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	v.CreatedAt = time.Unix(*(*int64)(unsafe.Add(p, 4)), int64(*(*uint32)(unsafe.Add(p, 12)))).UTC()
	v.Score = *(*float64)(unsafe.Add(p, 16))
	v.IsActive = *(*byte)(unsafe.Add(p, 24)) != 0
	v.Name = unsafe.String((*byte)(unsafe.Add(p, 26)), n)
	return 26 + n, nil
}

// ---- variant C: time.Time layout hack (wall/ext words), layout-dependent ----

type timeRep struct {
	wall uint64
	ext  int64
	loc  *time.Location
}

const hasMono = 1 << 63
const unixToInternal int64 = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400

func AppendSimpleC(buf []byte, v *model.Simple) []byte {
	t := (*timeRep)(unsafe.Pointer(&v.CreatedAt))
	n := len(v.Name)
	if n >= 0x80 || t.wall&hasMono != 0 {
		return appendSimpleSlow(buf, v)
	}
	off := len(buf)
	end := off + simpleFixedB + 1 + n
	if end > cap(buf) {
		buf = grow(buf, end)
	}
	buf = buf[:end]
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
	*(*int32)(p) = v.ID
	*(*int64)(unsafe.Add(p, 4)) = t.ext - unixToInternal
	*(*uint32)(unsafe.Add(p, 12)) = uint32(t.wall)
	*(*float64)(unsafe.Add(p, 16)) = v.Score
	*(*bool)(unsafe.Add(p, 24)) = v.IsActive
	*(*byte)(unsafe.Add(p, 25)) = byte(n)
	shortCopy(unsafe.Add(p, 26), unsafe.Pointer(unsafe.StringData(v.Name)), n)
	return buf
}

func ReadSimpleCZC(b []byte, v *model.Simple) (int, error) {
	if len(b) < simpleFixedB+1 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n := int(*(*byte)(unsafe.Add(p, 25)))
	ns := *(*uint32)(unsafe.Add(p, 12))
	if n >= 0x80 || len(b) < simpleFixedB+1+n || ns > 999999999 {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	t := (*timeRep)(unsafe.Pointer(&v.CreatedAt))
	t.wall = uint64(ns)
	t.ext = *(*int64)(unsafe.Add(p, 4)) + unixToInternal
	if t.loc != nil {
		t.loc = nil
	}
	v.Score = *(*float64)(unsafe.Add(p, 16))
	v.IsActive = *(*byte)(unsafe.Add(p, 24)) != 0
	v.Name = unsafe.String((*byte)(unsafe.Add(p, 26)), n)
	return 26 + n, nil
}

// ---- Small (GOSER) ----
// wire: nano | siblings int64 | money | spouse | len name | len phone | name | phone

func AppendSmall(buf []byte, v *model.Small) []byte {
	n, m := len(v.Name), len(v.Phone)
	if n|m >= 0x80 {
		panic("long")
	}
	off := len(buf)
	end := off + 27 + n + m
	if end > cap(buf) {
		buf = grow(buf, end)
	}
	buf = buf[:end]
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
	*(*int64)(p) = v.BirthDay.UnixNano()
	*(*int64)(unsafe.Add(p, 8)) = int64(v.Siblings)
	*(*float64)(unsafe.Add(p, 16)) = v.Money
	*(*bool)(unsafe.Add(p, 24)) = v.Spouse
	*(*byte)(unsafe.Add(p, 25)) = byte(n)
	*(*byte)(unsafe.Add(p, 26)) = byte(m)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 27)), n), v.Name)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 27+n)), m), v.Phone)
	return buf
}

func ReadSmallZC(b []byte, v *model.Small) (int, error) {
	if len(b) < 27 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n, m := int(*(*byte)(unsafe.Add(p, 25))), int(*(*byte)(unsafe.Add(p, 26)))
	if n|m >= 0x80 || len(b) < 27+n+m {
		return 0, ErrShort
	}
	v.BirthDay = time.Unix(0, *(*int64)(p)).UTC()
	v.Siblings = int(*(*int64)(unsafe.Add(p, 8)))
	v.Money = *(*float64)(unsafe.Add(p, 16))
	v.Spouse = *(*byte)(unsafe.Add(p, 24)) != 0
	v.Name = unsafe.String((*byte)(unsafe.Add(p, 27)), n)
	v.Phone = unsafe.String((*byte)(unsafe.Add(p, 27+n)), m)
	return 27 + n + m, nil
}

func ReadSmallCopy(b []byte, v *model.Small) (int, error) {
	if len(b) < 27 {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n, m := int(*(*byte)(unsafe.Add(p, 25))), int(*(*byte)(unsafe.Add(p, 26)))
	if n|m >= 0x80 || len(b) < 27+n+m {
		return 0, ErrShort
	}
	v.BirthDay = time.Unix(0, *(*int64)(p)).UTC()
	v.Siblings = int(*(*int64)(unsafe.Add(p, 8)))
	v.Money = *(*float64)(unsafe.Add(p, 16))
	v.Spouse = *(*byte)(unsafe.Add(p, 24)) != 0
	// one allocation for both strings
	s := string(b[27 : 27+n+m])
	v.Name = s[:n]
	v.Phone = s[n:]
	return 27 + n + m, nil
}

// ---- Batch ----

func AppendBatch(buf []byte, v *model.Batch) []byte {
	buf = append(buf, 0, 0, 0, 0)
	*(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), len(buf)-4)) = uint32(len(v.Items))
	for i := range v.Items {
		buf = AppendSimple(buf, &v.Items[i])
	}
	return buf
}

func ReadBatch(b []byte, v *model.Batch, rd func([]byte, *model.Simple) (int, error)) error {
	if len(b) < 4 {
		return ErrShort
	}
	n := int(*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))))
	b = b[4:]
	if n > len(b)/(simpleFixed+1) {
		return ErrShort
	}
	if cap(v.Items) < n {
		v.Items = make([]model.Simple, n)
	}
	v.Items = v.Items[:n]
	for i := range v.Items {
		k, err := rd(b, &v.Items[i])
		if err != nil {
			return err
		}
		b = b[k:]
	}
	return nil
}

func ReadBatchZC(b []byte, v *model.Batch) error {
	if len(b) < 4 {
		return ErrShort
	}
	n := int(*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))))
	b = b[4:]
	if n > len(b)/(simpleFixed+1) {
		return ErrShort
	}
	if cap(v.Items) < n {
		v.Items = make([]model.Simple, n)
	}
	v.Items = v.Items[:n]
	for i := range v.Items {
		k, err := ReadSimpleZC(b, &v.Items[i])
		if err != nil {
			return err
		}
		b = b[k:]
	}
	return nil
}

func ReadBatchCopy(b []byte, v *model.Batch) error {
	if len(b) < 4 {
		return ErrShort
	}
	n := int(*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))))
	b = b[4:]
	if n > len(b)/(simpleFixed+1) {
		return ErrShort
	}
	if cap(v.Items) < n {
		v.Items = make([]model.Simple, n)
	}
	v.Items = v.Items[:n]
	for i := range v.Items {
		k, err := ReadSimpleCopy(b, &v.Items[i])
		if err != nil {
			return err
		}
		b = b[k:]
	}
	return nil
}

// ReadBatchArena copies the whole input once and aliases all strings into that
// private copy: safe strings, one allocation per batch.
func ReadBatchArena(b []byte, v *model.Batch) error {
	return ReadBatchZC(append([]byte(nil), b...), v)
}
