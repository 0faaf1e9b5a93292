package binary

import (
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/spanwire/spanwire/span"
)

// object reads what a pointer to a struct points to; at the end of the input it
// is nil.
func (d *Decoder) object(n *node, p ptr) {
	if d.UseRef && n.elem.op == opStruct {
		d.referred(n, p)
		return
	}
	if n.elem.empty || !d.more() {
		if d.err == nil {
			setNil(n, p)
		}
		return
	}
	q, ok := load(p)
	if !ok {
		q = alloc(n, p)
	}
	d.value(n.elem, q)
}

// referred reads an object under Options.UseRef. It is always a new one.
func (d *Decoder) referred(n *node, p ptr) {
	if len(d.hosts) == 0 {
		d.hosted(n.elem, alloc(n, p))
		return
	}
	if !d.more() {
		if d.err == nil {
			setNil(n, p)
		}
		return
	}
	start := d.off
	k := d.size(d.prefix())
	switch {
	case d.err != nil:
	case k == 0:
		setNil(n, p)
	case k == len(d.hosts)+1:
		d.hosted(n.elem, alloc(n, p))
	case k > len(d.hosts):
		d.off = start
		d.fail(because(ErrMalformed, "a reference to object %d of %d", k, len(d.hosts)))
	default:
		h := d.hosts[len(d.hosts)-k]
		if h.n.typ != n.elem.typ {
			d.off = start
			d.fail(because(ErrMalformed, "a reference to a %s where a %s belongs", h.n.typ, n.elem.typ))
			return
		}
		setPtr(p, h.p)
	}
}

// nullable reads the flag of a Nullable and its value.
func (d *Decoder) nullable(n *node, p ptr, sz sizing) {
	present := d.ReadBool()
	if d.err != nil {
		return
	}
	if !present {
		setNil(n, p)
		return
	}
	if n.elem.op == opGUID && d.Compat {
		d.ReadBool() // NewLife writes it twice
	}
	q, ok := load(p)
	if !ok {
		q = alloc(n, p)
	}
	if sz == n.sz {
		d.value(n.elem, q)
	} else {
		d.sized(n.elem, q, sz)
	}
	if n.elem.op == opTime && d.Compat && at[timeT](q).IsZero() {
		setNil(n, p) // NewLife reads null
	}
}

// list reads the elements of a slice.
func (d *Decoder) list(n *node, p ptr, sz sizing) {
	count := sz.n
	switch sz.form {
	case sizePrefix:
		count = d.size(sz)
	case sizeUntil, sizeRest:
		d.openList(n, p, sz)
		return
	}
	if d.holds(count, n.elem.min); d.err != nil {
		return
	}
	if n.elem.min == 0 && count > maxEmpty && d.Handlers == nil {
		d.fail(because(ErrLimit, "%d elements that may take no byte", count))
		return
	}
	v := valueOf(n, p)
	if count <= v.Cap() {
		v.SetLen(count)
	} else {
		d.grow(n, v, count)
	}
	d.elements(n, p, v, count)
}

// grow makes a list longer, by at most 64 KiB beyond what it has.
func (d *Decoder) grow(n *node, v reflect.Value, count int) {
	have := v.Len()
	room := max(chunk/max(int(n.stride), 1), have, 1)
	if v.Cap() > have {
		room = max(room, v.Cap()-have)
	}
	size := min(count, have+room)
	l := reflect.MakeSlice(n.typ, size, size)
	reflect.Copy(l, v.Slice(0, v.Cap()))
	v.Set(l)
}

// elements reads count elements; v is the list, as long as it has grown so far.
func (d *Decoder) elements(n *node, p ptr, v reflect.Value, count int) {
	if !d.enter() {
		return
	}
	d.inner++
	l, have := list(n, p), v.Len()
	for i := range count {
		if i == have {
			d.grow(n, v, count)
			l, have = list(n, p), v.Len()
		}
		d.element(n, item(n, l, i), i)
		if d.err != nil {
			v.SetLen(i)
			d.at("[" + strconv.Itoa(i) + "]")
			return
		}
	}
	d.inner--
	d.level--
}

// element reads one element, for which there must be input.
func (d *Decoder) element(n *node, q ptr, i int) {
	at := d.off
	switch {
	case n.elem.min > 0 && !d.more(), n.elem.op == opObject && !n.elem.elem.empty && !d.more():
		d.fail(io.ErrUnexpectedEOF)
	case n.elem.op == opStruct && !d.UseRef && d.Handlers == nil:
		d.members(n.elem, q)
	default:
		d.value(n.elem, q)
	}
	if i >= maxEmpty && d.off == at && d.err == nil {
		d.fail(because(ErrLimit, "more than %d elements without a byte", maxEmpty))
	}
}

