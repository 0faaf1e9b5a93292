package fromtypes

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/layout"
)

// spanSource is what the tests need of package span.
const spanSource = `package span
type Writer struct{ _ int }
type Reader struct{ _ int }
`

// check type-checks one file, tolerating errors as the generator does.
func check(t *testing.T, source string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	parse := func(source string) []*ast.File {
		f, err := parser.ParseFile(fset, "m.go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		return []*ast.File{f}
	}
	span, err := new(types.Config).Check(spanPath, fset, parse(spanSource), nil)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) {
			switch path {
			case spanPath:
				return span, nil
			case "missing":
				return nil, errors.New("no such package")
			}
			return importer.Default().Import(path)
		}),
		Error: func(error) {},
	}
	pkg, _ := conf.Check("example.com/m", fset, parse(source), nil)
	return pkg
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// compile compiles a declared type, with the directives of those named.
func compile(t *testing.T, source, name string, generated ...string) (*layout.Plan, []layout.Problem) {
	t.Helper()
	pkg := check(t, source)
	var objs []*types.TypeName
	for _, g := range generated {
		objs = append(objs, pkg.Scope().Lookup(g).(*types.TypeName))
	}
	feed := New(objs...)
	return layout.Compile(feed, feed.Ref(pkg.Scope().Lookup(name).Type()))
}

func lines(p *layout.Plan, problems []layout.Problem) string {
	if p != nil {
		return p.String()
	}
	var all []string
	for _, p := range problems {
		all = append(all, p.Error()+" ["+string(p.Code)+"]")
	}
	return strings.Join(all, "\n")
}

func wants(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

// TestTypeParams: a generic declaration has nodes for its parameters, and is
// the same type where it uses itself.
func TestTypeParams(t *testing.T) {
	const source = `package m
		type Num interface{ ~int32 | ~uint16 }
		type Pair[K Num, V ~string] struct {
			Key  K ` + "`span:\"varint\"`" + `
			Val  V
			Rest []V ` + "`span:\"max=3,utf8\"`" + `
			M    map[K]*V
			Next *Pair[K, V]
			Turn *Other[V]
		}
		type Other[T any] struct { L []T; P Pair[int32, string] }`
	got := lines(compile(t, source, "Pair"))
	wants(t, got,
		"root example.com/m.Pair[K,V]\n", "#0 example.com/m.Pair[K,V]",
		`0 Key "varint" (param K`, "1 Val (param V", "(slice []V max=3 least=1 (param V",
		"(map map[K]*V least=1 (param K least=0) (pointer *V least=1 (param V",
		"4 Next (pointer *example.com/m.Pair[K,V] least=1 structs (struct #0",
		"#1 example.com/m.Other[V]", "#2 example.com/m.Pair[int32,string]")
	if strings.Count(got, "#0 example.com/m.Pair[K,V] ") != 1 {
		t.Errorf("the declaration and its own use are two structs:\n%s", got)
	}
}

// TestToCome: types with a directive count as generated before their methods
// are there, with all that embedding does.
func TestToCome(t *testing.T) {
	const body = `
		import "github.com/spanwire/spanwire/span"
		type Inner struct{ A int8 }
		type Outer struct{ Inner; B int8 }
		type Wrap struct{ *Outer; C int8 }
		type List []Inner
		type Box[T any] struct{ V T }
		type Own struct{ Inner; D int8 }
		func (*Own) WriteSpan(*span.Writer) {}
		func (*Own) ReadSpan(*span.Reader) {}
		type Uses struct{ I Inner; O Outer; W Wrap; L List; B Box[int8]; P *Box[string]; N Own }
	`
	const methods = `
		func (*Inner) WriteSpan(*span.Writer) {}
		func (*Inner) ReadSpan(*span.Reader) {}
		func (*Inner) SpanGenerated(*Inner) {}
		func (*List) WriteSpan(*span.Writer) {}
		func (*List) ReadSpan(*span.Reader) {}
		func (*List) SpanGenerated(*List) {}
		func (*Box[T]) WriteSpan(*span.Writer) {}
		func (*Box[T]) ReadSpan(*span.Reader) {}
		func (*Box[T]) SpanGenerated(*Box[T]) {}
	`
	before := lines(compile(t, "package m\n"+body, "Uses", "Inner", "List", "Box"))
	after := lines(compile(t, "package m\n"+body+methods, "Uses"))
	if before != after {
		t.Errorf("before generation\n%s\nafter\n%s", before, after)
	}
	wants(t, after,
		"#1 example.com/m.Inner generated", "(slice example.com/m.List generated",
		"Box[int8] generated", "Box[string] generated", "#2 example.com/m.Outer canonical", "#3 example.com/m.Wrap canonical")
}

// TestBroken: source that does not compile has problems, not panics, and an
// instance that grows for ever has an end.
func TestBroken(t *testing.T) {
	got := lines(compile(t, `package m
		import "missing"
		type T struct {
			A missing.X
			B []NoSuch
			C map[string]*Half
			D undefined.Y
			E int
		}
		type Half struct { F NoSuch }
		type Grow[P any] struct { Next *Grow[[]P] }`, "T"))
	wants(t, got, "T.A: the type could not be resolved", "T.B[]: ", "T.C[].F: ", "T.D: ", "[unresolved-type]")
	if strings.Contains(got, "T.E") {
		t.Errorf("a good field is at fault:\n%s", got)
	}
	got = lines(compile(t, `package m
		type T struct { G Grow[int] }
		type Grow[P any] struct { Next *Grow[[]P]; V P }`, "T"))
	wants(t, got, "T.G.Next.Next", "ever larger instances", "[infinite-type]")
	if strings.Count(got, "\n") > 3 {
		t.Errorf("the endless type is reported more than once:\n%.1000s", got)
	}
}

// TestField finds the variable at fault.
func TestField(t *testing.T) {
	pkg := check(t, `package m
		type T struct { A int; In []Inner }
		type Inner struct { B, C chan int }`)
	feed := New()
	_, problems := layout.Compile(feed, feed.Ref(pkg.Scope().Lookup("T").Type()))
	if len(problems) != 2 {
		t.Fatal(problems)
	}
	if v := feed.Field(problems[1].Owner, problems[1].Field); v == nil || v.Name() != "C" || !v.Pos().IsValid() {
		t.Errorf("%s: field %v", problems[1].Error(), v)
	}
	if v := feed.Field(problems[1].Owner, -1); v != nil {
		t.Errorf("field -1 is %v", v)
	}
}

// TestRef: identical types have one ref, whatever they are called.
func TestRef(t *testing.T) {
	pkg := check(t, `package m
		type A = []map[string]B
		type B = *C
		type C struct{}
		var X A
		var Y []map[string]*C
		var Z = struct{ F A }{}
		var W struct{ F []map[string]B }`)
	feed := New()
	ref := func(name string) layout.Ref { return feed.Ref(pkg.Scope().Lookup(name).Type()) }
	if ref("X") != ref("Y") || ref("Z") != ref("W") || ref("X") == ref("Z") {
		t.Error("refs do not follow the identity of types")
	}
}
