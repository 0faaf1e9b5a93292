package inorder

import (
	"unsafe"

	"github.com/spanwire/spanwire/bench/floor/model"
)

const (
	simpleMin = 5 + tail
	nestedMin = 5 + simpleMin + 8
)

// Nested: id 4 | title | inner id 4 | name | active, nanos, score | timestamp 8
func AppendNested(buf []byte, v *model.Nested) ([]byte, error) {
	n, m := len(v.Title), len(v.Inner.Name)
	off := len(buf)
	if most := off + 8 + 2*maxLen + n + m + tail + 8; most > cap(buf) {
		buf = grow(buf, most)
	}
	p := unsafe.Add(base(buf[:cap(buf)]), off)
	*(*int32)(p) = v.ID
	i := 5
	if n < 0x80 {
		*(*byte)(unsafe.Add(p, 4)) = byte(n)
	} else {
		i = 4 + putLen(unsafe.Add(p, 4), n)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), n), v.Title)
	i += n
	*(*int32)(unsafe.Add(p, i)) = v.Inner.ID
	if m < 0x80 {
		*(*byte)(unsafe.Add(p, i+4)) = byte(m)
		i += 5
	} else {
		i += 4 + putLen(unsafe.Add(p, i+4), m)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), m), v.Inner.Name)
	i += m
	*(*bool)(unsafe.Add(p, i)) = v.Inner.IsActive
	s := v.Inner.CreatedAt.Unix()
	x := s*1e9 + int64(v.Inner.CreatedAt.Nanosecond())
	if uint64(s+span) >= 2*span {
		ok := false
		if x, ok = nanosSlow(v.Inner.CreatedAt); !ok {
			return buf[:off], ErrTime
		}
	}
	*(*int64)(unsafe.Add(p, i+1)) = x
	*(*float64)(unsafe.Add(p, i+9)) = v.Inner.Score
	*(*int64)(unsafe.Add(p, i+17)) = v.Timestamp
	return buf[:off+i+25], nil
}

// ReadNested reads one Nested from the front of b; strings alias b.
func ReadNested(b []byte, v *model.Nested) (int, error) {
	if len(b) < nestedMin {
		return 0, ErrShort
	}
	p := base(b)
	n, i := int(*(*byte)(unsafe.Add(p, 4))), 5
	if n >= 0x80 {
		if n, i = lenSlow(b, 4); i == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-i-simpleMin-8 < n {
		return 0, ErrShort
	}
	q := i + n
	m, j := int(*(*byte)(unsafe.Add(p, q+4))), q+5
	if m >= 0x80 {
		if m, j = lenSlow(b, q+4); j == 0 {
			return 0, ErrLen
		}
	}
	if len(b)-j-tail-8 < m {
		return 0, ErrShort
	}
	r := unsafe.Add(p, j+m)
	if *(*byte)(r) > 1 {
		return 0, ErrBool
	}
	v.ID = *(*int32)(p)
	v.Title = unsafe.String((*byte)(unsafe.Add(p, i)), n)
	v.Inner.ID = *(*int32)(unsafe.Add(p, q))
	v.Inner.Name = unsafe.String((*byte)(unsafe.Add(p, j)), m)
	v.Inner.IsActive = *(*bool)(r)
	setTime(&v.Inner.CreatedAt, *(*int64)(unsafe.Add(r, 1)))
	v.Inner.Score = *(*float64)(unsafe.Add(r, 9))
	v.Timestamp = *(*int64)(unsafe.Add(r, 17))
	return j + m + 25, nil
}

func nestedStrings(b []byte, v *model.Nested, k int) (i, n, j, m int) {
	n, m = len(v.Title), len(v.Inner.Name)
	return int(uintptr(ptr(unsafe.StringData(v.Title))) - uintptr(base(b))), n, k - 25 - m, m
}

// ReadNestedShared copies the stretch that holds both strings once.
func ReadNestedShared(b []byte, v *model.Nested) (int, error) {
	k, err := ReadNested(b, v)
	if err != nil {
		return 0, err
	}
	i, n, j, m := nestedStrings(b, v, k)
	s := string(b[i : j+m])
	v.Title, v.Inner.Name = s[:n], s[j-i:]
	return k, nil
}

// ReadNestedCopy allocates each string.
func ReadNestedCopy(b []byte, v *model.Nested) (int, error) {
	k, err := ReadNested(b, v)
	if err != nil {
		return 0, err
	}
	i, n, j, m := nestedStrings(b, v, k)
	v.Title, v.Inner.Name = string(b[i:i+n]), string(b[j:j+m])
	return k, nil
}

// need makes room for n bytes behind buf and returns the room's address; the caller extends buf.
func need(buf []byte, n int) ([]byte, ptr) {
	off := len(buf)
	if off+n > cap(buf) {
		buf = grow(buf, off+n)
	}
	return buf, unsafe.Add(base(buf[:cap(buf)]), off)
}

func appendLen(buf []byte, n int) []byte {
	buf, p := need(buf, maxLen)
	if n < 0x80 {
		*(*byte)(p) = byte(n)
		return buf[:len(buf)+1]
	}
	return buf[:len(buf)+putLen(p, n)]
}

func appendString(buf []byte, s string) []byte {
	n := len(s)
	buf, p := need(buf, maxLen+n)
	i := 1
	if n < 0x80 {
		*(*byte)(p) = byte(n)
	} else {
		i = putLen(p, n)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(p, i)), n), s)
	return buf[:len(buf)+i+n]
}

