// Package gen is the pipeline: load, layout, emit. It reads and computes; the
// caller decides what becomes of the files.
package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// Config holds what to generate.
type Config struct {
	Load load.Config
	// Emit renders one file.
	Emit func(*model.Package, *model.File) ([]byte, error)
	// Guard renders the test that belongs to a file, nil if it needs none.
	Guard func(*model.Package, *model.File) ([]byte, error)
}

// Result is what a run would change, and what the user should know. When a
// diagnostic is an error there are no files.
type Result struct {
	Files       []File // sorted by path, unchanged ones included
	Diagnostics []load.Diagnostic
	Types       int // how many types code was generated for
	Tagged      int // how many structs with binary tags were checked
}

// File is one output.
type File struct {
	Path string
	Old  []byte // nil if it does not exist
	New  []byte // nil if it is to be removed
}

// Changed reports whether the file must be written or removed.
func (f File) Changed() bool {
	return (f.Old == nil) != (f.New == nil) || !bytes.Equal(f.Old, f.New)
}

// Generate runs the pipeline without writing anything. Problems of the user's
// code are diagnostics; an error means that it could not be examined.
func Generate(ctx context.Context, cfg Config) (result *Result, err error) {
	defer func() {
		// Such as the type checker's, for export data of another Go version.
		if v := recover(); v != nil {
			result, err = nil, fmt.Errorf("a bug in spangen or in a package it uses, please report it: %v", v)
		}
	}()
	loaded, err := load.Load(ctx, cfg.Load)
	if err != nil {
		return nil, err
	}
	g := &generator{
		cfg: cfg, loaded: loaded, compiler: layout.NewCompiler(loaded.Feed),
		result:    &Result{Diagnostics: loaded.Diagnostics},
		generated: map[layout.Ref]bool{},
		caseless:  map[*types.Var]bool{},
		faults:    map[fault]layout.Problem{},
		outputs:   map[*load.Package][]*rendered{},
		noted:     map[string]bool{},
	}
	start := time.Now()
	packages := g.plan()
	g.checkTagged()
	g.tellFaults()
	g.logf("laid out %d types in %v", g.result.Types, since(start))
	g.result.Diagnostics = load.Sort(g.result.Diagnostics)
	if load.Failed(g.result.Diagnostics) {
		return g.result, nil
	}
	start = time.Now()
	for i, p := range packages {
		for _, f := range p.Files {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g.emit(g.loaded.Packages[i], p, f)
		}
	}
	g.logf("rendered %d files in %v", len(g.result.Files), since(start))
	if !load.Failed(g.result.Diagnostics) {
		g.verify()
	}
	g.orphans()
	g.misplaced()
	g.result.Diagnostics = load.Sort(g.result.Diagnostics)
	if load.Failed(g.result.Diagnostics) {
		g.result.Files = nil
	}
	slices.SortFunc(g.result.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return g.result, nil
}

type generator struct {
	cfg       Config
	loaded    *load.Result
	compiler  *layout.Compiler
	result    *Result
	generated map[layout.Ref]bool
	caseless  map[*types.Var]bool      // fields that were reported
	noted     map[string]bool          // types that a note was given of
	faults    map[fault]layout.Problem // to be reported with the shortest path
	outputs   map[*load.Package][]*rendered
}

func (g *generator) logf(format string, args ...any) {
	if g.cfg.Load.Logf != nil {
		g.cfg.Load.Logf(format, args...)
	}
}

func since(start time.Time) time.Duration { return time.Since(start).Round(time.Millisecond) }

func (g *generator) report(d load.Diagnostic) {
	g.result.Diagnostics = append(g.result.Diagnostics, d)
}

// plan compiles the layout of all types.
func (g *generator) plan() []*model.Package {
	var all []*model.Package
	for _, p := range g.loaded.Packages {
		m := &model.Package{
			Path: p.Path, Name: p.Name, Types: p.Types,
			Describe:  g.loaded.Feed,
			Generated: g.isGenerated,
			IsOthers:  p.IsOthers,
			Constraint: func(ref layout.Ref) string {
				if named, ok := g.loaded.Feed.Type(ref).(*types.Named); ok {
					return p.Constraint(named.Obj())
				}
				return ""
			},
		}
		for _, f := range p.Files {
			out := &model.File{
				Source: f.Path, Output: f.Output, Stem: f.Stem, Constraint: f.Constraint,
			}
			for _, t := range f.Types {
				out.Types = append(out.Types, g.planType(p, t))
				g.result.Types++
			}
			m.Files = append(m.Files, out)
		}
		all = append(all, m)
	}
	g.rename(all)
	g.collisions(all)
	return all
}

func (g *generator) isGenerated(ref layout.Ref) bool {
	is, ok := g.generated[ref]
	if !ok {
		is = g.loaded.Feed.Shape(ref).Methods.Generated
		g.generated[ref] = is
	}
	return is
}

// emit renders one file. Whatever goes wrong in there is the user's to know,
// and never a panic.
func (g *generator) emit(from *load.Package, p *model.Package, f *model.File) {
	old, err := readOld(f.Output)
	if err == nil && old != nil && !load.IsOwn(old) && !load.IsSpoilt(old) {
		err = errors.New("the file exists and was not written by spangen; rename it, or the source file")
	}
	if err != nil {
		g.report(load.Diagnostic{Message: load.Relative(g.cfg.Load.Dir, f.Output) + ": " + err.Error()})
		return
	}
	text, err := g.render(from, p, f, f.Output, g.cfg.Emit)
	if err != nil {
		g.refused(f, err)
		return
	}
	if g.checkPredeclared(p, text) {
		g.result.Files = append(g.result.Files, File{Path: f.Output, Old: old, New: text})
		g.guard(from, p, f)
	}
}

// refused reports why a file can't be rendered, each reason at its place.
func (g *generator) refused(f *model.File, err error) {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		var placed interface{ Position() token.Position }
		if errors.As(err, &placed) {
			g.report(load.Diagnostic{Pos: placed.Position(), Message: err.Error()})
			continue
		}
		g.report(load.Diagnostic{Message: load.Relative(g.cfg.Load.Dir, f.Source) + ": " + err.Error()})
	}
}

