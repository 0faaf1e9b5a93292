package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
)

// TestHiddenFields has chosen structs of which nothing is written, and some that are meant so.
func TestHiddenFields(t *testing.T) {
	dir := spanModule(t, map[string]string{"m.go": `package m

//span:generate
type Lower struct {
	id   int32
	name string
}

//span:generate
type Empty struct{}

//span:generate
type Blank struct{ _ int32 }

//span:generate
type Some struct {
	ID   int32
	name string
}

type base struct{ ID int32 }

//span:generate
type Embeds struct{ base }
`})
	r := run(t, Config{Load: load.Config{Dir: dir}})
	require.Equal(t, []string{
		"m.go:4:6: warning: Lower: all its fields are unexported, so nothing is written; capitalize the names of those to be written",
	}, messages(dir, r))
	require.Len(t, r.Files, 1)
}
