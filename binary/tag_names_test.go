package binary

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnknownOption has misspelled options, and that every name that is suggested exists.
func TestUnknownOption(t *testing.T) {
	type typo struct {
		B string `binary:"siz=3"`
	}
	_, err := Marshal(typo{})
	require.ErrorContains(t, err, `B: unknown option "siz"; did you mean size?`)
	type other struct {
		B string `binary:"omitempty"`
	}
	_, err = Marshal(other{})
	require.ErrorContains(t, err, `B: unknown option "omitempty"; the options are size, ref, `)
	for _, name := range optionNames {
		var size sizeTag
		known, _ := size.parse(name, "1")
		if !known {
			if err := new(tag).parse(name, "1", true); err != nil {
				require.NotContains(t, err.Error(), "unknown option", name)
			}
		}
	}
}
