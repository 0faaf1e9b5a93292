package gen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// rename gives the single output the name that was asked for.
func (g *generator) rename(all []*model.Package) {
	if g.cfg.Load.Output == "" {
		return
	}
	var files []*model.File
	for _, p := range all {
		files = append(files, p.Files...)
	}
	if len(files) != 1 {
		g.report(load.Diagnostic{Message: fmt.Sprintf("-o needs exactly one source file with types, found %d", len(files))})
		return
	}
	f, path := files[0], g.cfg.Load.Output
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.cfg.Load.Dir, path)
	}
	switch {
	case filepath.Dir(path) != filepath.Dir(f.Source):
		g.report(load.Diagnostic{Message: "-o: the output belongs in the directory of its source, " + filepath.Dir(f.Source)})
	case !strings.HasSuffix(path, ".go"):
		g.report(load.Diagnostic{Message: "-o: the name of the output must end in .go"})
	case strings.HasSuffix(f.Source, "_test.go") != strings.HasSuffix(path, "_test.go"):
		g.report(load.Diagnostic{Message: "-o: the name of the output must end in _test.go if its source is a test file, and only then"})
	case strings.HasPrefix(filepath.Base(path), "_"), strings.HasPrefix(filepath.Base(path), "."):
		g.report(load.Diagnostic{Message: "-o: the go command ignores files whose names begin with _ or a dot, so the methods would be missing"})
	default:
		if tag := load.Narrower(path, f.Source, f.Constraint); tag != "" {
			g.report(load.Diagnostic{Message: fmt.Sprintf("-o: only builds for %s include a file named %s, so others would lack the methods; choose another name, or add the constraint %s to the source", tag, filepath.Base(path), tag)})
		}
	}
	f.Output, f.Stem = path, load.Stem(path)
}

// collisions looks at the outputs of earlier runs that have methods of types that
// this run writes elsewhere: one with such methods alone is superseded, any other
// is the user's to decide about.
func (g *generator) collisions(all []*model.Package) {
	for i, p := range all {
		where := map[string]string{}
		for _, f := range p.Files {
			for _, t := range f.Types {
				if at := where[t.Name]; at != "" && at != f.Output {
					continue
				}
				where[t.Name] = f.Output
			}
		}
		for path, names := range g.loaded.Packages[i].Standing() {
			written := slices.ContainsFunc(p.Files, func(f *model.File) bool { return f.Output == path })
			var twice, others []string
			for _, name := range names {
				if where[name] != "" && where[name] != path {
					twice = append(twice, name)
				} else {
					others = append(others, name)
				}
			}
			if written || len(twice) == 0 {
				continue
			}
			g.collision(path, where[twice[0]], twice, others)
		}
	}
}

// collision removes an output that is superseded, or reports one that is so in
// part.
func (g *generator) collision(path, instead string, twice, others []string) {
	name, instead := load.Relative(g.cfg.Load.Dir, path), load.Relative(g.cfg.Load.Dir, instead)
	if len(others) == 0 {
		g.loaded.Orphans = append(g.loaded.Orphans, path)
		g.report(load.Diagnostic{Warning: true, Message: fmt.Sprintf("%s: the methods of %s are now in %s, so this file is no longer needed", name, strings.Join(twice, ", "), instead)})
		return
	}
	g.report(load.Diagnostic{Message: fmt.Sprintf("%s: it has the methods of %s, which belong in %s, and also those of %s; generate it again for the latter alone, with -type %s -o %s, or remove it",
		name, strings.Join(twice, ", "), instead, strings.Join(others, ", "), strings.Join(others, ","), filepath.Base(path))})
}

// misplaced adds outputs that are to follow the constraint of their source.
func (g *generator) misplaced() {
	for path, text := range g.loaded.Misplaced {
		if old, err := readOld(path); err == nil {
			g.result.Files = append(g.result.Files, File{Path: path, Old: old, New: text})
		}
	}
}
