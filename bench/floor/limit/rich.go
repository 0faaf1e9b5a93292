package limit

import (
	"time"
	"unsafe"

	"github.com/spanwire/spanwire/bench/floor/model"
)

// Nested wire: id | ts | inner(id,nano,score,active) | len title | len name | title | name
const nestedFixed = 4 + 8 + simpleFixed + 2

func AppendNested(buf []byte, v *model.Nested) []byte {
	n, m := len(v.Title), len(v.Inner.Name)
	if n|m >= 0x80 {
		panic("long")
	}
	off := len(buf)
	end := off + nestedFixed + n + m
	if end > cap(buf) {
		buf = grow(buf, end)
	}
	buf = buf[:end]
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
	*(*int32)(p) = v.ID
	*(*int64)(unsafe.Add(p, 4)) = v.Timestamp
	*(*int32)(unsafe.Add(p, 12)) = v.Inner.ID
	*(*int64)(unsafe.Add(p, 16)) = v.Inner.CreatedAt.UnixNano()
	*(*float64)(unsafe.Add(p, 24)) = v.Inner.Score
	*(*bool)(unsafe.Add(p, 32)) = v.Inner.IsActive
	*(*byte)(unsafe.Add(p, 33)) = byte(n)
	*(*byte)(unsafe.Add(p, 34)) = byte(m)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 35)), n), v.Title)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 35+n)), m), v.Inner.Name)
	return buf
}

