package realworld

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
	"github.com/spanwire/spanwire/internal/test"
)

// source is a public package whose structs are carried, split over several
// packages of ours so that they compile side by side.
type source struct {
	path  string // import path
	name  string // prefix of our packages' names
	split int    // number of our packages
	share int    // code is generated for one of so many; for all with -full or in the full run
	takes func(name string) bool
}

var sources = []source{
	{"github.com/aws/aws-sdk-go-v2/service/ec2/types", "ec2", 6, 4, all},
	{"github.com/hashicorp/nomad/api", "nomad", 2, 2, all},
	{"k8s.io/api/core/v1", "core", 2, 1, all},
	{"k8s.io/api/apps/v1", "apps", 1, 1, all},
	{"github.com/google/go-github/v75/github", "github", 2, 4, all},
	{"github.com/stripe/stripe-go/v82", "stripe", 1, 4, start("Charge", "Error", "PaymentIntent", "Refund")},
}

func all(string) bool { return true }

func start(with ...string) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(with, func(s string) bool { return strings.HasPrefix(name, s) })
	}
}

// classified is a source's exported structs by what can be done with them.
type classified struct {
	source
	carried []string          // names, sorted
	omits   map[string]string // what is left out of those that can't be carried as they are
	refused []string          // one line a struct: name, path, reason
}

// classify loads the source and asks the layout rules about each struct.
func classify(s source) (classified, error) {
	c := classified{source: s, omits: map[string]string{}}
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
		if !ok || !obj.Exported() || obj.IsAlias() || types.IsInterface(obj.Type()) || !s.takes(name) {
			continue
		}
		if n, ok := obj.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 {
			continue
		}
		if _, ok := obj.Type().Underlying().(*types.Struct); !ok {
			continue
		}
		c.try(compiler, feed, holder(ours, obj))
	}
	return c, nil
}

// try compiles a holder. Where the problems say what to leave out, it does.
func (c *classified) try(compiler *layout.Compiler, feed *fromtypes.Feed, holder func(omit string) *types.Named) {
	name := holder("").Obj().Name()
	_, problems := compiler.Compile(feed.Ref(holder("")))
	first := problems
	omit := ""
	for range 20 {
		if len(problems) == 0 {
			c.carried = append(c.carried, name)
			if omit != "" {
				c.omits[name] = omit
				c.refused = append(c.refused, name+" is carried without "+omit)
			}
			return
		}
		more := advised(problems)
		if len(more) == 0 {
			break
		}
		omit = join(omit, more)
		_, problems = compiler.Compile(feed.Ref(holder(omit)))
	}
	line := first[0].Path + ": " + first[0].Reason
	if n := len(first) - 1; n > 0 {
		line += fmt.Sprintf(", and %d more", n)
	}
	c.refused = append(c.refused, line)
}

var advice = regexp.MustCompile("^leave it out with `span:\"omit=([^\"]+)\"`")

// advised gives the paths that the problems say to leave out, nil where one of
// them has another remedy.
func advised(problems []layout.Problem) (paths []string) {
	for _, p := range problems {
		m := advice.FindStringSubmatch(p.Fix)
		if m == nil {
			return nil
		}
		paths = append(paths, m[1])
	}
	return paths
}

// join adds paths, without those below others.
func join(omit string, more []string) string {
	paths := more
	if omit != "" {
		paths = append(paths, strings.Split(omit, "|")...)
	}
	slices.Sort(paths)
	var kept []string
	for _, p := range slices.Compact(paths) {
		if !slices.ContainsFunc(kept, func(q string) bool { return strings.HasPrefix(p, q+".") }) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "|")
}

// holder makes the type of which the source is in holders, for each tag.
func holder(ours *types.Package, obj *types.TypeName) func(omit string) *types.Named {
	return func(omit string) *types.Named {
		v := types.NewField(token.NoPos, ours, "V", obj.Type(), false)
		name := types.NewTypeName(token.NoPos, ours, obj.Name(), nil)
		return types.NewNamed(name, types.NewStruct([]*types.Var{v}, []string{tag(omit)}), nil)
	}
}

// tag gives a field's tag, "" for none.
func tag(omit string) string {
	if omit == "" {
		return ""
	}
	return "span:\"omit=" + omit + "\""
}

// packages returns the names carried by each of our packages.
func (c classified) packages() map[string][]string {
	m := map[string][]string{}
	taken := c.carried
	if share := test.Count(c.share, c.share, 1); !*full && share > 1 {
		taken = nil
		for i := 0; i < len(c.carried); i += share {
			taken = append(taken, c.carried[i])
		}
	}
	for i, name := range taken {
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
		fmt.Fprintf(&b, "\n//span:generate\ntype %s struct {\n\tV held.%s %s\n}\n", n, n, quoted(tag(c.omits[n])))
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
		fmt.Fprintf(&b, "\t\t{Name: %q, Omits: %t, New: func() check.Generated { return new(holders.%s) }, Plain: func() any { return new(plain%s) }},\n",
			n, c.omits[n] != "", n, n)
	}
	b.WriteString("\t})\n}\n")
	return b.String()
}

// quoted gives a tag as source has it.
func quoted(tag string) string {
	if tag == "" {
		return ""
	}
	return "`" + tag + "`"
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
