package span_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

type sizedKey struct {
	_ struct{} `span:"sized"`
	N int32    `span:"be"`
}

// TestSizedKeysInOrder: keys that are structs are in the order of their fields,
// sized ones as well.
func TestSizedKeysInOrder(t *testing.T) {
	b, err := span.Options{Deterministic: true}.Marshal(map[sizedKey]int8{{N: 1}: 1, {N: -1}: 2})
	require.NoError(t, err)
	require.Equal(t, "02"+"04ffffffff02"+"040000000101", hex.EncodeToString(b))
}