func ReadNestedZC(b []byte, v *model.Nested) (int, error) {
	if len(b) < nestedFixed {
		return 0, ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	n, m := int(*(*byte)(unsafe.Add(p, 33))), int(*(*byte)(unsafe.Add(p, 34)))
	if n|m >= 0x80 || len(b) < nestedFixed+n+m {
		return 0, ErrShort
	}
	v.ID = *(*int32)(p)
	v.Timestamp = *(*int64)(unsafe.Add(p, 4))
	v.Inner.ID = *(*int32)(unsafe.Add(p, 12))
	v.Inner.CreatedAt = time.Unix(0, *(*int64)(unsafe.Add(p, 16))).UTC()
	v.Inner.Score = *(*float64)(unsafe.Add(p, 24))
	v.Inner.IsActive = *(*byte)(unsafe.Add(p, 32)) != 0
	v.Title = unsafe.String((*byte)(unsafe.Add(p, 35)), n)
	v.Inner.Name = unsafe.String((*byte)(unsafe.Add(p, 35+n)), m)
	return nestedFixed + n + m, nil
}

func ReadNestedCopy1(b []byte, v *model.Nested) (int, error) {
	k, err := ReadNestedZC(b, v)
	if err != nil {
		return 0, err
	}
	n := len(v.Title)
	s := string(b[nestedFixed:k])
	v.Title, v.Inner.Name = s[:n], s[n:]
	return k, nil
}

// ReadNestedCopy2 allocates the two strings separately (what peers do).
func ReadNestedCopy2(b []byte, v *model.Nested) (int, error) {
	k, err := ReadNestedZC(b, v)
	if err != nil {
		return 0, err
	}
	n := len(v.Title)
	v.Title = string(b[nestedFixed : nestedFixed+n])
	v.Inner.Name = string(b[nestedFixed+n : k])
	return k, nil
}

func need(buf []byte, n int) ([]byte, unsafe.Pointer) {
	off := len(buf)
	if off+n > cap(buf) {
		buf = grow(buf, off+n)
	}
	buf = buf[:off+n]
	return buf, unsafe.Add(unsafe.Pointer(unsafe.SliceData(buf)), off)
}

// Rich wire: uuid16 | u32 nInts,nStrs,nMap,nBlob,hasPtr,nList | ints (memmove) | blob | strs | map | ptr | list
func AppendRich(buf []byte, v *model.Rich) []byte {
	ni, nb := len(v.Ints), len(v.Blob)
	buf, p := need(buf, 16+24+8*ni+nb)
	*(*[16]byte)(p) = v.UUID
	h := (*[6]uint32)(unsafe.Add(p, 16))
	h[0], h[1], h[2], h[3], h[5] = uint32(ni), uint32(len(v.Strs)), uint32(len(v.M)), uint32(nb), uint32(len(v.List))
	if v.Ptr != nil {
		h[4] = 1
	} else {
		h[4] = 0
	}
	copy(unsafe.Slice((*int64)(unsafe.Add(p, 40)), ni), v.Ints)
	copy(unsafe.Slice((*byte)(unsafe.Add(p, 40+8*ni)), nb), v.Blob)
	for _, s := range v.Strs {
		n := len(s)
		if n >= 0x80 {
			panic("long")
		}
		buf, p = need(buf, 1+n)
		*(*byte)(p) = byte(n)
		copy(unsafe.Slice((*byte)(unsafe.Add(p, 1)), n), s)
	}
	for k, x := range v.M {
		n := len(k)
		if n >= 0x80 {
			panic("long")
		}
		buf, p = need(buf, 5+n)
		*(*int32)(p) = x
		*(*byte)(unsafe.Add(p, 4)) = byte(n)
		copy(unsafe.Slice((*byte)(unsafe.Add(p, 5)), n), k)
	}
	if v.Ptr != nil {
		buf = AppendNested(buf, v.Ptr)
	}
	for i := range v.List {
		buf = AppendNested(buf, &v.List[i])
	}
	return buf
}

func ReadRichZC(b []byte, v *model.Rich) error {
	if len(b) < 40 {
		return ErrShort
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	h := *(*[6]uint32)(unsafe.Add(p, 16))
	ni, nb := int(h[0]), int(h[3])
	if len(b)-40 < 8*ni+nb {
		return ErrShort
	}
	v.UUID = *(*[16]byte)(p)
	if cap(v.Ints) < ni {
		v.Ints = make([]int64, ni)
	}
	v.Ints = v.Ints[:ni]
	copy(v.Ints, unsafe.Slice((*int64)(unsafe.Add(p, 40)), ni))
	v.Blob = append(v.Blob[:0], b[40+8*ni:40+8*ni+nb]...)
	b = b[40+8*ni+nb:]
	ns := int(h[1])
	if ns > len(b) {
		return ErrShort
	}
	if cap(v.Strs) < ns {
		v.Strs = make([]string, ns)
	}
	v.Strs = v.Strs[:ns]
	for i := range v.Strs {
		if len(b) < 1 {
			return ErrShort
		}
		n := int(b[0])
		if n >= 0x80 || len(b) < 1+n {
			return ErrShort
		}
		v.Strs[i] = unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), 1)), n)
		b = b[1+n:]
	}
	nm := int(h[2])
	if nm > len(b)/5 {
		return ErrShort
	}
	if v.M == nil {
		v.M = make(map[string]int32, nm)
	} else {
		clear(v.M)
	}
	for i := 0; i < nm; i++ {
		if len(b) < 5 {
			return ErrShort
		}
		p := unsafe.Pointer(unsafe.SliceData(b))
		n := int(*(*byte)(unsafe.Add(p, 4)))
		if n >= 0x80 || len(b) < 5+n {
			return ErrShort
		}
		v.M[unsafe.String((*byte)(unsafe.Add(p, 5)), n)] = *(*int32)(p)
		b = b[5+n:]
	}
	if h[4] != 0 {
		if v.Ptr == nil {
			v.Ptr = new(model.Nested)
		}
		k, err := ReadNestedZC(b, v.Ptr)
		if err != nil {
			return err
		}
		b = b[k:]
	} else {
		v.Ptr = nil
	}
	nl := int(h[5])
	if nl > len(b)/nestedFixed {
		return ErrShort
	}
	if cap(v.List) < nl {
		v.List = make([]model.Nested, nl)
	}
	v.List = v.List[:nl]
	for i := range v.List {
		k, err := ReadNestedZC(b, &v.List[i])
		if err != nil {
			return err
		}
		b = b[k:]
	}
	return nil
}

// ReadRichArena: one allocation (private copy of the input), then alias.
func ReadRichArena(b []byte, v *model.Rich) error { return ReadRichZC(append([]byte(nil), b...), v) }
