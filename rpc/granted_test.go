package rpc_test

import (
	"errors"
	"net"
	"testing"
	"testing/synctest"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// A call that was promised a number when the connection ended in the same moment fails like the others.
func TestGrantedThenLost(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			a, b := net.Pipe()
			codec := frame.LengthField{Size: 2}
			cl := rpc.Dialer{Codec: codec, MaxConns: 1, Limits: rpc.Limits{InFlight: 1}}.NewClient(a)
			results := make(chan error, 8)
			for range 8 {
				go func() { _, err := call(cl, "x"); results <- err }()
			}
			synctest.Wait()
			p := &script{t, b, frame.NewReader(codec)}
			p.next()
			one, _ := codec.AppendFrame(nil, frame.Frame{Payload: []byte("x")})
			b.Write(append(one, one...)) // the second answer is one that nobody waits for
			answered := 0
			for range 8 {
				var ce *rpc.ConnError
				switch err := <-results; {
				case err == nil:
					answered++
				case !errors.As(err, &ce) || !errors.Is(err, rpc.ErrUnexpected):
					t.Error(err)
				}
			}
			if answered != 1 {
				t.Error(answered, "answered")
			}
			cl.Close()
			b.Close()
		})
	}
}
