package layout_test

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

// fp returns the fingerprint of a type of the test.
func fp[T any](t *testing.T) uint64 {
	t.Helper()
	print, err := fromreflect.Fingerprint(reflect.TypeFor[T]())
	require.NoError(t, err)
	again, err := fromreflect.Fingerprint(reflect.TypeFor[*T]())
	require.NoError(t, err)
	require.Equal(t, print, again, "through a pointer")
	return print
}

type (
	fpLevel int16
	fpKids  []*fpNode
	fpNode  struct{ Kids fpKids }
	fpNode2 struct{ Kids []*fpNode2 }
	fpTree  []fpTree
	fpWood  []fpWood
	fpSmall struct{ A int32 }
	fpTiny  struct{ A int32 }
	fpField struct{ FpSmall fpTiny }
	fpEmbed struct{ FpSmall }
	FpSmall struct{ A int32 }
	nlUnix  struct {
		_ struct{}  `span:"newlife"`
		T time.Time `span:"unix"`
	}
	nlPlain struct {
		_ struct{} `span:"newlife"`
		T time.Time
	}
)

// TestFingerprintCounts: what has the same bytes and the same names of fields
// has the same fingerprint, whatever its types are called; nothing else has.
func TestFingerprintCounts(t *testing.T) {
	for name, same := range map[string][2]uint64{
		"types renamed":           {fp[struct{ A fpSmall }](t), fp[struct{ A fpTiny }](t)},
		"a named integer":         {fp[struct{ A fpLevel }](t), fp[struct{ A int16 }](t)},
		"a named list":            {fp[fpNode](t), fp[fpNode2](t)},
		"int and int64":           {fp[[]int](t), fp[[]int64](t)},
		"lists of themselves":     {fp[struct{ T fpTree }](t), fp[struct{ T fpWood }](t)},
		"lists of themselves (2)": {fp[fpTree](t), fp[fpWood](t)},
		"embedded":                {fp[fpEmbed](t), fp[fpField](t)},
		"tags of others": {fp[struct{ A int32 }](t), fp[struct {
			A int32 `json:"a"`
		}](t)},
		"tags in another order": {
			fp[struct {
				A []string `span:"utf8,max=3"`
			}](t), fp[struct {
				A []string `span:"max=3,utf8"`
			}](t),
		},
		"unexported fields": {fp[struct{ A, B int8 }](t), fp[struct{ A, b, B int8 }](t)},
	} {
		require.Equal(t, same[0], same[1], name)
	}
	for name, other := range map[string][2]uint64{
		"fields swapped":  {fp[struct{ A, B int32 }](t), fp[struct{ B, A int32 }](t)},
		"a field renamed": {fp[struct{ A int32 }](t), fp[struct{ B int32 }](t)},
		"another width":   {fp[struct{ A int32 }](t), fp[struct{ A int64 }](t)},
		"signed":          {fp[struct{ A int32 }](t), fp[struct{ A uint32 }](t)},
		"bool and byte":   {fp[[]bool](t), fp[[]uint8](t)},
		"a pointer":       {fp[struct{ A int32 }](t), fp[struct{ A *int32 }](t)},
		"an option": {fp[struct{ A int32 }](t), fp[struct {
			A int32 `span:"varint"`
		}](t)},
		"a limit": {fp[struct{ A string }](t), fp[struct {
			A string `span:"max=9"`
		}](t)},
		"a limit of a list": {fp[struct{ A fpTree }](t), fp[struct {
			A fpTree `span:"max=9"`
		}](t)},
		"the profile": {fp[struct{ A int32 }](t), fp[struct {
			_ struct{} `span:"newlife"`
			A int32
		}](t)},
		"a field skipped": {fp[struct{ A, B int32 }](t), fp[struct {
			A int32
			B int32 `span:"-"`
		}](t)},
		"a map and its pairs": {fp[map[int8]int8](t), fp[[]struct{ K, V int8 }](t)},
		"an array and a list": {fp[[4]int32](t), fp[[]int32](t)},
		"optional": {fp[struct{ A int32 }](t), fp[struct {
			A int32 `span:"optional"`
		}](t)},
		"what switches change": {fp[nlUnix](t), fp[nlPlain](t)},
	} {
		require.NotEqual(t, other[0], other[1], name)
	}
	_, err := fromreflect.Fingerprint(reflect.TypeFor[func()]())
	require.ErrorContains(t, err, "the type func() has no wire form")
	_, err = fromreflect.Fingerprint(nil)
	require.Error(t, err)
}

