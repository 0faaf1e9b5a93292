package nearest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/nearest"
)

func TestOf(t *testing.T) {
	names := []string{"varint", "zigzag", "unix", "unixmilli", "unixnano", "max", "Shop/Get"}
	for word, want := range map[string]string{
		"varnit":                  "varint", // neighbours swapped
		"zigzg":                   "zigzag", // dropped
		"unixmili":                "unixmilli",
		"mix":                     "max", // another letter
		"maxx":                    "max", // added
		"VARINT":                  "varint",
		"shop/gte":                "Shop/Get",
		"":                        "",
		"sized":                   "",
		"un":                      "",
		strings.Repeat("max", 30): "",
	} {
		require.Equal(t, want, nearest.Of(word, names), "%q", word)
	}
	require.Empty(t, nearest.Of("max", nil))
}
