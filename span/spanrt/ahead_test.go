package spanrt

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	levelTree struct {
		Kids  []levelTree
		Names []string
	}
	levelA struct {
		B []levelB
		M map[string]*levelA
		T [][]byte
	}
	levelB struct {
		A [2]levelA
		L [][]levelTree
	}
)

func TestLevels(t *testing.T) {
	for want, types := range map[int][]reflect.Type{
		0: {reflect.TypeFor[int](), reflect.TypeFor[struct{ A, B string }](), reflect.TypeFor[*[]byte]()},
		1: {reflect.TypeFor[[]int](), reflect.TypeFor[[][]byte](), reflect.TypeFor[struct{ M map[string]int }](), reflect.TypeFor[levelTree]()},
		2: {reflect.TypeFor[[][]string](), reflect.TypeFor[*map[[2]int8][]int](), reflect.TypeFor[[][]levelTree]()},
		3: {reflect.TypeFor[[][][]string](), reflect.TypeFor[map[string][]struct{ A [][]byte }]()},
	} {
		for _, x := range types {
			require.Equal(t, want, levels(x), x)
		}
	}
	require.Equal(t, levels(reflect.TypeFor[levelA]()), levels(reflect.TypeFor[levelB]()), "a circle")
}

// Each leads to all others.
type (
	clique struct {
		A []knot1
		B []knot2
		C []knot3
		D []knot4
		E []knot5
		F []knot6
		G []knot7
		H []knot8
		I []knot9
		J []knot10
		K []knot11
		L []knot12
		M []knot13
		N []knot14
	}
	knot1  clique
	knot2  clique
	knot3  clique
	knot4  clique
	knot5  clique
	knot6  clique
	knot7  clique
	knot8  clique
	knot9  clique
	knot10 clique
	knot11 clique
	knot12 clique
	knot13 clique
	knot14 clique
)

// Types that lead to each other take a look each, not one for each way: there are
// 14! of those, which does not end.
func TestLevelsOfManyWays(t *testing.T) {
	require.Equal(t, 1, levels(reflect.TypeFor[clique]()))
	require.Equal(t, 2, levels(reflect.TypeFor[[]clique]()))
}
