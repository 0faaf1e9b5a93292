package rpc

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc/internal/clock"
)

// TestCallsGoOnAfter248Days: after 248 days with a connection ticks have more than 31 bits.
func TestCallsGoOnAfter248Days(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &clock.Process
		k.Join()
		defer k.Leave(new(clock.Alarm))
		time.Sleep((1<<31 - 100) * clock.Tick) // a second before
		for _, after := range []time.Duration{0, 2 * time.Second} {
			time.Sleep(after)
			a, b := net.Pipe()
			s := &Server{Handler: Inline(HandlerFunc(func(_ context.Context, dst []byte, r *Request) ([]byte, error) {
				return append(dst, r.Body...), nil
			})), Raw: true, Limits: Limits{FirstByte: 10 * time.Second}}
			s.ServeConn(a)
			time.Sleep(5 * time.Second)
			cl := Dialer{Raw: true}.NewClient(b)
			got, err := cl.Call(t.Context(), nil, "", []byte("x"))
			require.NoError(t, err, after)
			require.Equal(t, "x", string(got))
			cl.Close()
			s.Close()
			synctest.Wait()
		}
	})
}
