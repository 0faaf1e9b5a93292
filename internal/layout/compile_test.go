package layout_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
)

// TestCodes finds every code of a problem in the corpus, except those that only
// source with errors has.
func TestCodes(t *testing.T) {
	seen := map[layout.Code]bool{layout.CodeUnresolved: true, layout.CodeTagSyntax: true}
	c := layout.NewCompiler(fromreflect.Feed{})
	list := reflect.TypeFor[corpus.Invalid]()
	for i := range list.NumField() {
		_, problems := c.Compile(list.Field(i).Type)
		for _, p := range problems {
			seen[p.Code] = true
			if p.Path == "" || p.Reason == "" || p.Fix == "" || p.Type == "" || p.Owner == nil {
				t.Errorf("%s: incomplete problem %+v", list.Field(i).Name, p)
			}
		}
	}
	for _, code := range []layout.Code{
		layout.CodeUnsupported, layout.CodeMapKey, layout.CodeUnresolved, layout.CodeOpaque, layout.CodeEmbedded,
		layout.CodeTagSyntax, layout.CodeTagUnknown, layout.CodeTagDuplicate, layout.CodeTagValue, layout.CodeTagConflict,
		layout.CodeTagTarget, layout.CodeOptional, layout.CodeNesting, layout.CodeMethods, layout.CodeMarshaler,
		layout.CodeRecursive, layout.CodeEmpty,
	} {
		if !seen[code] {
			t.Errorf("no type of the corpus has %s", code)
		}
	}
}

// TestOwner finds the field at fault by the problem's owner.
func TestOwner(t *testing.T) {
	_, problems := layout.Compile(fromreflect.Feed{}, reflect.TypeFor[corpus.BadTwice]())
	if len(problems) != 2 {
		t.Fatal(problems)
	}
	if p := problems[0]; p.Owner != reflect.TypeFor[corpus.BadLeaf]() || p.Field != 0 {
		t.Errorf("%s: owner %v, field %d", p.Error(), p.Owner, p.Field)
	}
	if p := problems[1]; p.Owner != reflect.TypeFor[corpus.BadTwice]() || p.Field != 2 {
		t.Errorf("%s: owner %v, field %d", p.Error(), p.Owner, p.Field)
	}
}

// TestFailedRoots: a type that fails does not harm those that share parts of
// it, and its problems come again.
func TestFailedRoots(t *testing.T) {
	type good struct{ A, B int16 }
	type holder struct{ G good }
	type bad struct {
		G good
		H holder
		C chan int
	}
	type outer struct {
		H holder
		B *bad
	}
	c := layout.NewCompiler(fromreflect.Feed{})
	for range 2 {
		_, p1 := c.Compile(reflect.TypeFor[outer]())
		_, p2 := c.Compile(reflect.TypeFor[bad]())
		if len(p1) != 1 || p1[0].Path != "outer.B.C" || len(p2) != 1 || p2[0].Path != "bad.C" {
			t.Fatal(p1, p2)
		}
		plan, problems := c.Compile(reflect.TypeFor[holder]())
		if plan == nil || plan.Root.Fixed != 4 {
			t.Fatal(problems)
		}
	}
}

// TestSharing: roots of one compiler share structs and nodes.
func TestSharing(t *testing.T) {
	c := layout.NewCompiler(fromreflect.Feed{})
	tree, _ := c.Compile(reflect.TypeFor[corpus.Tree]())
	again, _ := c.Compile(reflect.TypeFor[*corpus.Tree]())
	pong, _ := c.Compile(reflect.TypeFor[corpus.Pong]())
	if tree.Root != again.Root {
		t.Error("the same root twice has two nodes")
	}
	if !slices.Contains(pong.Structs, tree.Structs[0]) {
		t.Error("a struct of two roots is laid out twice")
	}
}

// TestReadWhileCompiling: plans are read while later roots are compiled. It
// proves something under the race detector.
func TestReadWhileCompiling(t *testing.T) {
	c := layout.NewCompiler(fromreflect.Feed{})
	var wg sync.WaitGroup
	list := reflect.TypeFor[corpus.Valid]()
	for i := range list.NumField() {
		plan, problems := c.Compile(list.Field(i).Type)
		if plan == nil {
			t.Fatal(problems)
		}
		wg.Go(func() { _ = plan.String() })
	}
	wg.Wait()
}

// TestHash: the hash tells every change of the wire, at any depth, and nothing
// else.
func TestHash(t *testing.T) {
	hash := func(typ reflect.Type) uint64 {
		plan, problems := layout.Compile(fromreflect.Feed{}, typ)
		if plan == nil {
			t.Fatal(problems)
		}
		return plan.Structs[0].Hash()
	}
	type base struct {
		A int32
		B []struct{ T time.Time }
	}
	field := func(name string, typ reflect.Type, tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: name, Type: typ, Tag: tag}
	}
	int32Type, baseType := reflect.TypeFor[int32](), reflect.TypeFor[base]()
	variants := [][]reflect.StructField{
		{field("A", int32Type, ""), field("B", baseType, "")},
		{field("B", baseType, ""), field("A", int32Type, "")},
		{field("A", int32Type, `span:"varint"`), field("B", baseType, "")},
		{field("A", int32Type, ""), field("B", baseType, `span:"sized"`)},
		{field("A", int32Type, ""), field("B", baseType, `span:"optional,sized"`)},
		{field("A", reflect.TypeFor[uint32](), ""), field("B", baseType, "")},
		{field("A", int32Type, ""), field("C", baseType, "")},
		{field("A", int32Type, ""), field("B", reflect.TypeFor[*base](), "")},
		{field("A", int32Type, ""), field("B", reflect.TypeFor[struct{ B []struct{ T int64 } }](), "")},
		{field("A", int32Type, "")},
	}
	seen := map[uint64]int{}
	for i, fields := range variants {
		h := hash(reflect.StructOf(fields))
		if j, ok := seen[h]; ok {
			t.Errorf("variants %d and %d have the same hash", i, j)
		}
		seen[h] = i
	}
	if got, want := hash(reflect.TypeFor[corpus.Point]()), uint64(pointHash); got != want {
		t.Errorf("the hash of Point is %#x, it was %#x", got, want)
	}
}

// pointHash is the hash of [corpus.Point]; generated tests hold such numbers.
const pointHash = 0xf657f3074f6eddaf

// TestGrowth: memory per wire byte when reading.
func TestGrowth(t *testing.T) {
	type wide struct{ A [100]uint64 }
	for _, test := range []struct {
		typ  reflect.Type
		want int
	}{
		{reflect.TypeFor[int32](), 0},
		{reflect.TypeFor[[]int32](), 1},
		{reflect.TypeFor[[]struct{}](), 0},
		{reflect.TypeFor[struct{ L []wide }](), 1},
		{reflect.TypeFor[struct{ P *wide }](), 800},
		{reflect.TypeFor[[]struct {
			A uint8
			S [4]uint32 `span:"-"`
		}](), 20},
	} {
		plan, problems := layout.Compile(fromreflect.Feed{}, test.typ)
		if plan == nil {
			t.Fatal(problems)
		}
		if plan.Root.Growth != test.want {
			t.Errorf("%v: growth %d, want %d", test.typ, plan.Root.Growth, test.want)
		}
	}
}
