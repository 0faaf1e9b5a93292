package fromtypes

import (
	"go/types"

	"github.com/spanwire/spanwire/internal/layout"
)

// methods looks at the method set of *T, or of an interface itself.
func (f *Feed) methods(t types.Type) layout.Methods {
	switch t.(type) {
	case *types.Named, *types.Struct, *types.Interface:
	default:
		return layout.Methods{}
	}
	writes := takesCursor(method(t, "WriteSpan"), "Writer")
	reads := takesCursor(method(t, "ReadSpan"), "Reader")
	encodes := is(method(t, "AppendBinary"), appends) || is(method(t, "MarshalBinary"), marshals)
	decodes := is(method(t, "UnmarshalBinary"), unmarshals)
	prints := is(method(t, "AppendText"), appends) || is(method(t, "MarshalText"), marshals)
	parses := is(method(t, "UnmarshalText"), unmarshals)
	quotes, unquotes := is(method(t, "MarshalJSON"), marshals), is(method(t, "UnmarshalJSON"), unmarshals)
	m := layout.Methods{
		Span:      writes && reads,
		Binary:    encodes && decodes,
		Text:      prints && parses,
		JSON:      quotes && unquotes,
		AnySpan:   writes || reads,
		AnyBinary: encodes || decodes,
		AnyText:   prints || parses,
		AnyJSON:   quotes || unquotes,
	}
	m.Accessor = hasCursors(t, "WriteBinary", "ReadBinary")
	m.MemberAccessor = hasCursors(t, "WriteMember", "ReadMember", types.Typ[types.String])
	m.Generated, m.Promoted = f.marked(t)
	if m.Generated || m.Promoted && f.toCome(t) {
		m.Span, m.AnySpan = true, true
	}
	return m
}

// method finds a method by its exported name, nil without one.
func method(t types.Type, name string) *types.Signature {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	if fn, ok := obj.(*types.Func); ok {
		return fn.Signature()
	}
	return nil
}

// takesCursor reports whether sig has a cursor of package span as its only
// parameter.
func takesCursor(sig *types.Signature, cursor string) bool {
	obj := declared(pointerParam(sig))
	return obj != nil && obj.Pkg().Path() == spanPath && obj.Name() == cursor
}

// binaryPath is the package whose cursors accessors take.
const binaryPath = "github.com/spanwire/spanwire/binary"

// hasCursors reports methods that take the cursors of package binary, and more
// behind them, and return an error.
func hasCursors(t types.Type, write, read string, more ...types.Type) bool {
	return takesBinary(method(t, write), "Encoder", more) && takesBinary(method(t, read), "Decoder", more)
}

func takesBinary(sig *types.Signature, cursor string, more []types.Type) bool {
	if sig == nil || sig.Variadic() || sig.Params().Len() != 1+len(more) || sig.Results().Len() != 1 ||
		!types.Identical(sig.Results().At(0).Type(), errorType) {
		return false
	}
	for i, t := range more {
		if !types.Identical(sig.Params().At(1+i).Type(), t) {
			return false
		}
	}
	p, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	obj := declared(types.Unalias(p.Elem()))
	return obj != nil && obj.Pkg().Path() == binaryPath && obj.Name() == cursor
}

// pointerParam returns what the only parameter points to; Typ[Invalid] without.
func pointerParam(sig *types.Signature) types.Type {
	if sig == nil || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return types.Typ[types.Invalid]
	}
	p, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return types.Typ[types.Invalid]
	}
	return types.Unalias(p.Elem())
}

var (
	bytesType = types.NewSlice(types.Typ[types.Byte])
	errorType = types.Universe.Lookup("error").Type()

	appends    = signature(tuple(bytesType), tuple(bytesType, errorType))
	marshals   = signature(tuple(), tuple(bytesType, errorType))
	unmarshals = signature(tuple(bytesType), tuple(errorType))
)

func signature(in, out *types.Tuple) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, in, out, false)
}

func tuple(all ...types.Type) *types.Tuple {
	vars := make([]*types.Var, len(all))
	for i, t := range all {
		vars[i] = types.NewVar(0, nil, "", t)
	}
	return types.NewTuple(vars...)
}

// is reports whether sig is the wanted signature, whatever its receiver.
func is(sig, want *types.Signature) bool {
	return sig != nil && types.Identical(withoutReceiver(sig), want)
}

// withoutReceiver drops the receiver and its type parameters, which are not
// part of what is compared.
func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// marked reports generated methods: by the marker method, whose parameter
// names the type it was generated for, or because they are to come.
func (f *Feed) marked(t types.Type) (generated, promoted bool) {
	if f.isGenerated(t) {
		return true, false
	}
	if p := pointerParam(method(t, "SpanGenerated")); p != types.Typ[types.Invalid] {
		same := types.Identical(f.Ref(p).(types.Type), f.Ref(t).(types.Type))
		return same, !same
	}
	return false, f.toCome(t)
}

// isGenerated reports whether t is a type that will bear generated methods.
func (f *Feed) isGenerated(t types.Type) bool {
	obj := declared(t)
	return obj != nil && obj.Parent() == obj.Pkg().Scope() && f.generated[objectName(obj)]
}

// toCome reports whether a struct will have generated methods promoted to it:
// that at the shallowest depth with such an embedded type there is just one.
func (f *Feed) toCome(t types.Type) bool {
	seen := map[types.Type]bool{}
	for level := []types.Type{t}; len(level) > 0; {
		var next []types.Type
		found := 0
		for _, t := range level {
			if seen[t] {
				continue
			}
			seen[t] = true
			s, ok := t.Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for v := range s.Fields() {
				if !v.Embedded() {
					continue
				}
				e := types.Unalias(v.Type())
				if p, ok := e.Underlying().(*types.Pointer); ok {
					e = types.Unalias(p.Elem())
				}
				if f.isGenerated(e) {
					found++
				}
				next = append(next, e)
			}
		}
		if found > 0 {
			return found == 1
		}
		level = next
	}
	return false
}
