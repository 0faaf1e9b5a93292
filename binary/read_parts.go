package binary

import (
	"io"
	"reflect"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
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
			mem.SetNil(p)
		}
		return
	}
	q, ok := mem.Load(p)
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
			mem.SetNil(p)
		}
		return
	}
	start := d.off
	k := d.size(d.prefix())
	switch {
	case d.err != nil:
	case k == 0:
		mem.SetNil(p)
	case k == len(d.hosts)+1:
		d.hosted(n.elem, alloc(n, p))
	case k > len(d.hosts):
		d.off = start
		d.fail(because(ErrMalformed, "a reference to object %d of %d", k, len(d.hosts)))
	default:
		h := d.hosts[len(d.hosts)-k]
		if h.n.typ != n.elem.typ {
			d.off = start
			d.fail(because(ErrMalformed, "a reference to a %s where a %s is expected", h.n.typ, n.elem.typ))
			return
		}
		mem.SetPointer(p, h.p)
	}
}

// nullable reads the flag of a Nullable and its value.
func (d *Decoder) nullable(n *node, p ptr, sz sizing) {
	if n.null != binaryplan.Flagged {
		d.readNull(n, p)
		return
	}
	present := d.ReadBool()
	if d.err != nil {
		return
	}
	if !present {
		mem.SetNil(p)
		return
	}
	if n.elem.op == opGUID && d.Compat {
		d.ReadBool() // NewLife writes it twice
	}
	q, ok := mem.Load(p)
	if !ok {
		q = alloc(n, p)
	}
	if sz == n.sz {
		d.value(n.elem, q)
	} else {
		d.sized(n.elem, q, sz)
	}
	if n.elem.op == opTime && d.Compat && at[timeT](q).IsZero() {
		mem.SetNil(p) // NewLife reads null
	}
}

// methods reads a value that reads itself.
func (d *Decoder) methods(n *node, p ptr) {
	v := valueOf(n, p).Addr().Interface()
	if n.op == opAccessor {
		d.fail(v.(Accessor).ReadBinary(d))
		return
	}
	r := &d.sr
	if o := d.spanOptions(); d.r == nil {
		r.Reset(d.b[d.off:], span.CopyStrings)
		r.Configure(o)
	} else {
		r = o.NewStreamReader(&feed{d: d, at: d.off})
	}
	v.(span.Serializable).ReadSpan(r)
	d.off = min(d.off+int(r.Offset()), len(d.b))
	if err := r.Err(); err != nil {
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
	return d.plan(v.Type())
}
