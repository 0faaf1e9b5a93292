package layout_test

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A root is one type of the corpus as both feeds see it.
type root struct {
	name    string
	reflect reflect.Type
	source  types.Type
}

// roots pairs the fields of a corpus struct.
func roots(t *testing.T, list reflect.Type, pkg *types.Package) []root {
	t.Helper()
	obj := pkg.Scope().Lookup(list.Name())
	s := obj.Type().Underlying().(*types.Struct)
	all := make([]root, list.NumField())
	for i := range all {
		all[i] = root{list.Field(i).Name, list.Field(i).Type, s.Field(i).Type()}
	}
	return all
}

// exported is the corpus as export data has it, read once.
func exported(t *testing.T) *types.Package {
	t.Helper()
	pkg, err := fromExport()
	require.NoError(t, err)
	return pkg
}

var fromExport = sync.OnceValues(func() (*types.Package, error) { return load(packages.NeedExportFile) })

// load reads the corpus from source, or as export data has it.
func load(mode packages.LoadMode) (*types.Package, error) {
	cfg := &packages.Config{Mode: mode | packages.NeedName | packages.NeedTypes | packages.NeedImports}
	pkgs, err := packages.Load(cfg, reflect.TypeFor[corpus.Valid]().PkgPath())
	if err != nil {
		return nil, err
	}
	for _, err := range pkgs[0].Errors {
		return nil, err
	}
	return pkgs[0].Types, nil
}

// outcome is a plan or all problems as text.
func outcome(p *layout.Plan, problems []layout.Problem) string {
	if p != nil {
		return p.String()
	}
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s [%s, field %d, type %s]\n", p.Error(), p.Code, p.Field, p.Type)
	}
	return b.String()
}

// TestCorpus compares the feeds: the same plan, or the same problems, for
// every type; read from source as well as from export data.
func TestCorpus(t *testing.T) {
	parsed, err := load(packages.NeedSyntax | packages.NeedTypesInfo)
	require.NoError(t, err)
	sources := map[string]*types.Package{
		"source": parsed,
		"export": exported(t),
	}
	lists := []reflect.Type{
		reflect.TypeFor[corpus.Valid](), reflect.TypeFor[corpus.Invalid](), reflect.TypeFor[corpus.Standard](),
	}
	for how, pkg := range sources {
		for _, list := range lists {
			t.Run(how+list.Name(), func(t *testing.T) { compareFeeds(t, roots(t, list, pkg)) })
		}
	}
}

func compareFeeds(t *testing.T, all []root) {
	feed := fromtypes.New()
	running, source := layout.NewCompiler(fromreflect.Feed{}), layout.NewCompiler(feed)
	for _, r := range all {
		p1, problems1 := running.Compile(r.reflect)
		p2, problems2 := source.Compile(feed.Ref(r.source))
		one, two := outcome(p1, problems1), outcome(p2, problems2)
		if one != two {
			t.Errorf("%s: by reflection\n%s\nfrom go/types\n%s", r.name, one, two)
			continue
		}
		if p1 != nil {
			compareTexts(t, r.name, p1, p2)
			for i, s := range p1.Structs {
				if s.Hash() != p2.Structs[i].Hash() {
					t.Errorf("%s: the hashes of %s differ", r.name, s.Name)
				}
			}
		}
		if fresh, problems := layout.Compile(fromreflect.Feed{}, r.reflect); outcome(fresh, problems) != one {
			t.Errorf("%s: alone\n%s\nafter others\n%s", r.name, outcome(fresh, problems), one)
		}
	}
}

// TestCorpusText holds all plans and problems against what was reviewed.
func TestCorpusText(t *testing.T) {
	c := layout.NewCompiler(fromreflect.Feed{})
	for _, list := range []reflect.Type{reflect.TypeFor[corpus.Valid](), reflect.TypeFor[corpus.Invalid]()} {
		valid := list.Name() == "Valid"
		var b strings.Builder
		for i := range list.NumField() {
			f := list.Field(i)
			p, problems := c.Compile(f.Type)
			if (p != nil) != valid || (len(problems) == 0) != valid {
				t.Errorf("%s.%s: plan %v, problems %v", list.Name(), f.Name, p, problems)
			}
			fmt.Fprintf(&b, "== %s\n%s\n", f.Name, outcome(p, problems))
		}
		golden(t, strings.ToLower(list.Name()), b.String())
	}
}

// golden compares a text with the file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	got = strings.ReplaceAll(got, "github.com/spanwire/spanwire/internal/layout/", "")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, lines := strings.Split(string(data), "\n"), strings.Split(got, "\n")
	for i, line := range lines {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s:%d: got\n%s\nrun with -update and review the change", file, i+1, line)
		}
	}
	if len(lines) < len(want) {
		t.Fatalf("%s:%d: got nothing more", file, len(lines))
	}
}
