package span

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
)

// badKey is the step of the path for the key of a map where no value can be
// named by it.
const badKey = "[key]"

// keyStep gives the step of the path of a map's value: ["name"] or [3].
func keyStep(pr *program, p ptr) string {
	const most = 32
	switch {
	case pr.node.Nothing:
		return "[{}]" // the only one
	case pr.node.Op == layout.OpString:
		s := loadString(p, &pr.ops[0])
		if len(s) > most {
			s = strings.ToValidUTF8(s[:most], "") + "…"
		}
		return "[" + strconv.Quote(s) + "]"
	case pr.node.Op == layout.OpInt:
		if o := &pr.ops[0]; o.flags&fSigned != 0 {
			return "[" + strconv.FormatInt(int64(loadInt(p, o)), 10) + "]"
		}
		return "[" + strconv.FormatUint(loadInt(p, &pr.ops[0]), 10) + "]"
	case pr.size > maxRaw:
		return badKey // its text would be as long
	}
	s := fmt.Sprint(typed(p, &op{typ: pr.typ}).Interface())
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return "[" + s + "]"
}

// A keyMaker reads the keys of one map. A key that changes breaks its map, so
// none is made of the input's own memory: in alias mode string keys are parts of
// one copy of all of them, and strings within other keys are copied.
type keyMaker struct {
	o     *op
	own   bool   // alias mode
	arena []byte // the rest of the copy
}

// keyMaker prepares reading count entries.
func (r *Reader) keyMaker(o *op, count int) keyMaker {
	k := keyMaker{o: o, own: r.mode() == AliasStrings}
	if k.own && o.key.node.Op == layout.OpString && o.key.ops[0].code == cString {
		k.arena = make([]byte, 0, r.keyBytes(o, count))
	}
	return k
}

// read reads one key; left counts the keys to come, this one included.
func (k *keyMaker) read(r *Reader, p ptr, left int) {
	key := k.o.key
	if !k.own {
		r.enter(key, p)
		return
	}
	if key.struc || key.ops[0].code != cString {
		r.st &^= rModeMask // CopyStrings
		r.enter(key, p)
		r.st |= readerStatus(AliasStrings)
		return
	}
	if r.enter(key, p); r.st&rFailed != 0 {
		return
	}
	first := &key.ops[0]
	s := loadString(p, first)
	if len(s) > cap(k.arena)-len(k.arena) {
		k.arena = make([]byte, 0, len(s)*min(left, 1+streamBuffer/(len(s)+1)))
	}
	at := len(k.arena)
	k.arena = append(k.arena, s...)
	storeString(p, first, aliasString(k.arena[at:]))
}

// keyBytes gives the bytes of count string keys at the cursor if their values
// can be skipped without being understood, else 0.
func (r *Reader) keyBytes(o *op, count int) int {
	size := o.sub.fixed
	if code := o.sub.ops; size < 0 && (len(code) != 1 || o.sub.struc || code[0].code != cString) {
		return 0
	}
	b, i, total := r.b, r.off, 0
	for range count {
		from := i
		if i = spanrt.SkipString(b, i); i > len(b) {
			return 0
		}
		total += i - from
		if size >= 0 {
			i += size
		} else {
			i = spanrt.SkipString(b, i)
		}
		if uint(i) > uint(len(b)) {
			return 0
		}
	}
	return total
}

// keyOrder compares keys for Options.Deterministic.
type keyOrder struct {
	w    *Writer // whose options apply
	a, b []byte
}

// compare orders two values of a program: structs and arrays part by part,
// numbers and strings by value, all else by the bytes that stand for it.
func (k *keyOrder) compare(pr *program, p, q ptr) int {
	for i := range pr.ones { // of which each can be written alone
		if c := k.values(&pr.ones[i], p, q); c != 0 {
			return c
		}
	}
	return 0
}

// same reports keys of a map that would read back as one: they have the same
// bytes, as one instant in two time zones, and are not NaN, which equals no key.
func (k *keyOrder) same(pr *program, p, q ptr) bool {
	if k.compare(pr, p, q) != 0 {
		return false
	}
	v := typed(p, &op{typ: pr.typ})
	return v.Equal(v)
}

func (k *keyOrder) values(o *op, p, q ptr) int {
	switch o.node.Op {
	case layout.OpBool:
		return cmp.Compare(load8(p, o), load8(q, o))
	case layout.OpInt:
		if x, y := loadInt(p, o), loadInt(q, o); o.flags&fSigned != 0 {
			return cmp.Compare(int64(x), int64(y))
		} else {
			return cmp.Compare(x, y)
		}
	case layout.OpChar:
		return cmp.Compare(load32(p, o), load32(q, o))
	case layout.OpFloat:
		return compareFloats(p, q, o)
	case layout.OpString:
		return strings.Compare(loadString(p, o), loadString(q, o))
	case layout.OpStruct, layout.OpSized:
		return k.compare(o.sub, field(p, o), field(q, o))
	case layout.OpArray:
		if o.code == cRaw {
			return bytes.Compare(loadRaw(p, o), loadRaw(q, o))
		}
		a, b := listData(p, o), listData(q, o)
		for i := range o.length {
			if c := k.compare(o.sub, elem(a, i, o.sub), elem(b, i, o.sub)); c != 0 {
				return c
			}
		}
		return 0
	}
	one := &program{ops: []op{*o}}
	return k.encoded(one, p, q)
}

// compareFloats puts NaNs first, in the order of their bits.
func compareFloats(p, q ptr, o *op) int {
	var x, y float64
	var a, b uint64
	if o.mem == 4 {
		a, b = uint64(load32(p, o)), uint64(load32(q, o))
		x, y = float64(math.Float32frombits(uint32(a))), float64(math.Float32frombits(uint32(b)))
	} else {
		a, b = load64(p, o), load64(q, o)
		x, y = math.Float64frombits(a), math.Float64frombits(b)
	}
	if x != x && y != y {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// encoded orders two values by their bytes.
func (k *keyOrder) encoded(pr *program, p, q ptr) int {
	k.a, k.b = k.encode(k.a, pr, p), k.encode(k.b, pr, q)
	return bytes.Compare(k.a, k.b)
}

// encode writes a value into buf. An error is found again when the map is
// written.
func (k *keyOrder) encode(buf []byte, pr *program, p ptr) []byte {
	var w Writer
	w.b = buf[:0]
	if k.w.x != nil {
		w.state().opts = k.w.x.opts
	}
	w.st = k.w.st & (wSlow | wElems | ^(wOwn - 1))
	w.enter(pr, p)
	return w.b
}
