package layout

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// What the tag omit leaves out of types that other people wrote.

// A cut is what is left out below a field.
type cut struct {
	// paths are the fields to leave out of the struct that the field leads to,
	// sorted: "A.B|C".
	paths string
	// barred are the fields of this and of all types below that have no wire
	// form and were left out of their type once, sorted: "pkg.Type.Field|...".
	// Types that lead back to themselves could not be carried without.
	barred string
}

// arePaths checks the value of the option omit.
func arePaths(text string, _ bool) (int, bool) {
	for path := range strings.SplitSeq(text, "|") {
		for name := range strings.SplitSeq(path, ".") {
			if !isName(name) {
				return 0, false
			}
		}
	}
	return 0, true
}

// isName reports whether s is a Go identifier.
func isName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

func sortedPaths(lists ...string) string {
	var all []string
	for _, list := range lists {
		if list != "" {
			all = append(all, strings.Split(list, "|")...)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "|")
}

// field reports what a cut does to a field of a struct by that name: whether it
// is left out, and what is cut below it.
func (o cut) field(name string) (out bool, below cut) {
	below.barred = o.barred
	if o.paths == "" {
		return false, below
	}
	var rest []string
	for path := range strings.SplitSeq(o.paths, "|") {
		first, tail, deeper := strings.Cut(path, ".")
		switch {
		case first != name:
		case !deeper:
			return true, below
		default:
			rest = append(rest, tail)
		}
	}
	below.paths = strings.Join(rest, "|")
	return false, below
}

// bars reports whether the field is left out of its type wherever that is.
func (o cut) bars(owner, name string) bool {
	return o.barred != "" && slices.Contains(strings.Split(o.barred, "|"), owner+"."+name)
}

// omitted resolves the paths that a field's own tag leaves out. It reports
// those that lead to nothing, and returns the fields found that have no wire
// form.
func (w *walk) omitted(ref Ref, o leafOptions, sc scope, at Site) (barred string) {
	if o.cut.paths == "" {
		return ""
	}
	leaf, _, ok := w.c.leaf(ref, o.ask, sc.pkg)
	if f, fl := w.c.form(leaf, o.ask, sc.pkg); !ok || fl != nil || f != formFields {
		return "" // told elsewhere
	}
	seen := ""
	for path := range strings.SplitSeq(o.cut.paths, "|") {
		if seen != "" && strings.HasPrefix(path, seen+".") {
			w.report(at, w.c.shape(ref).Name, Fault{
				CodeOmit, "the option omit names " + path + " below " + seen + ", which it already leaves out",
				"remove " + path,
			})
			continue
		}
		seen = path
		owner, field, fl := w.c.resolve(leaf, path)
		switch {
		case fl != nil:
			w.report(at, w.c.shape(ref).Name, *fl)
		case w.barred(field, w.c.shape(owner).Pkg):
			barred = sortedPaths(barred, w.c.shape(owner).Name+"."+path[strings.LastIndexByte(path, '.')+1:])
		}
	}
	return barred
}

// resolve follows a path of names from a struct, through pointers and the
// elements of lists, to the type of a field and the struct that declares it.
func (c *Compiler) resolve(ref Ref, path string) (owner, field Ref, fl *Fault) {
	walked := ""
	for name := range strings.SplitSeq(path, ".") {
		sh := c.shape(ref)
		i := -1
		for _, fi := range c.info(ref).fields {
			if fi.wire && sh.Fields[fi.index].Name == name {
				i = fi.index
			}
		}
		if i < 0 {
			return nil, nil, &Fault{
				CodeOmit, "the option omit names " + walked + name + ", but " + sh.Name + " has no field " + name + " on the wire",
				c.advise(ref, walked, name),
			}
		}
		owner, field = ref, sh.Fields[i].Type
		walked += name + "."
		if len(walked) > len(path) {
			break
		}
		home := sh.Pkg
		leaf, _, ok := c.leaf(field, askNothing, home)
		if f, fault2 := c.form(leaf, askNothing, home); !ok || fault2 != nil || f != formFields {
			return nil, nil, &Fault{
				CodeOmit, "the option omit names " + path + ", but " + walked[:len(walked)-1] + " is not a struct laid out by its fields",
				"leave out " + walked[:len(walked)-1] + " as a whole",
			}
		}
		ref = leaf
	}
	return owner, field, nil
}

// advise names the field that is nearest to what a path says.
func (c *Compiler) advise(ref Ref, walked, name string) string {
	best, least := "", 1<<30
	var visit func(ref Ref, prefix string, depth int)
	visit = func(ref Ref, prefix string, depth int) {
		sh := c.shape(ref)
		for _, fi := range c.info(ref).fields {
			f := &sh.Fields[fi.index]
			if !fi.wire {
				continue
			}
			if d := distance(strings.ToLower(name), strings.ToLower(f.Name)) + depth; d < least {
				best, least = prefix+f.Name, d
			}
			leaf, _, _ := c.leaf(f.Type, askNothing, sh.Pkg)
			if f.Embedded && depth < 3 && c.shape(leaf).Kind == StructKind {
				visit(leaf, prefix+f.Name+".", depth+1) // Go promotes its names
			}
		}
	}
	visit(ref, walked, 0)
	if best == "" {
		return "remove it: there are no fields to leave out"
	}
	return "the nearest is " + best
}

// distance counts the letters that must change to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// barred reports whether ref is a type that can't be carried in a struct of
// package home.
func (w *walk) barred(ref Ref, home string) bool {
	if w.trying[ref] {
		return false
	}
	try := newWalk(w.c, w.own)
	try.trying = map[Ref]bool{ref: true}
	maps.Copy(try.trying, w.trying)
	at := Site{owner: ref, field: -1}
	n := try.node(ref, options{}, scope{pkg: home}, at)
	try.analyze(n)
	try.keepState(n, at)
	try.refuseEndless(n, at)
	return len(try.problems) > 0
}

// omission returns how to leave out a field of a type that is not the root's
// package's, "" where the place at fault is in a field of the user's own.
func (w *walk) omission(at Site) string {
	var names []string
	for s := &at; s != nil; s = s.up {
		switch {
		case s.part == "[key]" || s.part == "._":
			names = nil // out of reach, but not what holds it
		case !strings.HasPrefix(s.part, "."):
		case !w.isOwn(s):
			names = append(names, s.part[1:])
		case len(names) == 0:
			return ""
		default:
			slices.Reverse(names)
			return "leave it out with `span:\"omit=" + strings.Join(names, ".") + "\"` on " + s.Path()
		}
	}
	return ""
}

// isOwn reports whether s is a field of a struct of the root's package; the
// fields of an anonymous struct are those of the struct around it.
func (w *walk) isOwn(s *Site) bool {
	for ; s != nil; s = s.up {
		if pkg := w.c.shape(s.owner).Pkg; pkg != "" && s.field >= 0 {
			return pkg == w.own
		}
	}
	return true
}
