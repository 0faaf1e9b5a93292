package load

import (
	"bytes"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// An Output is a file that is to be written, as it was parsed.
type Output struct {
	Path   string
	Syntax *ast.File
}

// Verify type-checks outputs together with the package that they belong to,
// where outputs of earlier runs count as well, except those that are to be
// removed. Those of its ordinary files must be among them where it is the
// package of its test files. It returns what is wrong in the outputs. What
// merely follows from faults of the user's own code is left out: the compiler
// reports that where it is.
func (p *Package) Verify(outputs []Output, removed []string) ([]types.Error, error) {
	l, pkg := p.loader, p.unit.pkg
	if err := l.findIndirect(pkg, outputs); err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, s := range l.sources(pkg) {
		if s.ast != nil {
			files = append(files, withoutBodies(s.ast))
		}
	}
	files = append(files, l.standing(pkg, outputs, removed)...)
	ours := map[*token.File]bool{}
	for _, o := range outputs {
		ours[l.fset.File(o.Syntax.FileStart)] = true
		files = append(files, o.Syntax)
	}
	var all, others []types.Error
	conf := l.config(pkg, func(e types.Error) {
		if ours[l.fset.File(e.Pos)] {
			all = append(all, e)
		} else {
			others = append(others, e)
		}
	})
	conf.Importer = importer(func(path string) (*types.Package, error) { return l.indirect(pkg, path) })
	_, _ = conf.Check(pkg.PkgPath, l.fset, files, nil) // the errors have been collected
	return slices.DeleteFunc(all, func(e types.Error) bool {
		return strings.HasPrefix(e.Msg, "could not import") || strings.HasPrefix(e.Msg, "\t") ||
			slices.ContainsFunc(others, func(o types.Error) bool { return o.Msg == e.Msg })
	}), nil
}

// standing returns the outputs that stay as they are: code of earlier runs for
// other types.
func (l *loader) standing(pkg *packages.Package, outputs []Output, removed []string) []*ast.File {
	var files []*ast.File
	for _, path := range pkg.GoFiles {
		s := l.read(path)
		written := slices.ContainsFunc(outputs, func(o Output) bool { return o.Path == path })
		if !s.own || written || slices.Contains(removed, path) {
			continue
		}
		if f := l.parse(s); f != nil && s.broken == nil {
			files = append(files, withoutBodies(f))
		}
	}
	return files
}

// withoutBodies returns the file without the bodies of its functions, which are
// not ours to check.
func withoutBodies(f *ast.File) *ast.File {
	c := *f
	c.Decls = slices.Clone(f.Decls)
	for i, d := range c.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			head := *fn
			head.Body = nil
			c.Decls[i] = &head
		}
	}
	return &c
}

// findIndirect asks for the export data of what outputs import and the package
// itself does not.
func (l *loader) findIndirect(pkg *packages.Package, outputs []Output) error {
	missing := map[string]bool{}
	for _, o := range outputs {
		for _, spec := range o.Syntax.Imports {
			path := importPath(spec)
			imp := l.known(pkg, path)
			if _, asked := l.exports[path]; !asked && path != "unsafe" && path != spanPath && (imp == nil || !l.fromSource(imp)) {
				missing[path] = true
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return l.askExports(missing)
}

// IsOthers reports whether path is a package of the standard library or of a
// module that is not the user's own.
func (p *Package) IsOthers(path string) bool {
	imp := p.loader.known(p.unit.pkg, path)
	return imp == nil || imp.Module == nil || !imp.Module.Main
}

// known finds a package by its path: as the package imports it, or anything.
func (l *loader) known(from *packages.Package, path string) *packages.Package {
	if imp := from.Imports[path]; imp != nil {
		return imp
	}
	if l.byPath == nil {
		l.byPath = map[string]*packages.Package{}
		var roots []*packages.Package
		for _, u := range l.units {
			roots = append(roots, u.pkg)
		}
		packages.Visit(roots, func(p *packages.Package) bool {
			if p.ForTest == "" {
				l.byPath[p.PkgPath] = p
			}
			return true
		}, nil)
	}
	return l.byPath[path]
}

// indirect is imported for outputs, which may also import what the package
// itself does not.
func (l *loader) indirect(from *packages.Package, path string) (*types.Package, error) {
	if from.Imports[path] != nil || path == "unsafe" || path == spanPath {
		return l.imported(from, path)
	}
	if path == "testing" && l.exports[path] == "" {
		return testingPackage, nil
	}
	if imp := l.known(from, path); imp != nil && l.fromSource(imp) {
		return l.source(imp)
	}
	return l.exported(path)
}

// testingPackage stands for package testing, of which outputs need next to
// nothing.
var testingPackage = func() *types.Package {
	p := types.NewPackage("testing", "testing")
	obj := types.NewTypeName(0, p, "T", nil)
	named := types.NewNamed(obj, types.NewStruct(nil, nil), nil)
	recv := types.NewVar(0, p, "t", types.NewPointer(named))
	args := types.NewVar(0, p, "args", types.NewSlice(types.Universe.Lookup("any").Type()))
	sig := types.NewSignatureType(recv, nil, nil, types.NewTuple(args), nil, true)
	named.AddMethod(types.NewFunc(0, p, "Error", sig))
	p.Scope().Insert(obj)
	p.MarkComplete()
	return p
}()

// ForTest reports whether p is the package of a package's own test files, which
// has the ordinary ones in it.
func (p *Package) ForTest() bool { return p.unit.pkg.ForTest != "" }

// HasSpan reports whether the package span that generated code calls could be
// loaded; without it no output can be verified.
func (r *Result) HasSpan() bool { return r.loader.span != nil }

// requiresSpan reports whether a module of the user's requires the module of
// package span, so that asking for it changes no go.mod file.
func (l *loader) requiresSpan() bool {
	for _, u := range l.units {
		m := u.pkg.Module
		if m == nil || m.GoMod == "" {
			continue
		}
		if text, err := os.ReadFile(m.GoMod); err == nil && bytes.Contains(text, []byte(modulePath)) {
			return true
		}
	}
	return false
}

// modulePath is the module of package span.
const modulePath = "github.com/spanwire/spanwire"

var errNoExports = errors.New("no export data")
