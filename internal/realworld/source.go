package realworld

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

// source is a public package whose structs are carried, split over several
// packages of ours so that they compile side by side.
type source struct {
	path  string // import path
	name  string // prefix of our packages' names
	split int    // number of our packages
}

var sources = []source{
	{"github.com/aws/aws-sdk-go-v2/service/ec2/types", "ec2", 6},
	{"github.com/hashicorp/nomad/api", "nomad", 2},
}

// classified is a source's exported structs by what can be done with them.
type classified struct {
	source
	carried []string // names, sorted
	refused []string // one line a problem: name, path, reason
}

// classify loads the source and asks the layout rules about each struct.
func classify(s source) (classified, error) {
	c := classified{source: s}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, s.path)
	if err != nil {
		return c, err
	}
	if packages.PrintErrors(pkgs) > 0 || len(pkgs) != 1 {
		return c, fmt.Errorf("can't load %s", s.path)
	}
	feed := fromtypes.New()
	compiler := layout.NewCompiler(feed)
	scope := pkgs[0].Types.Scope()
	ours := types.NewPackage(s.name, s.name)
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || obj.IsAlias() || types.IsInterface(obj.Type()) {
			continue
		}
		if n, ok := obj.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 {
			continue
		}
		if _, ok := obj.Type().Underlying().(*types.Struct); !ok {
			continue
		}
		_, problems := compiler.Compile(feed.Ref(holder(ours, obj)))
		if len(problems) == 0 {
			c.carried = append(c.carried, name)
		}
		for _, p := range problems {
			c.refused = append(c.refused, p.Path+": "+p.Reason)
		}
	}
	return c, nil
}

// holder makes the type of which the source is in holders.
func holder(ours *types.Package, obj *types.TypeName) types.Type {
	v := types.NewField(token.NoPos, ours, "V", obj.Type(), false)
	name := types.NewTypeName(token.NoPos, ours, obj.Name(), nil)
	return types.NewNamed(name, types.NewStruct([]*types.Var{v}, nil), nil)
}

// packages returns the names carried by each of our packages.
func (c classified) packages() map[string][]string {
	m := map[string][]string{}
	for i, name := range c.carried {
		pkg := fmt.Sprintf("%s%d", c.name, i%c.split)
		m[pkg] = append(m[pkg], name)
	}
	return m
}

// holders returns the source file that declares the holders of the names.
func (c classified) holders(pkg string, names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport held %q\n", pkg, c.path)
	for _, n := range names {
		fmt.Fprintf(&b, "\n//span:generate\ntype %s struct{ V held.%s }\n", n, n)
	}
	return b.String()
}

// tests returns the test file that runs the holders. It is of a package of its
// own, so that theirs is compiled once.
func (c classified) tests(pkg string, names []string) string {
	var b strings.Builder
	const here = "github.com/spanwire/spanwire/internal/realworld/"
	fmt.Fprintf(&b, "package %s_test\n\nimport (\n\t\"testing\"\n\n\t%q\n\tholders %q\n)\n\ntype (\n", pkg, here+"check", here+"run/"+pkg)
	for _, n := range names {
		fmt.Fprintf(&b, "\tplain%s holders.%s\n", n, n)
	}
	b.WriteString(")\n\nfunc TestHolders(t *testing.T) {\n\tcheck.All(t, []check.Holder{\n")
	for _, n := range names {
		fmt.Fprintf(&b, "\t\t{Name: %q, New: func() check.Generated { return new(holders.%s) }, Plain: func() any { return new(plain%s) }},\n", n, n, n)
	}
	b.WriteString("\t})\n}\n")
	return b.String()
}

// sortedKeys returns the keys of m in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
