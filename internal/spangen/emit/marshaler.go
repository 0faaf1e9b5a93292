package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// marshalerKind writes what the type's marshaler methods give, after its
// length:
//
//	data, failed := v.Addr.AppendBinary(b[i+1:i+1])
//	if failed != nil { ... }
//	if b, i = spanrt.EndMarshaled(b, i, data); i < 0 { ... }
//
//	if err := v.Addr.UnmarshalBinary(b[i:i+n:i+n]); err != nil { ... }
//	i += n
//
// A method sees nothing of the message but its own place: what it does there
// can't spoil the bytes around it.
//
// Methods for JSON and those of package gob have no append form, and they may
// add to what is there:
//
//	if err := spanrt.ReadJSON(&v.Limit, b[i:i+n:i+n]); err != nil { ... }
type marshalerKind struct{}

// encoding is the end of the names of the methods.
func (marshalerKind) encoding(x value) string {
	return map[layout.Op]string{
		layout.OpBinary: "Binary", layout.OpText: "Text", layout.OpJSON: "JSON", layout.OpGob: "Gob",
	}[x.node.Op]
}

// fresh reports methods whose destination must be zero.
func (marshalerKind) fresh(x value) bool {
	return x.node.Op == layout.OpJSON || x.node.Op == layout.OpGob
}

// appends reports whether x is a type that has an append method.
func (k marshalerKind) appends(x value) bool {
	if k.fresh(x) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(x.typ(), true, nil, "Append"+k.encoding(x))
	m, ok := obj.(*types.Func)
	return ok && m.Signature().Params().Len() == 1 && m.Signature().Results().Len() == 2
}

func (marshalerKind) size(*sizer, value) { panic("emit: the plan knows this size") } //nolint:forbidigo // a fault of the generator

func (k marshalerKind) room(f *file, x value) (most, exact sum, no []refusal) {
	return constant(1), constant(1), nil
}

func (k marshalerKind) append(a *appender, x value) {
	a.settle()
	method := "Marshal" + k.encoding(x) + "()"
	switch {
	case k.appends(x):
		method = "Append" + k.encoding(x) + "(b[i+1:i+1])"
	case x.node.Op == layout.OpGob:
		method = "GobEncode()"
	}
	a.scoped(func() {
		a.do("data, failed := %s.%s", x.receiver(), method) // not err, which it would hide from what follows
		a.add(jen.If(code("failed != nil")).Block(code("return dst, %v", withSteps(x, "Refused", "failed", "i-len(dst)"))))
		no := conditions(a.limit(x.node, "len(data)"))
		if x.node.UTF8 {
			no = append(no, code("!spanrt.ValidUTF8(string(data))"))
		}
		a.refuse(no...)
		a.add(jen.If(code("b, i = spanrt.EndMarshaled(b, i, data)"), code("i < 0")).Block(a.plan()...))
	}, "data", "failed")
}

func (marshalerKind) opens() opening   { return opening{append: true} }
func (marshalerKind) lead(x value) int { return 1 }

func (k marshalerKind) read(r *reader, x value, lead place, after int) {
	doubts := r.length("n", x.node, lead)
	r.doubt(append(doubts, code("n > %s", r.minus(after)))...)
	if x.node.UTF8 {
		r.doubt(code("!spanrt.ValidUTF8(string(b[i:i+n]))"))
	}
	read := code("err := %s.Unmarshal%s(b[i:i+n:i+n])", x.receiver(), k.encoding(x))
	if k.fresh(x) {
		read = code("err := spanrt.Read%s(%s, b[i:i+n:i+n])", k.encoding(x), x.address())
	}
	r.add(jen.If(read, code("err != nil")).Block(r.plan()...))
	r.do("i += n")
}