// A module of two packages in memory. What is generated for Order stays as it
// is; only what it is made of changes.
var order = map[string]string{
	"shop/order.go":      "package shop\nimport \"dep\"\ntype Order struct{ ID string; At dep.Place }\n",
	"shop/order_span.go": "package shop\nfunc (*Order) SpanGenerated(*Order) {}\n",
	"dep/place.go":       "package dep\ntype Place struct{ X, Y int32; H handle }\n",
	"dep/linux.go":       "//go:build !windows\n\npackage dep\ntype handle = int32\n",
	"dep/windows.go":     "//go:build windows\n\npackage dep\ntype handle = uint64\n",
}

// printOf returns the fingerprint of shop.Order in a module for a system.
func printOf(t *testing.T, files map[string]string, goos string) uint64 {
	t.Helper()
	build := build.Default
	build.GOOS = goos
	build.JoinPath = func(elem ...string) string { return strings.Join(elem, "/") }
	build.OpenFile = func(path string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(files[path])), nil }
	fset := token.NewFileSet()
	packages := map[string]*types.Package{}
	var check func(dir string) *types.Package
	check = func(dir string) *types.Package {
		if packages[dir] != nil {
			return packages[dir]
		}
		var parsed []*ast.File
		for _, path := range slices.Sorted(maps.Keys(files)) {
			name, ok := strings.CutPrefix(path, dir+"/")
			if !ok {
				continue
			}
			match, err := build.MatchFile(dir, name)
			require.NoError(t, err)
			if match {
				f, err := parser.ParseFile(fset, path, files[path], 0)
				require.NoError(t, err)
				parsed = append(parsed, f)
			}
		}
		config := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) { return check(path), nil })}
		pkg, err := config.Check(dir, fset, parsed, nil)
		require.NoError(t, err)
		packages[dir] = pkg
		return pkg
	}
	feed := fromtypes.New()
	p, problems := layout.Compile(feed, feed.Ref(check("shop").Scope().Lookup("Order").Type()))
	require.Empty(t, problems)
	require.True(t, p.Root.Generated, "Order has generated methods")
	return p.Fingerprint()
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) {
	if path == "dep" {
		return f(path)
	}
	return importer.Default().Import(path)
}

// TestFingerprintBelow: a change below a type whose methods are generated shows
// in its fingerprint, although nothing is generated anew.
func TestFingerprintBelow(t *testing.T) {
	linux := printOf(t, order, "linux")
	require.Equal(t, linux, printOf(t, order, "darwin"))
	require.NotEqual(t, linux, printOf(t, order, "windows"), "a build for another system")
	for name, place := range map[string]string{
		"a field added":   "package dep\ntype Place struct{ X, Y int32; H handle; Z bool }\n",
		"fields swapped":  "package dep\ntype Place struct{ Y, X int32; H handle }\n",
		"a field's type":  "package dep\ntype Place struct{ X, Y int64; H handle }\n",
		"a field's limit": "package dep\ntype Place struct{ X, Y int32; H handle; N []bool `span:\"max=4\"` }\n",
	} {
		changed := maps.Clone(order)
		changed["dep/place.go"] = place
		require.NotEqual(t, linux, printOf(t, changed, "linux"), name)
	}
	renamed := maps.Clone(order)
	renamed["dep/place.go"] = "package dep\ntype Point struct{ X, Y int32; H handle }\ntype Place = Point\n"
	require.Equal(t, linux, printOf(t, renamed, "linux"), "a type renamed")
}
