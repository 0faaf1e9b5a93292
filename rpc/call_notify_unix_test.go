//go:build unix

package rpc_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
)

// A connection that ends while the question is still being written wakes its caller all the same, and is known to have ended on it.
func TestPeerEndsWithinQuestion(t *testing.T) {
	base(t)
	var conns, asked atomic.Int32
	addr := scripted(t, func(p *script) {
		if conns.Add(1) == 1 {
			p.next()
			return
		}
		newLife(p, &asked)
	})
	cl := dial(t, addr, rpc.Dialer{Log: quiet})
	cl.Session().EndsWithinWrite()
	var got string
	require.NoError(t, cl.Invoke(rpc.WithOptions(t.Context(), rpc.CallOptions{WaitReady: true}), "A/Echo", "text", &got))
	require.Equal(t, "text", got)
	require.Equal(t, int32(2), conns.Load())
	require.Zero(t, asked.Load(), "the next connection counts as NewLife's")
}