// guard renders the test of one file. One that is not needed anymore is
// removed.
func (g *generator) guard(from *load.Package, p *model.Package, f *model.File) {
	if g.cfg.Guard == nil {
		return
	}
	path := load.GuardPath(f.Output)
	old, err := readOld(path)
	if err == nil && old != nil && !load.IsOwn(old) && !load.IsSpoilt(old) {
		err = errors.New("the file exists and was not written by spangen; rename it")
	}
	var text []byte
	if err == nil {
		text, err = g.render(from, p, f, path, g.cfg.Guard)
	}
	switch {
	case err != nil:
		g.report(load.Diagnostic{Message: load.Relative(g.cfg.Load.Dir, path) + ": " + err.Error()})
	case text != nil || old != nil:
		g.result.Files = append(g.result.Files, File{Path: path, Old: old, New: text})
	}
}

// render makes the text of one output, nil where there is none to be.
func (g *generator) render(from *load.Package, p *model.Package, f *model.File, path string, emit func(*model.Package, *model.File) ([]byte, error)) (text []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a bug in spangen, please report it with this file: %v", v)
		}
	}()
	raw, err := emit(p, f)
	if raw == nil || err != nil {
		return nil, err
	}
	syntax, text, err := g.gofmt(path, raw)
	if err != nil {
		return nil, err
	}
	g.outputs[from] = append(g.outputs[from], &rendered{load.Output{Path: path, Syntax: syntax}, raw, f})
	return text, nil
}

// orphans adds outputs that nothing generates anymore.
func (g *generator) orphans() {
	for _, path := range g.loaded.Orphans {
		if slices.ContainsFunc(g.result.Files, func(f File) bool { return f.Path == path }) {
			continue
		}
		old, err := readOld(path)
		if err == nil && old != nil {
			g.result.Files = append(g.result.Files, File{Path: path, Old: old})
		}
	}
}

// readOld returns the content of a file, nil if it does not exist.
func readOld(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case text == nil:
		return []byte{}, nil
	}
	return text, nil
}
