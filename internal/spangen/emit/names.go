package emit

import (
	"fmt"
	"go/token"
	"go/types"
	pathpkg "path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// locals are the names of variables in generated functions, where a number may
// follow. Imports get other names, and types of such names are not mentioned in
// functions, so that no variable ever hides what it should not.
var locals = map[string]bool{
	"v": true, "r": true, "w": true, "f": true, "dst": true, "depth": true,
	"b": true, "i": true, "n": true, "c": true, "e": true, "j": true, "k": true, "x": true,
	"ok": true, "err": true, "count": true, "keys": true, "start": true, "end": true, "outer": true,
	"nanos": true, "millis": true, "seconds": true, "ticks": true, "elems": true, "data": true, "own": true, "sized": true, "failed": true, "when": true,
}

// isLocal reports whether name may be that of a variable of generated code.
func isLocal(name string) bool { return locals[strings.TrimRight(name, "0123456789")] }

// isRunName reports whether runName may return name, besides c.
func isRunName(name string) bool {
	after, ok := strings.CutPrefix(name, "at")
	first, _ := utf8.DecodeRuneInString(after)
	return ok && unicode.IsUpper(first)
}

// importName decides under which name the file imports a package: its own, with
// a number where that is taken by something that the file must not hide or be
// hidden by.
func (f *file) importName(pkgPath, name string) {
	if f.imports[pkgPath] != "" {
		return
	}
	alias := name
	for n := 2; f.taken(alias) || f.paramNames[alias]; n++ {
		alias = fmt.Sprintf("%s%d", name, n)
		if isLocal(name) {
			alias = fmt.Sprintf("%spkg%d", name, n)
		}
	}
	f.imports[pkgPath], f.aliases[alias] = alias, true
	if alias == pathpkg.Base(pkgPath) {
		f.jen.ImportName(pkgPath, alias)
	} else {
		f.jen.ImportAlias(pkgPath, alias)
	}
}

// taken reports whether no import may have name.
func (f *file) taken(name string) bool {
	return isLocal(name) || isRunName(name) || jen.IsReservedWord(name) || f.aliases[name] ||
		types.Universe.Lookup(name) != nil || f.pkg.Types.Scope().Lookup(name) != nil
}

// typeCode returns a type as the file names it.
func (f *file) typeCode(t types.Type) *jen.Statement {
	const open, closing = "\x01", "\x02"
	text := types.TypeString(f.renamed(selfInstance(t)), func(p *types.Package) string {
		if p == f.pkg.Types {
			return ""
		}
		f.importName(p.Path(), p.Name())
		return open + p.Path() + closing
	})
	s := jen.Null()
	for {
		before, rest, ok := strings.Cut(text, open)
		if before != "" {
			s.Id(before)
		}
		if !ok {
			return s
		}
		pkgPath, rest, _ := strings.Cut(rest, closing+".")
		n := strings.IndexFunc(rest, func(r rune) bool { return !token.IsIdentifier("a" + string(r)) })
		if n < 0 {
			n = len(rest)
		}
		s.Qual(pkgPath, rest[:n])
		text = rest[n:]
	}
}

// selfInstance returns a generic type as an instance of its own parameters.
func selfInstance(t types.Type) types.Type {
	n, ok := t.(*types.Named)
	if !ok || n.TypeParams().Len() == 0 || n.TypeArgs().Len() > 0 {
		return t
	}
	args := make([]types.Type, n.TypeParams().Len())
	for i := range args {
		args[i] = n.TypeParams().At(i)
	}
	self, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		return t
	}
	return self
}

// nameable reports whether functions of the file can mention the type.
func (f *file) nameable(t types.Type) bool {
	ok := !f.hidesFields(t)
	f.eachNamed(t, func(obj *types.TypeName) {
		switch {
		case obj.Pkg() == nil:
		case obj.Pkg() == f.pkg.Types:
			ok = ok && !isLocal(obj.Name()) && obj.Parent() == obj.Pkg().Scope()
		default:
			ok = ok && obj.Exported() && f.importable(obj.Pkg())
		}
	})
	return ok
}

// hidesFields reports whether t is a type in whose text stands a struct without
// a name that has unexported fields of another package: written out here, they
// would be fields of this package, and the struct another one.
func (f *file) hidesFields(t types.Type) bool {
	hides := false
	f.eachPart(t, func(t types.Type) {
		s, ok := t.(*types.Struct)
		for i := 0; ok && i < s.NumFields(); i++ {
			v := s.Field(i)
			hides = hides || !v.Exported() && v.Pkg() != f.pkg.Types
		}
	})
	return hides
}

// eachNamed calls do for the declared types that the text of a type mentions.
func (f *file) eachNamed(t types.Type, do func(*types.TypeName)) {
	f.eachPart(t, func(t types.Type) {
		if named, ok := t.(interface{ Obj() *types.TypeName }); ok {
			if _, param := t.(*types.TypeParam); !param {
				do(named.Obj())
			}
		}
	})
}

// eachPart calls do for the types that the text of a type mentions, and for itself.
func (f *file) eachPart(t types.Type, do func(types.Type)) {
	do(t)
	switch t := t.(type) {
	case *types.Alias:
		for i := range t.TypeArgs().Len() {
			f.eachPart(t.TypeArgs().At(i), do)
		}
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			f.eachPart(t.TypeArgs().At(i), do)
		}
	case *types.Pointer:
		f.eachPart(t.Elem(), do)
	case *types.Slice:
		f.eachPart(t.Elem(), do)
	case *types.Array:
		f.eachPart(t.Elem(), do)
	case *types.Chan:
		f.eachPart(t.Elem(), do)
	case *types.Map:
		f.eachPart(t.Key(), do)
		f.eachPart(t.Elem(), do)
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				f.eachPart(v.Type(), do)
			}
		}
	case *types.Struct:
		for v := range t.Fields() {
			f.eachPart(v.Type(), do)
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			f.eachPart(m.Type(), do)
		}
		for i := range t.NumEmbeddeds() {
			f.eachPart(t.EmbeddedType(i), do)
		}
	case *types.Union:
		for term := range t.Terms() {
			f.eachPart(term.Type(), do)
		}
	}
}

// importable reports whether the file may import a package: the rule about
// folders named internal, and that programs can't be imported.
func (f *file) importable(p *types.Package) bool {
	if p.Name() == "main" {
		return false
	}
	full := "/" + p.Path() + "/"
	i := strings.LastIndex(full, "/internal/")
	if i < 0 {
		return true
	}
	root := strings.Trim(full[:i], "/")
	home := strings.TrimSuffix(f.pkg.Path, "_test")
	return home == root || strings.HasPrefix(home, root+"/") || root == ""
}
