package binary

import (
	"io"
	"reflect"
	"strconv"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// list reads the elements of a slice.
func (d *Decoder) list(n *node, p ptr, sz sizing) {
	count := sz.N
	switch sz.Form {
	case binaryplan.Prefixed:
		count = d.size(sz)
	case binaryplan.Until, binaryplan.Rest:
		d.openList(n, p, sz)
		return
	}
	least := d.least(n.elem)
	if d.holds(count, least); d.err != nil {
		return
	}
	g := d.growth(sz, count, least, int(n.stride))
	if d.err != nil {
		return
	}
	v := valueOf(n, p)
	if n.hollow(&d.settings) {
		v.Set(reflect.MakeSlice(n.typ, count, count))
		return
	}
	renew(v, count)
	if count <= v.Cap() {
		v.SetLen(count)
	} else {
		d.grow(n, v, count, &g)
	}
	d.elements(n, p, v, count, &g)
}

// grow makes a list longer.
func (d *Decoder) grow(n *node, v reflect.Value, count int, g *growth) {
	have := v.Len()
	room := max(g.step(d), have, 1)
	if v.Cap() > have {
		room = max(room, v.Cap()-have)
	}
	size := min(count, have+room)
	l := reflect.MakeSlice(n.typ, size, size)
	reflect.Copy(l, v)
	v.Set(l)
}

// renew prepares a slice for n elements: what it shows is read into again, but not
// what lies beyond its length, which may be others' by now; and what it held
// beyond n need not live as long as it.
func renew(v reflect.Value, n int) {
	have := v.Len()
	from, to := min(n, have), min(max(n, have), v.Cap())
	if from < to && v.Type().Elem().Kind() > reflect.Complex128 { // numbers hold nothing
		v.SetLen(to)
		for i := from; i < to; i++ {
			v.Index(i).SetZero()
		}
	}
	v.SetLen(min(n, have))
}

// elements reads count elements; v is the list, as long as it has grown so far.
func (d *Decoder) elements(n *node, p ptr, v reflect.Value, count int, g *growth) {
	if !d.enter() {
		return
	}
	d.inner++
	l, have := list(n, p), v.Len()
	for i := range count {
		if i == have {
			d.grow(n, v, count, g)
			l, have = list(n, p), v.Len()
		}
		d.element(n, item(n, l, i))
		if d.err != nil {
			v.SetLen(i)
			d.at("[" + strconv.Itoa(i) + "]")
			return
		}
	}
	d.inner--
	d.level--
	d.ahead -= g.ahead
}

// element reads one element, for which there must be input.
func (d *Decoder) element(n *node, q ptr) {
	at := d.off
	switch {
	case d.least(n.elem) > 0 && !d.more(), n.elem.op == opObject && !n.elem.elem.empty && !d.more():
		d.fail(io.ErrUnexpectedEOF)
	case n.elem.op == opStruct && !d.UseRef && d.Handlers == nil:
		d.members(n.elem, q)
	default:
		d.value(n.elem, q)
	}
	if d.off == at && d.err == nil {
		d.fail(spend(&d.idle, n.stride))
	}
}

// openList reads a list without a count: up to an element, or to the end of the
// input.
func (d *Decoder) openList(n *node, p ptr, sz sizing) {
	all := d.b
	if sz.Form == binaryplan.Rest {
		end, ok := d.restEnd()
		if !ok {
			return
		}
		all, d.b = d.b, d.b[:end] // the input has ended: nothing adds to it
		defer func() { d.b = all }()
	}
	if !d.enter() {
		return
	}
	d.inner++
	v := valueOf(n, p)
	had := v.Len()
	defer func() { // what it held beyond its new length
		if now := v.Len(); now < had {
			v.SetLen(had)
			renew(v, now)
		}
	}()
	v.SetLen(0)
	for i := 0; ; i++ {
		if sz.Form == binaryplan.Rest && !d.more() {
			break
		}
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		if had = max(had, i); i == had {
			v.Index(i).SetZero() // see renew
			had++
		}
		q := item(n, list(n, p), i)
		d.element(n, q)
		ends := d.err == nil && sz.Form == binaryplan.Until && bitsAt(n.elem, q) == uint64(sz.End)&mask(n.elem.size)
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
	if n.hollow(&d.settings) || !d.enter() {
		return
	}
	d.inner++
	l := list(n, p)
	for i := range n.len {
		if d.element(n, item(n, l, i)); d.err != nil {
			d.at("[" + strconv.Itoa(i) + "]")
			return
		}
	}
	d.inner--
	d.level--
}

// mapping reads the entries of a map.
func (d *Decoder) mapping(n *node, p ptr, sz sizing) {
	count := sz.N
	if sz.Form == binaryplan.Prefixed {
		count = d.size(sz)
	}
	least := d.least(n.key) + d.least(n.elem)
	if d.holds(count, least); d.err != nil {
		return
	}
	g := d.growth(sz, count, least, int(n.typ.Key().Size()+n.typ.Elem().Size())+1)
	if d.err != nil || !d.enter() {
		return
	}
	m := valueOf(n, p)
	switch {
	case !m.IsNil():
		m.Clear()
	case count > 0:
		m.Set(reflect.MakeMapWithSize(n.typ, min(count, 1024, g.step(d))))
	}
	d.inner++
	s := n.pool.Get().(*mapScratch)
	defer s.free(n.pool)
	for i := range count {
		s.key.SetZero()
		s.val.SetZero()
		at := d.off
		d.entry(n, s, i)
		if d.off == at && d.err == nil {
			d.fail(spend(&d.idle, n.stride+n.key.typ.Size()))
		}
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
	d.ahead -= g.ahead
}

// entry reads one key and its value.
func (d *Decoder) entry(n *node, s *mapScratch, i int) {
	if d.least(n.key) > 0 && !d.more() {
		d.fail(io.ErrUnexpectedEOF)
	} else {
		d.value(n.key, mem.Address(s.key))
	}
	if d.err != nil {
		d.at("[key " + strconv.Itoa(i) + "]")
		return
	}
	if d.least(n.elem) > 0 && !d.more() {
		d.fail(io.ErrUnexpectedEOF)
	} else {
		d.value(n.elem, mem.Address(s.val))
	}
	if d.err != nil {
		d.at(keyStep(s.key))
	}
}
