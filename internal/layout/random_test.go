package layout_test

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
	"github.com/spanwire/spanwire/internal/test"
)

// tagWords are what random tags are made of.
var tagWords = []string{
	"varint", "zigzag", "be", "len=1", "len=2", "len=4", "len=3", "fixed=8", "fixed=0", "unix", "unixmilli", "unixnano",
	"ticks", "optional", "sized", "nilable", "max=5", "max=", "shared", "utf8", "marshal", "fields", "nosuch", "-", "",
}

// TestRandomStructs puts random types of the corpus under random tags into
// structs and holds both feeds, and what must always be so, against them.
func TestRandomStructs(t *testing.T) {
	pkg := exported(t)
	pool := append(roots(t, reflect.TypeFor[corpus.Valid](), pkg), roots(t, reflect.TypeFor[corpus.Invalid](), pkg)...)
	random := rand.New(rand.NewPCG(1, 2))
	feed := fromtypes.New()
	running, source := layout.NewCompiler(fromreflect.Feed{}), layout.NewCompiler(feed)
	plans, rounds := 0, test.Count(600, 3000, 30_000)
	for range rounds {
		var fields []reflect.StructField
		var vars []*types.Var
		var tags []string
		for i := range 1 + random.IntN(3) {
			r := pool[random.IntN(len(pool))]
			name, tag := fmt.Sprintf("F%d", i), randomTag(random)
			fields = append(fields, reflect.StructField{Name: name, Type: r.reflect, Tag: reflect.StructTag(tag)})
			vars = append(vars, types.NewField(0, nil, name, r.source, false))
			tags = append(tags, tag)
		}
		p1, problems1 := running.Compile(reflect.StructOf(fields))
		p2, problems2 := source.Compile(feed.Ref(types.NewStruct(vars, tags)))
		if one, two := outcome(p1, problems1), outcome(p2, problems2); one != two {
			t.Fatalf("by reflection\n%s\nfrom go/types\n%s", one, two)
		}
		if p1 != nil {
			plans++
			checkPlan(t, p1)
		}
	}
	if plans < rounds/10 {
		t.Errorf("only %d of the random structs have a plan", plans)
	}
}

func randomTag(random *rand.Rand) string {
	var words []string
	for range random.IntN(3) {
		words = append(words, tagWords[random.IntN(len(tagWords))])
	}
	return `span:"` + strings.Join(words, ",") + `"`
}

// checkPlan checks what holds of every plan.
func checkPlan(t *testing.T, p *layout.Plan) {
	t.Helper()
	seen := map[*layout.Node]bool{}
	var check func(n *layout.Node)
	check = func(n *layout.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		switch {
		case n.Op == layout.OpInvalid, n.Type == nil, n.Name == "":
			t.Errorf("%s: incomplete node", n.Name)
		case n.Fixed >= 0 && n.Min != n.Fixed:
			t.Errorf("%s: at least %d bytes, exactly %d", n.Name, n.Min, n.Fixed)
		case n.MinSwitched > n.Min, n.MinSwitched == 0 && n.Min > 0:
			t.Errorf("%s: at least %d bytes, with switches %d", n.Name, n.Min, n.MinSwitched)
		case n.Fixed > 0 && n.MayEndNil:
			t.Errorf("%s: a value of fixed size may end in nothing", n.Name)
		case (n.Op == layout.OpStruct) != (n.Struct != nil):
			t.Errorf("%s: struct or not", n.Name)
		case (n.Op == layout.OpShared || n.Op == layout.OpSized) && n.Elem.Op != layout.OpStruct:
			t.Errorf("%s: %v of %v", n.Name, n.Op, n.Elem.Op)
		}
		check(n.Key)
		check(n.Elem)
		if n.Struct != nil {
			for _, f := range n.Struct.Fields {
				check(f.Node)
			}
		}
	}
	check(p.Root)
}
