package nearest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWord(t *testing.T) {
	list := []string{"varint", "zigzag", "be", "max", "nilable", "unix", "unixmilli", "fixed"}
	for misspelt, want := range map[string]string{
		"varnit": "varint", "varints": "varint", "VarInt": "varint", "zig-zag": "zigzag", "mx": "max", "maxx": "max", "mxa": "max", "min": "",
		"nillable": "nilable", "nullable": "nilable", "unixmili": "unixmilli", "unx": "unix", "fix": "", "b": "be", "a": "", "": "", "omitempty": "",
	} {
		require.Equal(t, want, Word(misspelt, list), misspelt)
	}
}
