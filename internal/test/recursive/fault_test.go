package recursive_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/recursive"
	"github.com/spanwire/spanwire/span"
)

// groves are the ways in which a Grove holds another.
var groves = map[string]func(recursive.Grove) recursive.Grove{
	"map": func(v recursive.Grove) recursive.Grove {
		return recursive.Grove{Named: map[string]recursive.Grove{"k.[e]y": v}}
	},
	"byte map": func(v recursive.Grove) recursive.Grove {
		return recursive.Grove{Byte: map[[2]uint8]*recursive.Grove{{1, 2}: &v}}
	},
	"nested list": func(v recursive.Grove) recursive.Grove {
		return recursive.Grove{Deep: [][]recursive.Grove{nil, {{}, v}}}
	},
	"array": func(v recursive.Grove) recursive.Grove {
		return recursive.Grove{Fixed: [][1][]recursive.Grove{{}, {{{}, v}}}}
	},
	"struct": func(v recursive.Grove) recursive.Grove {
		x := recursive.Grove{Pairs: make([]struct {
			Key  string
			Tree *recursive.Grove
		}, 1)}
		x.Pairs[0].Tree = &v
		return x
	},
	"by hand": func(v recursive.Grove) recursive.Grove {
		return recursive.Grove{Own: []recursive.Handmade{{Tree: &v}}}
	},
}

// A fault deep in a value is found once, however deep: what leads to it is not
// written again at each level, and the path is that of the plan (G20).
func TestFaultOnce(t *testing.T) {
	for name, wrap := range groves {
		for _, depth := range []int{1, 5, 100, 900} {
			v := recursive.Grove{Leaf: recursive.Leaf{Bad: true}}
			for range depth {
				v = wrap(v)
			}
			fails(t, name, &v, 3*depth+5)
		}
	}
}

// A large struct, which is written by several functions, does so too.
func TestFaultOnceLarge(t *testing.T) {
	for _, depth := range []int{0, 1, 100, 900} {
		v := recursive.Forest{Q: [][]recursive.Leaf{{{}, {Bad: true}}}}
		for range depth {
			v = recursive.Forest{B: [][]recursive.Leaf{{{}}}, Kids: map[int16]recursive.Forest{-3: v}}
		}
		fails(t, "forest", &v, 3*depth+5)
	}
	v := recursive.Forest{P: map[string][]recursive.Grove{"P": {{}, {Leaf: recursive.Leaf{Bad: true}}}}}
	fails(t, "behind", &v, 10)
}

// fails marshals a value that holds a bad leaf, asking at most so many.
func fails(t *testing.T, name string, v any, most int) {
	t.Helper()
	recursive.Asked = 0
	_, err := span.Append([]byte("before"), v)
	asked := recursive.Asked
	_, planned := plan.Append([]byte("before"), v)
	require.ErrorIs(t, err, recursive.ErrLeaf, name)
	require.LessOrEqual(t, asked, most, name)
	require.Equal(t, outcomeOf(planned), outcomeOf(err), name)
	require.Less(t, len(err.Error()), 1000)
	require.False(t, strings.Contains(outcomeOf(err).Path, "].["), name)
	var w span.Writer
	w.WriteString("before")
	v.(span.Serializable).WriteSpan(&w)
	var p span.Writer
	p.Configure(plan)
	p.WriteString("before")
	v.(span.Serializable).WriteSpan(&p)
	require.Equal(t, outcomeOf(p.Err()), outcomeOf(w.Err()), name)
}
