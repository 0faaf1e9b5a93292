package emit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// A fn is the body of a function in the making.
type fn struct {
	*file
	unit  *unit
	body  *[]jen.Code // the innermost block
	vars  []map[string]bool
	level int // of nested loops, for the names of their variables

	// held adds a check to which the next statement, if it is a check too, may
	// add its conditions.
	held func(more []jen.Code)
}

func (f *file) fn(u *unit) fn {
	return fn{file: f, unit: u, body: new([]jen.Code), vars: []map[string]bool{{}}}
}

// do adds a statement.
func (f *fn) do(format string, args ...any) { f.add(code(format, args...)) }

func (f *fn) add(c ...jen.Code) {
	f.release()
	*f.body = append(*f.body, c...)
}

// release adds the check that is held back.
func (f *fn) release() {
	if held := f.held; held != nil {
		f.held = nil
		held(nil)
	}
}

// comment adds a comment, of the fields that the next statements are about.
func (f *fn) comment(xs ...value) {
	xs = slices.DeleteFunc(slices.Clone(xs), func(x value) bool { return x.isPart })
	if text := comment(xs); text != "" {
		f.add(jen.Comment(text))
	}
}

// advance adds a constant to a variable.
func (f *fn) advance(name string, n int) {
	if n == 1 {
		f.do("%s++", name)
		return
	}
	f.do("%s += %d", name, n)
}

// block collects what emit adds.
func (f *fn) block(emit func()) []jen.Code {
	f.release()
	outer := f.body
	f.body = new([]jen.Code)
	f.vars = append(f.vars, map[string]bool{})
	emit()
	f.release()
	inner := *f.body
	f.body, f.vars = outer, f.vars[:len(f.vars)-1]
	return inner
}

// loop adds a loop unless there is nothing to do in it.
func (f *fn) loop(body []jen.Code, head string, args ...any) {
	if len(body) > 0 {
		f.add(jen.For(code(head, args...)).Block(body...))
	}
}

// declared reports whether name is a variable of this or an outer block.
func (f *fn) declared(name string) bool {
	for _, vars := range f.vars {
		if vars[name] {
			return true
		}
	}
	return false
}

// here reports whether name is a variable of the innermost block.
func (f *fn) here(name string) bool { return f.vars[len(f.vars)-1][name] }

func (f *fn) declare(names ...string) {
	for _, name := range names {
		f.vars[len(f.vars)-1][name] = true
	}
}

// set returns the operator that assigns to variables, declaring those that are
// new.
func (f *fn) set(names ...string) string {
	op := "="
	for _, name := range names {
		if !f.declared(name) {
			f.declare(name)
			op = ":="
		}
	}
	return op
}

// scoped adds what emit adds, which declares variables of these names: in a block
// of its own where this one has them already.
func (f *fn) scoped(emit func(), names ...string) {
	inner := func() {
		f.declare(names...)
		emit()
	}
	if f.here(names[0]) {
		f.add(jen.Block(f.block(inner)...))
	} else {
		inner()
	}
}

// runName returns a name for the bytes of a run of values, and declares it: c,
// or where the block has that atPrice, after the field that the run begins
// with.
func (f *fn) runName(xs []value) string {
	names := []string{"c"}
	if len(xs) > 0 {
		names = append(names, "at"+camel(xs[0].name), "at"+camel(xs[0].expr))
	}
	for n := 2; ; n++ {
		for _, name := range names {
			if name != "at" && !f.here(name) && (name == "c" || f.pkg.Types.Scope().Lookup(name) == nil) {
				f.declare(name)
				return name
			}
		}
		names = append(names, fmt.Sprint("c", n))
	}
}

// camel joins the words of an expression: v.Inner.ID becomes VInnerID.
func camel(expr string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(expr, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' }) {
		first, size := utf8.DecodeRuneInString(word)
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(word[size:])
	}
	return b.String()
}

// nested returns the name of a variable that each level of loops has for
// itself.
func (f *fn) nested(name string) string {
	if f.level > 0 {
		return fmt.Sprint(name, f.level+1)
	}
	return name
}

// free returns a name for a variable of the innermost block, and declares it.
func (f *fn) free(name string) string {
	for n := f.level + 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprint(name, n)
		}
		if !f.declared(try) {
			f.declare(try)
			return try
		}
	}
}