// openList reads a list without a count: up to an element, or to the end of the
// input.
func (d *Decoder) openList(n *node, p ptr, sz sizing) {
	if !d.enter() {
		return
	}
	d.inner++
	v := valueOf(n, p)
	v.SetLen(0)
	for i := 0; ; i++ {
		if sz.form == sizeRest && !d.more() {
			break
		}
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		q := item(n, list(n, p), i)
		d.element(n, q, i)
		ends := d.err == nil && sz.form == sizeUntil && bitsAt(n.elem, q) == uint64(sz.until)&mask(n.elem.size)
		if d.err != nil || ends {
			v.SetLen(i)
			if d.err != nil {
				d.at("[" + strconv.Itoa(i) + "]")
			}
			break
		}
	}
	d.inner--
	d.level--
}

// array reads a Go array.
func (d *Decoder) array(n *node, p ptr) {
	if !d.enter() {
		return
	}
	d.inner++
	l := list(n, p)
	for i := range n.len {
		if d.element(n, item(n, l, i), 0); d.err != nil {
			d.at("[" + strconv.Itoa(i) + "]")
			return
		}
	}
	d.inner--
	d.level--
}

// mapping reads the entries of a map.
func (d *Decoder) mapping(n *node, p ptr) {
	count := d.size(n.sz)
	if d.holds(count, n.key.min+n.elem.min); d.err != nil || !d.enter() {
		return
	}
	if n.key.min+n.elem.min == 0 && count > maxEmpty {
		d.fail(because(ErrLimit, "%d entries that may take no byte", count))
		return
	}
	m := valueOf(n, p)
	switch {
	case !m.IsNil():
		m.Clear()
	case count > 0:
		m.Set(reflect.MakeMapWithSize(n.typ, min(count, 1024)))
	}
	d.inner++
	s := n.pool.Get().(*mapScratch)
	defer s.free(n.pool)
	for i := range count {
		s.key.SetZero()
		s.val.SetZero()
		d.entry(n, s, i)
		if d.err != nil {
			return
		}
		if d.Strict && m.MapIndex(s.key).IsValid() {
			d.fail(because(ErrDuplicateKey, "%v", s.key))
			return
		}
		m.SetMapIndex(s.key, s.val)
	}
	d.inner--
	d.level--
}

// entry reads one key and its value.
func (d *Decoder) entry(n *node, s *mapScratch, i int) {
	if n.key.min > 0 && !d.more() {
		d.fail(io.ErrUnexpectedEOF)
	} else {
		d.value(n.key, ptrOf(s.key))
	}
	if d.err != nil {
		d.at("[key " + strconv.Itoa(i) + "]")
		return
	}
	if n.elem.min > 0 && !d.more() {
		d.fail(io.ErrUnexpectedEOF)
	} else {
		d.value(n.elem, ptrOf(s.val))
	}
	if d.err != nil {
		d.at(fmt.Sprintf("[%v]", s.key))
	}
}

// methods reads a value that reads itself.
func (d *Decoder) methods(n *node, p ptr) {
	v := valueOf(n, p).Addr().Interface()
	if n.op == opAccessor {
		d.fail(v.(Accessor).ReadBinary(d))
		return
	}
	o := d.spanOptions()
	if d.r == nil {
		d.sr.Reset(d.b[d.off:], span.CopyStrings)
		d.sr.Configure(o)
	} else {
		d.sr.ResetReader(&feed{d: d, at: d.off}, o)
	}
	v.(span.Serializable).ReadSpan(&d.sr)
	err := d.sr.Err()
	d.off = min(d.off+int(d.sr.Offset()), len(d.b))
	if err != nil {
		d.fail(err)
	}
	d.sr.Reset(nil, span.CopyStrings)
}

// feed gives a span.Reader the Decoder's input without taking it.
type feed struct {
	d  *Decoder
	at int
}

func (f *feed) Read(b []byte) (int, error) {
	if f.at == len(f.d.b) && !f.d.fill(f.at-f.d.off+1) {
		if f.d.rerr != nil {
			return 0, f.d.rerr
		}
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(b, f.d.b[f.at:])
	f.at += n
	return n, nil
}

// memberAccessor asks a struct to read one member itself.
func (d *Decoder) memberAccessor(n *node, p ptr, name string) (done bool) {
	mark := d.off
	err := valueOf(n, p).Addr().Interface().(MemberAccessor).ReadMember(d, name)
	if err != nil && unsupported(err) {
		d.off = mark
		return false
	}
	d.fail(err)
	return true
}

// chained offers a value to the handlers in their order.
func (d *Decoder) chained(n *node, p ptr) {
	v, mark := valueOf(n, p), d.off
	for _, h := range d.Handlers {
		d.cur = n
		err := h.Read(d, v)
		d.cur = nil
		if err == nil {
			return
		}
		if !unsupported(err) {
			d.fail(err)
			return
		}
		d.off = mark
	}
	d.fail(because(ErrUnsupported, "no handler takes a %s", n.typ))
}

// current gives the plan of a value that is offered to the chain.
func (d *Decoder) current(v reflect.Value) (*node, error) {
	if n := d.cur; n != nil && n.typ == v.Type() {
		d.cur = nil
		return n, nil
	}
	return plan(d.set, v.Type())
}
