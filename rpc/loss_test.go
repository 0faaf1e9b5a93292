package rpc_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

// C17: when the connection is lost every call learns it at once, and what was answered before counts.
func TestLossEndsEveryCallAtOnce(t *testing.T) {
	lose := map[string]func(p *script, cl *rpc.Client){
		"fin":   func(p *script, _ *rpc.Client) { p.nc.Close() },
		"reset": func(p *script, _ *rpc.Client) { p.nc.(*net.TCPConn).SetLinger(0); p.nc.Close() },
		"close": func(_ *script, cl *rpc.Client) { cl.Close() },
		"bad":   func(p *script, _ *rpc.Client) { p.nc.Write([]byte{0x81, 1, 0xFF, 0xFF, 0, 0, 0, 0x80}) },
	}
	for name, how := range lose {
		t.Run(name, func(t *testing.T) {
			base(t)
			go1 := make(chan *rpc.Client, 1)
			addr := scripted(t, func(p *script) {
				for range 11 {
					f, ok := p.next()
					if !ok {
						return
					}
					if string(f.Payload) == "answered" {
						defer p.next()
						p.reply(f, []byte("yes"))
						continue
					}
				}
				how(p, <-go1)
			})
			cl := dial(t, addr, raw)
			results := make(chan error, 10)
			for i := range 10 {
				if i%2 == 0 {
					go func() { _, err := call(cl, "pending"); results <- err }()
				} else if err := cl.Go(context.Background(), "", []byte("pending"), func(_ []byte, err error) { results <- err }); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := call(cl, "answered"); got != "yes" || err != nil {
				t.Fatal(got, err)
			}
			go1 <- cl
			for range 10 {
				select {
				case err := <-results:
					var ce *rpc.ConnError
					if !errors.As(err, &ce) || rpc.OutcomeOf(err) != rpc.Unknown {
						t.Fatal(err)
					}
				case <-time.After(guard):
					t.Fatal("a call waits for ever")
				}
			}
			if n, _ := cl.Pending(); n != 0 {
				t.Fatal(n, "pending")
			}
		})
	}
}

// C17: an answer right before the end counts.
func TestAnswerRightBeforeTheEndCounts(t *testing.T) {
	base(t)
	addr := scripted(t, func(p *script) {
		f, _ := p.next()
		p.reply(f, []byte("last"))
	})
	for range 50 {
		cl := dial(t, addr, raw)
		if got, err := call(cl, "x"); got != "last" || err != nil {
			t.Fatal(got, err)
		}
	}
}