// readLen reads a length or count at b[i] and checks it against what is left, each item taking at least min.
func readLen(b []byte, i, min int) (n, k int, err error) {
	if i >= len(b) {
		return 0, 0, ErrShort
	}
	n, k = int(b[i]), i+1
	if n >= 0x80 {
		if n, k = lenSlow(b, i); k == 0 {
			return 0, 0, ErrLen
		}
	}
	if n > (len(b)-k)/min {
		return 0, 0, ErrShort
	}
	return n, k, nil
}

func AppendBatch(buf []byte, v *model.Batch) ([]byte, error) {
	buf = appendLen(buf, len(v.Items))
	var err error
	for i := range v.Items {
		if buf, err = AppendSimple(buf, &v.Items[i]); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

func readBatch(b []byte, v *model.Batch, read func([]byte, *model.Simple) (int, error)) error {
	n, i, err := readLen(b, 0, simpleMin)
	if err != nil {
		return err
	}
	if cap(v.Items) < n {
		v.Items = make([]model.Simple, n)
	}
	v.Items = v.Items[:n]
	for j := range v.Items {
		k, err := read(b[i:], &v.Items[j])
		if err != nil {
			return err
		}
		i += k
	}
	return nil
}

func ReadBatch(b []byte, v *model.Batch) error     { return readBatch(b, v, ReadSimple) }
func ReadBatchCopy(b []byte, v *model.Batch) error { return readBatch(b, v, ReadSimpleCopy) }
func ReadBatchShared(b []byte, v *model.Batch) error {
	return ReadBatch(append([]byte(nil), b...), v)
}

// Rich: ints | strings | map | blob | uuid | presence, Nested | list of Nested
func AppendRich(buf []byte, v *model.Rich) ([]byte, error) {
	n := len(v.Ints)
	buf = appendLen(buf, n)
	buf, p := need(buf, 8*n)
	copy(unsafe.Slice((*int64)(p), n), v.Ints)
	buf = buf[:len(buf)+8*n]
	buf = appendLen(buf, len(v.Strs))
	for _, s := range v.Strs {
		buf = appendString(buf, s)
	}
	buf = appendLen(buf, len(v.M))
	for k, x := range v.M {
		buf = appendString(buf, k)
		buf, p = need(buf, 4)
		*(*int32)(p) = x
		buf = buf[:len(buf)+4]
	}
	buf = append(appendLen(buf, len(v.Blob)), v.Blob...)
	buf = append(buf, v.UUID[:]...)
	var err error
	if v.Ptr == nil {
		buf = append(buf, 0)
	} else if buf, err = AppendNested(append(buf, 1), v.Ptr); err != nil {
		return buf, err
	}
	buf = appendLen(buf, len(v.List))
	for i := range v.List {
		if buf, err = AppendNested(buf, &v.List[i]); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// ReadRich aliases strings; map keys share one private copy, since a changed key breaks its map.
func ReadRich(b []byte, v *model.Rich) error {
	n, i, err := readLen(b, 0, 8)
	if err != nil {
		return err
	}
	if cap(v.Ints) < n {
		v.Ints = make([]int64, n)
	}
	v.Ints = v.Ints[:n]
	if n > 0 {
		copy(v.Ints, unsafe.Slice((*int64)(unsafe.Add(base(b), i)), n))
	}
	i += 8 * n
	if n, i, err = readLen(b, i, 1); err != nil {
		return err
	}
	if cap(v.Strs) < n {
		v.Strs = make([]string, n)
	}
	v.Strs = v.Strs[:n]
	for j := range v.Strs {
		if n, i, err = readLen(b, i, 1); err != nil {
			return err
		}
		v.Strs[j] = ""
		if n > 0 {
			v.Strs[j] = unsafe.String(&b[i], n)
		}
		i += n
	}
	count, start, err := readLen(b, i, 5)
	if err != nil {
		return err
	}
	i = start
	for j := 0; j < count; j++ {
		if n, i, err = readLen(b, i, 1); err != nil {
			return err
		}
		if i += n + 4; i > len(b) {
			return ErrShort
		}
	}
	if v.M == nil {
		v.M = make(map[string]int32, count)
	} else {
		clear(v.M)
	}
	keys := string(b[start:i])
	for j, at := 0, 0; j < count; j++ {
		n, k, _ := readLen(b, start+at, 1)
		at = k - start
		v.M[keys[at:at+n]] = *(*int32)(unsafe.Add(base(b), k+n))
		at += n + 4
	}
	if n, i, err = readLen(b, i, 1); err != nil {
		return err
	}
	v.Blob = append(v.Blob[:0], b[i:i+n]...)
	i += n
	if len(b)-i < 17 {
		return ErrShort
	}
	v.UUID = *(*[16]byte)(unsafe.Add(base(b), i))
	i += 17
	switch b[i-1] {
	case 0:
		v.Ptr = nil
	case 1:
		if v.Ptr == nil {
			v.Ptr = new(model.Nested)
		}
		k, err := ReadNested(b[i:], v.Ptr)
		if err != nil {
			return err
		}
		i += k
	default:
		return ErrBool
	}
	if n, i, err = readLen(b, i, nestedMin); err != nil {
		return err
	}
	if cap(v.List) < n {
		v.List = make([]model.Nested, n)
	}
	v.List = v.List[:n]
	for j := range v.List {
		k, err := ReadNested(b[i:], &v.List[j])
		if err != nil {
			return err
		}
		i += k
	}
	return nil
}

// ReadRichShared copies the input once, then aliases the copy.
func ReadRichShared(b []byte, v *model.Rich) error { return ReadRich(append([]byte(nil), b...), v) }
