package binary

import (
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strconv"
	"strings"
)

// lengths applies the options that say how long a member is. Where that is
// always the same the member gets a node of its own.
func (b *builder) lengths(f *field, tg *tag, path string) {
	own := func() *node {
		n := *f.node
		f.node = &n
		b.own = append(b.own, &n)
		return &n
	}
	set := func(sz sizing) {
		n := own()
		n.sz = sz
		n.measure()
		f.min = n.min
	}
	isText := f.node != nil && (f.node.op == opString || f.node.op == opChars)
	isBytes := f.node != nil && f.node.op == opBytes
	isList := f.node != nil && f.node.op == opSlice
	switch {
	case tg.fixed > 0:
		if !isText && !isBytes {
			b.report(path, "the option fixed needs a string or []byte")
			return
		}
		set(sizing{form: sizeTrimmed, n: tg.fixed})
	case tg.rest:
		if !isText && !isBytes && !isList {
			b.report(path, "the option rest needs a string, []byte or slice")
			return
		}
		set(sizing{form: sizeRest})
	case tg.until != nil:
		b.until(f, *tg.until, set, path)
	case tg.bcd > 0:
		b.bcd(f, tg.bcd, own, path)
	case tg.count != "" || len(tg.sizes) > 0:
		if !isText && !isBytes && !isList && (f.node == nil || f.node.op != opMap) {
			b.report(path, "the options size, ref, width and count need a string, []byte, slice or map")
			return
		}
		b.sizes(f, tg, set)
	}
}

func (b *builder) until(f *field, value int64, set func(sizing), path string) {
	n := f.node
	switch {
	case n != nil && (n.op == opString || n.op == opChars || n.op == opBytes):
		if value < 0 || value > 255 {
			b.report(path, "the option until takes a byte here, not %d", value)
		}
	case n == nil || n.op != opSlice || !n.elem.isInt():
		b.report(path, "the option until needs a string, []byte or slice of integers")
		return
	case n.elem.size < 8 && (value < -1<<(8*n.elem.size-1) || value >= 1<<(8*n.elem.size)):
		b.report(path, "the option until takes a %s here, not %d", n.elem.typ, value)
	}
	set(sizing{form: sizeUntil, until: value})
}

func (b *builder) bcd(f *field, size int, own func() *node, path string) {
	switch {
	case f.node != nil && f.node.op == opString:
		own().sz = sizing{form: sizeExact, n: size}
	case f.node != nil && f.node.isInt() && !f.node.signed && size <= 10:
	default:
		b.report(path, "the option bcd needs a string, or an unsigned integer and at most 10 bytes")
		return
	}
	n := own()
	n.bcd, n.min = size, size
	f.min = size
}

// sizes applies FieldSize attributes. One that holds for every version and
// names no member needs nothing at run time.
func (b *builder) sizes(f *field, tg *tag, set func(sizing)) {
	if tg.count != "" || !b.form.fieldSize {
		return // count is linked later
	}
	if s := tg.sizes[0]; s.version == "" && s.ref == "" {
		set(s.sizing(b.form.size))
		return
	}
	for _, s := range tg.sizes {
		f.x.sizes = append(f.x.sizes, sizeCase{version: s.version, sz: s.sizing(b.form.size)})
	}
}

// sizing gives the length of what has no reference.
func (s sizeTag) sizing(prefix sizing) sizing {
	switch {
	case s.size > 0:
		return sizing{form: sizeExact, n: s.size}
	case s.width >= 0:
		prefix.width = int8(s.width)
	}
	return prefix
}

// constant computes the bytes of a const member.
func (b *builder) constant(f *field, text, path string) {
	f.x.want = text
	n := f.node
	bad := func() { b.report(path, "const=%s is no value of this member", text) }
	switch {
	case n == nil:
		bad()
	case n.isInt() && n.bcd == 0:
		v, ok := constInt(text, n)
		if !ok {
			bad()
			return
		}
		f.x.value = &v
		f.x.fixed = appendNumber(nil, n, v)
		f.min = len(f.x.fixed)
	case n.op == opByteArray || n.op == opString || n.op == opBytes:
		raw, ok := constBytes(text)
		size := len(raw)
		if n.op == opByteArray {
			size = n.len
		} else if n.sz.form == sizeExact || n.sz.form == sizeTrimmed {
			size = n.sz.n
		}
		if !ok || len(raw) != size {
			bad()
			return
		}
		f.x.fixed, f.min = raw, len(raw)
	default:
		bad()
	}
}

