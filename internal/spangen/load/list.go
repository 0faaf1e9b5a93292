package load

import (
	"errors"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// listMode asks the go command for names, files and the graph of imports:
// nothing is built or parsed.
const listMode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedForTest

// query asks the go command about packages.
func (l *loader) query(mode packages.LoadMode, tests bool, overlay map[string][]byte, patterns ...string) ([]*packages.Package, error) {
	start := time.Now()
	cfg := &packages.Config{
		Context: l.ctx, Mode: mode, Dir: l.cfg.Dir, Env: l.cfg.Env, Tests: tests, Overlay: overlay,
	}
	if l.cfg.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + l.cfg.Tags}
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, errors.New(plainError(err.Error()))
	}
	l.logf("go list of %d patterns: %d packages in %v", len(patterns), len(pkgs), time.Since(start).Round(time.Millisecond))
	return pkgs, nil
}

// plainError takes out of an error of the go command how it was called.
func plainError(text string) string {
	if before, after, ok := strings.Cut(text, "stderr: "); ok {
		if text = after; strings.TrimSpace(after) == "" {
			text = before
		}
	}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "err: exit status 1: ", ""), "err: ")
	return strings.Trim(text, " \t\r\n:")
}

// list finds the named packages and divides them into units.
func (l *loader) list() error {
	roots, err := l.query(listMode, true, nil, l.cfg.Patterns...)
	if err != nil {
		return err
	}
	if overlay := l.blank(roots); overlay != nil {
		if roots, err = l.query(listMode, true, overlay, l.cfg.Patterns...); err != nil {
			return err
		}
	}
	if len(roots) == 0 {
		return fmt.Errorf("%s matches no packages", strings.Join(l.cfg.Patterns, " "))
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return compareText(a.ID, b.ID) })
	ordinary := map[string]map[string]bool{} // the ordinary files of a package
	for _, p := range roots {
		if p.ForTest == "" {
			ordinary[p.PkgPath] = map[string]bool{}
			for _, path := range p.GoFiles {
				ordinary[p.PkgPath][path] = true
			}
		}
	}
	for _, p := range roots {
		if path, ok := strings.CutSuffix(p.ID, ".test"); ok && p.Name == "main" && ordinary[path] != nil {
			continue // the program that go test makes up to run tests
		}
		u := &unit{pkg: p}
		for _, path := range p.GoFiles {
			s := l.read(path)
			s.named = true
			if p.ForTest == "" || !ordinary[p.PkgPath][path] {
				u.files = append(u.files, s)
			}
			l.folder(filepath.Dir(path))
		}
		slices.SortFunc(u.files, func(a, b *source) int { return compareText(a.path, b.path) })
		l.units = append(l.units, u)
		l.listErrors(u)
	}
	return nil
}

// blank returns an overlay that empties our outputs in the folders of packages
// that the go command finds fault with, nil when there is nothing to gain. An
// old output may have another package clause than its source has by now, or
// imports that make a cycle.
func (l *loader) blank(roots []*packages.Package) map[string][]byte {
	var overlay map[string][]byte
	for _, p := range roots {
		if len(p.Errors) == 0 || p.Dir == "" {
			continue
		}
		for _, name := range l.folder(p.Dir).names {
			path := filepath.Join(p.Dir, name)
			if !l.read(path).own {
				continue
			}
			text := "package " + p.Name + "\n"
			from, ok := sourcePath(path)
			if f := l.parse(l.read(from)); ok && f != nil {
				text = "package " + f.Name.Name + "\n"
			}
			if x := buildLine(l.read(path).text); x != nil {
				text = "//go:build " + x.String() + "\n\n" + text
			}
			if overlay == nil {
				overlay = map[string][]byte{}
			}
			overlay[path] = []byte(text)
		}
	}
	return overlay
}

// listErrors reports what the go command found wrong with a package. Imports
// that can't be resolved are tolerated: they matter only where a chosen type
// needs them, and then the type checker reports it.
func (l *loader) listErrors(u *unit) {
	for _, e := range u.pkg.Errors {
		if e.Kind == packages.ParseError || u.pkg.ForTest != "" || l.isImportError(u, e) {
			continue
		}
		l.diagnostics = append(l.diagnostics, Diagnostic{Message: u.pkg.ID + ": " + plainError(e.Msg)})
	}
}

// isImportError reports whether e belongs to an import declaration.
func (l *loader) isImportError(u *unit, e packages.Error) bool {
	return slices.ContainsFunc(u.files, func(s *source) bool {
		f := l.parse(s)
		return f != nil && slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool {
			p := l.position(imp.Path.Pos())
			at := fmt.Sprintf("%s:%d:", filepath.Base(p.Filename), p.Line)
			return strings.HasPrefix(filepath.Base(e.Pos), at) || strings.Contains(e.Msg, at)
		})
	})
}
