package load

import (
	"errors"
	"go/ast"
	"go/build"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// checked is a package type-checked from source.
type checked struct {
	types   *types.Package
	errors  []types.Error
	pending bool
}

// source type-checks a package from source, once.
func (l *loader) source(p *packages.Package) (*types.Package, error) {
	if c := l.checked[p.ID]; c != nil {
		if c.pending {
			return nil, errors.New("import cycle not allowed")
		}
		return c.types, nil
	}
	c := &checked{pending: true}
	l.checked[p.ID] = c
	var files []*ast.File
	for _, s := range l.sources(p) {
		if s.ast != nil {
			files = append(files, s.ast)
		}
	}
	if len(files) == 0 {
		c.pending = false
		return nil, errors.New(firstError(p, "no Go files"))
	}
	if f := l.stubs(p, files[0].Name.Name); f != nil {
		files = append(files, f)
	}
	conf := l.config(p, func(e types.Error) { c.errors = append(c.errors, e) })
	conf.IgnoreFuncBodies = true
	// Errors have been collected; the package is usable whatever they are.
	c.types, _ = conf.Check(p.PkgPath, l.fset, files, nil)
	c.pending = false
	return c.types, nil
}

// config is how a package is type-checked.
func (l *loader) config(p *packages.Package, report func(types.Error)) *types.Config {
	conf := &types.Config{
		Importer:    importer(func(path string) (*types.Package, error) { return l.imported(p, path) }),
		FakeImportC: true,
		Sizes:       sizes(l.cfg.Env),
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				report(e)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	return conf
}

// imported returns what an import path means in a package.
func (l *loader) imported(from *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imp := from.Imports[path]
	switch {
	case imp == nil && path == spanPath: // for the methods to come
		if l.span == nil {
			return cursors, nil
		}
		imp = l.span
	case imp == nil:
		return nil, errors.New(firstError(from, "package not found"))
	}
	if l.fromSource(imp) {
		return l.source(imp)
	}
	return l.exported(imp.PkgPath)
}

// exported reads a package from export data.
func (l *loader) exported(path string) (*types.Package, error) {
	if p := l.view[path]; p != nil && p.Complete() {
		return p, nil
	}
	name := l.exports[path]
	if name == "" {
		return nil, errNoExports
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()    // it was only read
	r, err := gcexportdata.NewReader(f) //nolint:staticcheck // the go command still names archives, which Read alone does not know
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, l.fset, l.view, path)
}

// firstError returns what the go command says about a package, and text if it
// says nothing.
func firstError(p *packages.Package, text string) string {
	if len(p.Errors) == 0 {
		return text
	}
	return plainError(p.Errors[0].Msg)
}

// cursors stands for the span package where it can't be had. Where no module
// requires it the go command is not asked for it: it might go and change go.mod.
var cursors = func() *types.Package {
	p := types.NewPackage(spanPath, "span")
	for _, name := range []string{"Writer", "Reader"} {
		obj := types.NewTypeName(0, p, name, nil)
		types.NewNamed(obj, types.NewStruct(nil, nil), nil)
		p.Scope().Insert(obj)
	}
	p.MarkComplete()
	return p
}()

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// sizes are those of the platform that is built for.
func sizes(env []string) types.Sizes {
	arch := build.Default.GOARCH
	for _, v := range env {
		if a, ok := strings.CutPrefix(v, "GOARCH="); ok && a != "" {
			arch = a
		}
	}
	return types.SizesFor("gc", arch)
}