// constInt reads a number that the node's type holds, as its bits.
func constInt(text string, n *node) (uint64, bool) {
	bits := n.size * 8
	if n.signed {
		v, err := strconv.ParseInt(text, 0, bits)
		return uint64(v) & (1<<bits - 1), err == nil
	}
	v, err := strconv.ParseUint(text, 0, bits)
	return v, err == nil
}

// constBytes reads text, or bytes as 0x and hex digits.
func constBytes(text string) ([]byte, bool) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		raw, err := hex.DecodeString(digits)
		return raw, err == nil
	}
	return []byte(text), true
}

// appendNumber appends an integer or float given as its bits.
func appendNumber(b []byte, n *node, v uint64) []byte {
	switch {
	case n.size == 1:
		return append(b, byte(v))
	case n.varint && n.op != opFloat32 && n.op != opFloat64:
		return binary.AppendUvarint(b, v)
	}
	return appendFixed(b, v, n.size, n.le)
}

// appendFixed appends the low size bytes of v.
func appendFixed(b []byte, v uint64, size int, le bool) []byte {
	switch {
	case size == 2 && le:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case size == 2:
		return binary.BigEndian.AppendUint16(b, uint16(v))
	case size == 4 && le:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	case size == 4:
		return binary.BigEndian.AppendUint32(b, uint32(v))
	case size == 8 && le:
		return binary.LittleEndian.AppendUint64(b, v)
	case size == 8:
		return binary.BigEndian.AppendUint64(b, v)
	}
	return append(b, byte(v))
}

// fixedAt reads what appendFixed has written.
func fixedAt(b []byte, le bool) (v uint64) {
	switch {
	case len(b) == 2 && le:
		return uint64(binary.LittleEndian.Uint16(b))
	case len(b) == 2:
		return uint64(binary.BigEndian.Uint16(b))
	case len(b) == 4 && le:
		return uint64(binary.LittleEndian.Uint32(b))
	case len(b) == 4:
		return uint64(binary.BigEndian.Uint32(b))
	case len(b) == 8 && le:
		return binary.LittleEndian.Uint64(b)
	case len(b) == 8:
		return binary.BigEndian.Uint64(b)
	}
	return uint64(b[0])
}

// sum plans a checksum.
func (b *builder) sum(f *field, tg *tag, path string) {
	s := &sumPlan{name: tg.sum, from: tg.from, slot: -1}
	switch tg.sum {
	case "crc32":
		s.size, s.funct = 4, func(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) }
	case "crc16-modbus":
		s.size, s.funct = 2, func(b []byte) uint64 { return uint64(crc16(b)) }
	case "xor":
		s.size, s.funct = 1, xor
	case "sum8":
		s.size, s.funct = 1, sum8
	default:
		b.report(path, "the option sum takes crc32, crc16-modbus, xor or sum8, not %q", tg.sum)
		return
	}
	if f.node == nil || !f.node.isInt() || f.node.signed || f.node.size != s.size {
		b.report(path, "the option sum=%s needs an unsigned integer of %d bits", tg.sum, 8*s.size)
		return
	}
	f.x.sum = s
}

// crc16 is the checksum of Modbus: polynomial 0x8005 reflected, from 0xffff.
func crc16(b []byte) uint16 {
	crc := uint16(0xffff)
	for _, c := range b {
		crc = crc>>8 ^ crc16Table[byte(crc)^c]
	}
	return crc
}

var crc16Table = func() (t [256]uint16) {
	for i := range t {
		crc := uint16(i)
		for range 8 {
			crc = crc>>1 ^ 0xa001*(crc&1)
		}
		t[i] = crc
	}
	return t
}()

func xor(b []byte) (v uint64) {
	for _, c := range b {
		v ^= uint64(c)
	}
	return v
}

func sum8(b []byte) (v uint64) {
	for _, c := range b {
		v += uint64(c)
	}
	return v & 0xff
}
