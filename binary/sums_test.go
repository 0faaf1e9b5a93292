package binary

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
)

// TestSums: every checksum that tags may name is computed, and fits its member.
func TestSums(t *testing.T) {
	require.Len(t, sums, len(binaryplan.Sums))
	for _, s := range binaryplan.Sums {
		sum := sums[s.Name]
		require.NotNil(t, sum, s.Name)
		require.NotZero(t, sum([]byte("123456789")), s.Name)
		require.Zero(t, sum([]byte("123456789"))>>(8*s.Size), s.Name)
	}
	require.Equal(t, uint64(0xcbf43926), sums["crc32"]([]byte("123456789")))
	require.Equal(t, uint64(0x4b37), sums["crc16-modbus"]([]byte("123456789")))
}
