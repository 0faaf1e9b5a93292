package recursive_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/recursive"
	"github.com/spanwire/spanwire/span"
)

// A text is checked whatever its key: what a map has under NaN can't be looked up.
func TestTextUnderNaN(t *testing.T) {
	nan := math.NaN()
	for name, v := range map[string]recursive.Unfound{
		"float":   {Texts: map[float64]string{nan: "ab"}},
		"complex": {Pairs: map[complex64]string{complex64(complex(1, nan)): "ab"}},
	} {
		b, err := span.Marshal(&v)
		require.NoError(t, err, name)
		for i := range b {
			if b[i] == 'a' {
				b[i] = 0xff
			}
		}
		require.ErrorIs(t, span.Unmarshal(b, new(recursive.Unfound)), span.ErrUTF8, name)
		require.ErrorIs(t, plan.Unmarshal(b, new(recursive.Unfound)), span.ErrUTF8, name)
	}
}
