package emit_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypeParameterNames generates for type parameters with names that the
// generated code needs for something else. What is generated is compiled.
func TestTypeParameterNames(t *testing.T) {
	dir := module(t, map[string]string{"p/p.go": `package p

import (
	tm "time"

	"github.com/spanwire/spanwire/span"
)

//span:generate
type Package[span any] struct {
	V span
	P *Package[span]
	L []Package[span]
	M map[string]*Package[span]
	N *struct{ X []*Package[span]; Y int }
}

//span:generate
type Import[time comparable] struct {
	V map[time]time
	P *Import[time]
	T []tm.Time
	D tm.Duration
	G map[span.GUID]tm.Time
}

//span:generate
type Again[time, math any] struct {
	P *Again[time, math]
	T map[string]tm.Time
	F []float64
}

//span:generate
type Blank[_ any, T1, T2 any] struct {
	P *Blank[int, T1, T2]
	V T1
	W T2
	N int
}

//span:generate
type Blanks[_, _ any, T1 any] struct {
	P *Blanks[int8, []string, T1]
	V []T1
}

//span:generate
type Local[v, w any] struct {
	P *Local[v, w]
	Q *Local[w, v]
	V v
}

//span:generate
type Builtin[len comparable, int, string any] struct {
	P map[int8]*Builtin[len, int, string]
	V map[len]int
	S []string
}
`})
	require.Len(t, generate(t, dir).Files, 1)
}
