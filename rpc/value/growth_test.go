package value_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc/value"
)

// What lists, maps and pointers take in memory is told while it is read, in both kinds of JSON, and may be refused.
func TestGrow(t *testing.T) {
	type pointed struct{ P *[100]int64 }
	for _, k := range []struct {
		name, element string
		into          func() any
		least         int // bytes for each element, where pointers have 4 bytes too
	}{
		{"structs", "{}", func() any { return new([]struct{ A [100]int64 }) }, 800},
		{"maps", "{}", func() any { return new([]map[string]int) }, 48},
		{"maps with an entry", `{"a":1}`, func() any { return new([]map[string]int) }, 8 * 20},
		{"anything", `{"a":[]}`, func() any { return new(any) }, 8 * 24},
		{"pointers", `{"P":[` + strings.Repeat("0,", 99) + "0]}", func() any { return new([]pointed) }, 800},
	} {
		t.Run(k.name, func(t *testing.T) {
			const n = 1000
			in := []byte("[" + strings.Repeat(k.element+",", n-1) + k.element + "]")
			refused := errors.New("refused")
			for _, bind := range []func(d value.Dialect, into any) error{
				func(d value.Dialect, into any) error { return d.Bind(in, value.Param{Into: into}) },
				func(d value.Dialect, into any) error { return d.BindLossless(in, value.Param{Into: into}) },
			} {
				told := 0
				d := value.Dialect{Grow: func(n int) error { told += n; return nil }}
				require.NoError(t, bind(d, k.into()))
				require.Greater(t, told, n*k.least-32<<10)
				require.Less(t, told, 20*n*k.least)
				d.Grow = func(int) error { return refused }
				require.ErrorIs(t, bind(d, k.into()), refused)
			}
		})
	}
}
