package binary

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span"
)

// value writes the value at p: through the chain if there is one.
func (e *Encoder) value(n *node, p ptr) {
	if e.Handlers != nil {
		e.chained(n, p)
		return
	}
	e.sized(n, p, n.sz)
}

// sized writes the value at p, whose length is where sz says.
func (e *Encoder) sized(n *node, p ptr, sz sizing) {
	switch n.op {
	case opStruct:
		e.structure(n, p)
	case opString:
		e.stringNode(n, mem.GetString(p), sz)
	case opBytes:
		e.bytes(mem.GetBytes(p), sz)
	case opObject:
		e.object(n, p)
	case opSlice:
		e.list(n, p, sz)
	case opMap:
		e.mapping(n, p, sz)
	case opNullable:
		e.nullable(n, p, sz)
	case opArray:
		e.array(n, p)
	case opByteArray:
		e.b = append(e.b, array(n, p)...)
	case opAny:
		e.any(n, p)
	case opAccessor, opSpan:
		e.methods(n, p)
	case opTime:
		e.time(*at[timeT](p), n.full, n.le, n.varint)
	case opGUID:
		g := at[span.GUID](p)
		e.b = append(e.b, g[:]...)
	default:
		e.scalar(n, p, sz)
	}
}

// scalar writes what is left of the types.
func (e *Encoder) scalar(n *node, p ptr, sz sizing) {
	switch n.op {
	case opBool:
		e.WriteBool(mem.GetBool(p))
	case op8, opInt16, opInt32, opInt64, opInt, opUint, opFloat32, opFloat64:
		e.number(n, p)
	default:
		e.special(n, p, sz)
	}
}

// number writes an integer or float.
func (e *Encoder) number(n *node, p ptr) {
	v := bitsAt(n, p)
	if n.bcd > 0 {
		b, err := appendIntBCD(e.b, v, n.bcd)
		e.b = b
		e.fail(err)
		return
	}
	e.b = appendNumber(e.b, n, v)
}

// bitsAt gives the bits of an integer or float.
func bitsAt(n *node, p ptr) uint64 {
	switch n.op {
	case op8:
		return uint64(mem.Get8(p))
	case opInt16:
		return uint64(mem.Get16(p))
	case opInt32, opFloat32:
		return uint64(mem.Get32(p))
	case opInt64, opFloat64:
		return mem.Get64(p)
	case opInt:
		return uint64(mem.GetInt(p))
	}
	return uint64(mem.GetUint(p))
}

// structure writes a struct that is not the target of a pointer.
func (e *Encoder) structure(n *node, p ptr) {
	if e.UseRef {
		e.marked(n, p)
		return
	}
	e.members(n, p)
}

// members writes the members of a struct.
func (e *Encoder) members(n *node, p ptr) {
	if !e.enter() {
		return
	}
	if n.st.plain && !e.slow() {
		e.plain(n.st, p)
	} else {
		e.tagged(n, p)
	}
	e.level--
}

// stringNode writes a string, which may be BCD.
func (e *Encoder) stringNode(n *node, s string, sz sizing) {
	switch {
	case n.bcd == 0:
		e.string(s, sz)
	case len(s) < 2*n.bcd && !e.Compat: // it would be read with zeros behind
		e.fail(because(ErrRange, "%d digits, bcd=%d takes exactly %d", len(s), n.bcd, 2*n.bcd))
	default:
		e.WriteBCD(s, n.bcd)
	}
}

// string writes text in Options.Encoding.
func (e *Encoder) string(s string, sz sizing) {
	if e.Encoding != nil {
		b, ok := e.encode(s)
		if ok && (sz.Form != binaryplan.Trimmed || e.fixedText(b)) {
			e.raw(b, sz)
		}
		return
	}
	if sz == (sizing{}) && len(s) <= math.MaxInt32 {
		e.b = append(binary.AppendUvarint(e.b, uint64(len(s))), s...)
		return
	}
	e.text = append(e.text[:0], s...)
	if sz.Form != binaryplan.Trimmed || e.fixedText(e.text) {
		e.raw(e.text, sz)
	}
	e.dropText()
}

// encode gives the bytes of text, valid until the next call.
func (e *Encoder) encode(s string) (b []byte, ok bool) {
	var err error
	if e.Compat {
		b, err = appendReplaced(e.Encoding, e.text[:0], s)
	} else {
		b, err = e.Encoding.AppendText(e.text[:0], s)
		if err == nil && !utf8.ValidString(s) {
			err = errors.New("invalid UTF-8 has no form in another encoding")
		}
	}
	if err != nil {
		e.fail(because(ErrRange, "%v", err))
		return nil, false
	}
	e.text = b
	e.dropText()
	return b, true
}

// dropText gives a large scratch back.
func (e *Encoder) dropText() {
	if cap(e.text) > chunk {
		e.text = nil
	}
}

// bytes writes a byte slice.
func (e *Encoder) bytes(b []byte, sz sizing) {
	if b == nil && e.Compat && (sz.Form == binaryplan.Exact || sz.Form == binaryplan.Trimmed) {
		return // NewLife writes nothing, whatever the size
	}
	if sz.Form != binaryplan.Trimmed || e.fixedBytes(b) {
		e.raw(b, sz)
	}
}

// raw writes bytes with their length.
func (e *Encoder) raw(b []byte, sz sizing) {
	switch sz.Form {
	case binaryplan.Prefixed:
		if !e.size(len(b), sz) {
			return
		}
	case binaryplan.Exact, binaryplan.Trimmed:
		e.exact(b, sz)
		return
	case binaryplan.Until:
		e.until(b, byte(sz.End))
		return
	}
	e.b = append(e.b, b...)
	if sz.Form == binaryplan.Rest {
		e.atRest()
	}
}

// exact writes b in sz.N bytes, padded with zeros.
func (e *Encoder) exact(b []byte, sz sizing) {
	n := sz.N
	if len(b) > n && e.Compat {
		b = b[:max(n, 0)]
	}
	if len(b) > n {
		e.fail(because(ErrRange, "%d bytes do not fit in %d", len(b), n))
		return
	}
	e.b = append(e.b, b...)
	e.zeros(n - len(b))
}

func (e *Encoder) zeros(n int) {
	for ; n > 8; n -= 8 {
		e.b = append(e.b, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	for ; n > 0; n-- {
		e.b = append(e.b, 0)
	}
}

// until writes b and the byte that ends it.
func (e *Encoder) until(b []byte, end byte) {
	for _, c := range b {
		if c == end {
			e.fail(because(ErrRange, "the value contains %#02x, which ends it", end))
			return
		}
	}
	e.b = append(append(e.b, b...), end)
}
