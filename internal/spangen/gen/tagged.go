package gen

import (
	"go/types"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// checkTagged reports what is wrong with structs that have binary tags: all that
// the named packages declare, by the rules that package binary goes by when a
// program runs.
func (g *generator) checkTagged() {
	var structs []*taggedStruct
	c := tagChecker{generator: g, compiler: binaryplan.NewCompiler(g.loaded.Feed), embedded: map[string]bool{}}
	for _, p := range g.loaded.Tagged {
		for _, obj := range p.Declared() {
			if c.declares(obj) {
				structs = append(structs, &taggedStruct{p, obj})
				c.findEmbedded(obj.Type())
			}
		}
	}
	for _, s := range structs {
		c.check(s)
	}
	g.result.Tagged = len(structs)
}

// A taggedStruct is a type that is, or is made of, structs with binary tags, or a
// variable of such a type without a name.
type taggedStruct struct {
	pkg *load.Package
	obj types.Object
}

type tagChecker struct {
	*generator
	compiler *binaryplan.Compiler
	embedded map[string]bool // structs, by name, whose members are those of another one
}

// declares reports whether obj is an object in whose declaration there are
// binary tags, or embedded structs that have some.
func (c *tagChecker) declares(obj types.Object) bool {
	if name, ok := obj.(*types.TypeName); (!ok || name.IsAlias()) && isNamed(obj.Type()) {
		return false
	}
	return tagged(obj.Type(), map[types.Type]bool{})
}

// check reports what is wrong with one type.
func (c *tagChecker) check(s *taggedStruct) {
	ref := c.loaded.Feed.Ref(s.obj.Type())
	_, problems := c.compiler.Compile(ref, binaryplan.Strictest)
	for _, problem := range problems {
		switch {
		case problem.Code == layout.CodeUnresolved:
			continue // which the compiler reports
		case problem.Code == layout.CodeReference && problem.Owner == ref && c.embedded[c.loaded.Feed.Shape(ref).Name]:
			continue // the member may be one of the struct that embeds it
		}
		at := s.pkg.Position(c.place(s.pkg, s.obj, problem))
		// A handler may know the type.
		c.addFault(fault{pos: at, reason: problem.Reason, warning: binaryplan.OfType(problem)}, problem)
	}
}

// findEmbedded notes the structs that a type embeds by value.
func (c *tagChecker) findEmbedded(t types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for v := range s.Fields() {
		if !v.Embedded() {
			continue
		}
		if name := c.loaded.Feed.Shape(c.loaded.Feed.Ref(v.Type())).Name; !c.embedded[name] {
			c.embedded[name] = true
			c.findEmbedded(v.Type())
		}
	}
}

// tagged reports whether t is a type with binary tags: a struct of its own, or
// one that it embeds.
func tagged(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			v := u.Field(i)
			if strings.Contains(u.Tag(i), load.BinaryKey) {
				return true
			}
			if v.Embedded() || !isNamed(v.Type()) {
				if tagged(v.Type(), seen) {
					return true
				}
			}
		}
	case *types.Map:
		return !isNamed(u.Elem()) && tagged(u.Elem(), seen)
	case interface{ Elem() types.Type }:
		return !isNamed(u.Elem()) && tagged(u.Elem(), seen)
	}
	return false
}

// isNamed reports whether t is a type that is declared, and so checked,
// somewhere else.
func isNamed(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Named)
	return ok
}
