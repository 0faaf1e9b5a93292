package load

import (
	"go/ast"
	"slices"
	"strconv"
	"time"

	"golang.org/x/tools/go/packages"
)

// spanPath is the package that generated methods take their cursors from.
const spanPath = "github.com/spanwire/spanwire/span"

// fromSource reports whether a package is checked from source: those with
// chosen types or binary tags, because the export data of the build cache may be
// stale or missing, all that depend on them, test variants, and those that don't
// compile.
func (l *loader) fromSource(p *packages.Package) bool {
	if is, ok := l.reaches[p.ID]; ok {
		return is
	}
	l.reaches[p.ID] = false // against cycles
	is := l.targets[p.PkgPath] || p.ForTest != ""
	if file, asked := l.exports[p.PkgPath]; asked && file == "" {
		is = true
	}
	for _, imp := range p.Imports {
		is = l.fromSource(imp) || is
	}
	l.reaches[p.ID] = is
	return is
}

// findExports asks for the export data of all that packages checked from
// source import. A package without any is checked from source as well, which
// may add imports, so it is repeated until nothing is missing.
func (l *loader) findExports() error {
	for {
		l.reaches = map[string]bool{}
		missing := map[string]bool{}
		seen := map[string]bool{}
		for _, u := range l.units {
			if u.wanted() {
				l.missing(u.pkg, seen, missing)
			}
		}
		if l.span != nil {
			l.need(l.span, seen, missing)
		}
		if len(missing) == 0 {
			return nil
		}
		if err := l.askExports(missing); err != nil {
			return err
		}
	}
}

// askExports asks for the export data of packages.
func (l *loader) askExports(missing map[string]bool) error {
	var paths []string
	for path := range missing {
		paths = append(paths, path)
		l.exports[path] = ""
	}
	slices.Sort(paths)
	pkgs, err := l.query(packages.NeedName|packages.NeedExportFile, false, nil, paths...)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		l.exports[p.PkgPath] = p.ExportFile
	}
	return nil
}

// missing adds the packages below p whose export data is needed and unknown.
func (l *loader) missing(p *packages.Package, seen, missing map[string]bool) {
	if seen[p.ID] {
		return
	}
	seen[p.ID] = true
	for _, s := range l.sources(p) {
		if s.ast == nil {
			continue
		}
		for _, spec := range s.ast.Imports {
			if imp := p.Imports[importPath(spec)]; imp != nil && imp.PkgPath != "unsafe" {
				l.need(imp, seen, missing)
			}
		}
	}
}

// need adds one package, or those below it where it is checked from source.
func (l *loader) need(p *packages.Package, seen, missing map[string]bool) {
	if l.fromSource(p) {
		l.missing(p, seen, missing)
	} else if _, asked := l.exports[p.PkgPath]; !asked {
		missing[p.PkgPath] = true
	}
}

// sources returns the parsed files of a package without our own output.
func (l *loader) sources(p *packages.Package) []*source {
	var all []*source
	for _, path := range p.GoFiles {
		s := l.read(path)
		if s.own {
			continue
		}
		l.parse(s)
		all = append(all, s)
	}
	return all
}

// check type-checks every unit with chosen types or binary tags.
func (l *loader) check() error {
	if !slices.ContainsFunc(l.units, (*unit).wanted) {
		return nil
	}
	if slices.ContainsFunc(l.units, func(u *unit) bool { return len(u.chosen) > 0 }) {
		l.span = l.findSpan()
	}
	if err := l.findExports(); err != nil {
		return err
	}
	if l.span != nil && l.exports[spanPath] == "" && !l.targets[spanPath] && len(l.span.GoFiles) == 0 {
		l.span = nil // it can't be had
	}
	start := time.Now()
	n := 0
	for _, u := range l.units {
		if !u.wanted() {
			continue
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		broken := false
		for _, s := range l.sources(u.pkg) {
			if len(u.chosen) > 0 {
				l.tellBroken(s)
			}
			broken = broken || s.broken != nil
		}
		if broken {
			continue
		}
		if _, err := l.source(u.pkg); err != nil && len(u.chosen) > 0 {
			l.diagnostics = append(l.diagnostics, Diagnostic{Message: u.pkg.ID + ": " + err.Error()})
			continue
		}
		n++
	}
	l.logf("type-checked %d packages in %v", n, time.Since(start).Round(time.Millisecond))
	return nil
}

// findSpan finds the package that generated methods take their cursors from.
// Where nothing imports it yet it is one that the go command is still to be
// asked for, or nil where that is of no use.
func (l *loader) findSpan() (found *packages.Package) {
	var roots []*packages.Package
	for _, u := range l.units {
		roots = append(roots, u.pkg)
	}
	packages.Visit(roots, func(p *packages.Package) bool {
		if p.PkgPath == spanPath && p.ForTest == "" {
			found = p
		}
		return found == nil
	}, nil)
	if found == nil && l.requiresSpan() {
		found = &packages.Package{ID: spanPath, PkgPath: spanPath, Name: "span"}
	}
	return found
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return path
}
