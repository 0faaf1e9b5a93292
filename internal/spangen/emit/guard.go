package emit

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// guard notes a struct whose layout is built into the file.
func (f *file) guard(s *layout.Struct) {
	if !f.guarded[s.Type] { // of which there may be parts
		f.guarded[s.Type] = true
		f.guards = append(f.guards, s)
	}
}

// emitGuards emits calls that compile only while the structs are what they were,
// in front of all code that would not compile either:
//
//	func _() {
//		spanrt.RunGoGenerate[struct {
//			ID   int32
//			Name string `span:"max=64"`
//		}](Simple{})
//	}
//
// The identity of types includes the tags. Those of other modules are not the
// user's to generate for again, and most of them have nothing to do with the wire,
// so what is there is converted, which does not look at tags:
//
//	{
//		type runGoGenerate struct{ X, Y int32 }
//		_ = runGoGenerate(lib.Point{})
//	}
func (f *file) emitGuards() {
	var calls []jen.Code
	for _, s := range f.guards {
		t := s.Type.(types.Type)
		if !f.comparable(t) {
			continue
		}
		if n, ok := t.(*types.Named); ok && hasParams(n) {
			f.genericGuard(n)
			continue
		}
		calls = append(calls, f.guardOf(t))
	}
	if len(calls) == 0 {
		return
	}
	f.front.Comment("If this does not compile, a struct has changed: run go generate.").Line()
	f.front.Func().Id("_").Params().Block(calls...).Line()
}

// guardOf returns the guard of one struct.
func (f *file) guardOf(t types.Type) jen.Code {
	value := f.typeCode(t).Values()
	if n, ok := t.(*types.Named); ok && f.isOfOthers(n) {
		return jen.Block(
			jen.Type().Id("runGoGenerate").Add(f.structCode(t, false)),
			jen.Id("_").Op("=").Id("runGoGenerate").Call(value),
		)
	}
	return jen.Qual(spanrtPath, "RunGoGenerate").Types(f.structCode(t, true)).Call(value)
}

// isOfOthers reports whether n is a type that a package of another module
// declares.
func (f *file) isOfOthers(n *types.Named) bool {
	p := n.Obj().Pkg()
	return p != nil && p != f.pkg.Types && f.pkg.IsOthers != nil && f.pkg.IsOthers(p.Path())
}

// genericGuard emits a guard within a function that has the type parameters.
func (f *file) genericGuard(n *types.Named) {
	f.params(n)
	self := selfInstance(n)
	f.front.Comment("If this does not compile, the struct has changed: run go generate.").Line()
	f.front.Func().Params(jen.Op("*").Add(f.typeCode(self))).Id("_").Params().Block(f.guardOf(self)).Line().Line()
}

// structCode returns the struct type that a named one is defined as, one field
// a line, with or without tags.
func (f *file) structCode(t types.Type, tags bool) *jen.Statement {
	s := t.Underlying().(*types.Struct)
	var fields []jen.Code
	for i := range s.NumFields() {
		v := s.Field(i)
		c := jen.Null()
		if !v.Embedded() {
			c.Id(v.Name())
		}
		c.Add(f.typeCode(v.Type()))
		if tag := s.Tag(i); tags && tag != "" {
			c.Id(tagLiteral(tag))
		}
		fields = append(fields, c)
	}
	return jen.Struct(fields...)
}

// comparable reports whether the file can spell out the struct: its own type
// and every field's.
func (f *file) comparable(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok {
		return false // built into the type that holds it
	}
	if !f.spellable(n) {
		return false
	}
	s := n.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		v := s.Field(i)
		if !v.Exported() && v.Pkg() != f.pkg.Types || !f.spellable(v.Type()) {
			return false
		}
		if v.Embedded() && embeddedName(v.Type()) != v.Name() {
			return false // by way of an alias that is not known anymore
		}
	}
	return true
}

// spellable reports whether declarations of the file can mention the type.
func (f *file) spellable(t types.Type) bool {
	ok := !f.hidesFields(t)
	f.eachNamed(t, func(obj *types.TypeName) {
		switch {
		case obj.Pkg() == nil:
		case obj.Pkg() == f.pkg.Types:
			ok = ok && !strings.HasPrefix(obj.Name(), "_C") // a type of cgo's
		default:
			ok = ok && obj.Exported() && f.importable(obj.Pkg())
		}
	})
	return ok && !strings.Contains(types.TypeString(t, nil), types.Typ[types.Invalid].String())
}

// embeddedName is the name of the field that embedding a type declares.
func embeddedName(t types.Type) string {
	switch t := t.(type) {
	case *types.Pointer:
		return embeddedName(t.Elem())
	case *types.Alias:
		return t.Obj().Name()
	case *types.Named:
		return t.Obj().Name()
	case *types.Basic:
		return t.Name()
	}
	return ""
}
