package emit

import (
	"go/token"
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

// emitGuards emits assignments that compile only while the structs are what
// they were:
//
//	var (
//		_ struct {
//			ID   int32
//			Name string `span:"max=64"`
//		} = Simple{}
//	)
//
// The identity of types includes the tags.
func (f *file) emitGuards() {
	var vars []jen.Code
	for _, s := range f.guards {
		t := s.Type.(types.Type)
		if !f.comparable(t) {
			continue
		}
		if n, ok := t.(*types.Named); ok && hasParams(n) {
			f.genericGuard(n)
			continue
		}
		vars = append(vars, f.guardVar(t))
	}
	if len(vars) == 0 {
		return
	}
	f.jen.Comment("Where this does not compile a struct has changed: run go generate.")
	f.jen.Var().Defs(vars...)
}

func (f *file) guardVar(t types.Type) *jen.Statement {
	return jen.Id("_").Add(f.structCode(t)).Op("=").Add(f.typeCode(t)).Values()
}

// genericGuard emits a guard within a function that has the type parameters.
func (f *file) genericGuard(n *types.Named) {
	self := f.withParams(n)
	f.jen.Comment("Where this does not compile the struct has changed: run go generate.")
	f.jen.Func().Params(jen.Op("*").Add(f.typeCode(self))).Id("_").Params().Block(
		jen.Var().Add(f.guardVar(self)),
	)
	f.jen.Line()
}

// withParams gives a generic type as an instance of parameters with the names
// that the file gives them.
func (f *file) withParams(n *types.Named) types.Type {
	args := make([]types.Type, n.TypeParams().Len())
	for i := range args {
		p := n.TypeParams().At(i)
		name := types.NewTypeName(token.NoPos, f.pkg.Types, f.paramName(p.Obj().Name(), i), nil)
		args[i] = types.NewTypeParam(name, types.Universe.Lookup("any").Type())
	}
	self, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		return n
	}
	return self
}

// structCode gives the struct type that a named one is defined as, one field a
// line.
func (f *file) structCode(t types.Type) *jen.Statement {
	s := t.Underlying().(*types.Struct)
	var fields []jen.Code
	for i := range s.NumFields() {
		v := s.Field(i)
		c := jen.Null()
		if !v.Embedded() {
			c.Id(v.Name())
		}
		c.Add(f.typeCode(v.Type()))
		if tag := s.Tag(i); tag != "" {
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
			return false // by way of an alias that is not known any more
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

// embeddedName is the name of the field that embedding a type gives.
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
