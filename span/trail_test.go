package span

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
)

// A path is the same however its steps are put in front of it, and long ones lose
// whole steps from their middle (G20).
func TestTrail(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		steps []string
		want  string
	}{
		"one":      {[]string{"A"}, "A"},
		"fields":   {[]string{"C", "B", "A"}, "A.B.C"},
		"together": {[]string{"B.C", "A"}, "A.B.C"},
		"indices":  {[]string{"X", "[3]", "[1]", "A", ""}, "A[1][3].X"},
		"joined":   {[]string{"X", "L[3]", "A.B[1][2]"}, "A.B[1][2].L[3].X"},
		"keys":     {[]string{`["a.b[c"]`, "M"}, `M["a.b[c"]`},
		"32":       {repeat(32, "A"), strings.TrimSuffix(strings.Repeat("A.", 32), ".")},
		"33":       {repeat(33, "A"), strings.Repeat("A.", 16) + "…" + strings.Repeat(".A", 16)},
		"many":     {repeat(5000, "A"), strings.Repeat("A.", 16) + "…" + strings.Repeat(".A", 16)},
		"lists":    {repeat(5000, "[0]"), strings.Repeat("[0]", 16) + ".…" + strings.Repeat("[0]", 16)},
		"elements": {repeat(5000, "[0]", "K"), strings.Repeat("K[0].", 8) + "…" + strings.Repeat(".K[0]", 8)},
		"odd":      {append([]string{"Z"}, repeat(5000, "[0]", "K")...), strings.Repeat("K[0].", 8) + "…" + strings.Repeat(".K[0]", 7) + ".Z"},
		"wide":     {repeat(9, long), long + ".…." + long},
		"two wide": {repeat(2, long), long + "." + long},
	} {
		e := new(Error)
		for _, s := range c.steps {
			e.within(s)
		}
		require.Equal(t, c.want, e.done().Path, name)
		stepwise := new(Error) // looked at on the way
		for _, s := range c.steps {
			stepwise.within(s)
			stepwise.settle()
		}
		require.Equal(t, c.want, stepwise.Path, name)
	}
}

func repeat(n int, steps ...string) (all []string) {
	for range n {
		all = append(all, steps...)
	}
	return all
}

type deepPath struct {
	Kids []deepPath
	Next *deepPath
	M    map[int8]deepPath
}

// An error in the depths costs little more than the way there (G20).
func TestDeepErrors(t *testing.T) {
	for name, level := range map[string][]byte{"lists": {1}, "pointers": {0, 1}, "maps": {0, 0, 1, 5}} {
		in := make([]byte, 0, 500_000)
		for range 100_001 {
			in = append(in, level...)
		}
		in = append(in, make([]byte, 300_000)...)
		for _, depth := range []int{1000, test.Count(10_000, 100_000, 100_000)} {
			var err error
			read := func() { err = Options{MaxDepth: depth}.Unmarshal(in, new(deepPath)) }
			read()
			require.ErrorIs(t, err, ErrDepth, name)
			e := err.(*Error)
			require.Less(t, len(e.Error()), 1000, name)
			require.Contains(t, e.Path, "…")
			for step := range strings.SplitSeq(e.Path, ".") {
				require.Contains(t, []string{"Kids[0]", "Next", "M[5]", "…"}, step)
			}
			// What is read costs 24 bytes and more, and a map a few hundred.
			most := 64<<10 + depth*map[string]int{"lists": 150, "pointers": 150, "maps": 2000}[name]
			require.LessOrEqual(t, testing.AllocsPerRun(1, read), float64(6*depth), strconv.Itoa(depth)+name)
			require.LessOrEqual(t, allocatedBy(read), uint64(most), strconv.Itoa(depth)+name)
		}
	}
}

// allocatedBy gives the bytes that f allocates.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
