package rpc

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// An idle connection is to be small; this is a size that the runtime has memory of.
func TestConnIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(conn{}), uintptr(416))
}
