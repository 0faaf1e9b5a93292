package rpc_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

var echo = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	return append(dst, r.Body...), nil
})

// serve runs a server until the test ends and returns its address.
func serve(t testing.TB, s *rpc.Server) string {
	t.Helper()
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, s, l)
}

func serveOn(t testing.TB, s *rpc.Server, l net.Listener) string {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		select {
		case err := <-done:
			if err != rpc.ErrServerClosed {
				t.Error("Serve:", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("Serve does not return")
		}
	})
	return l.Addr().String()
}

// dial connects a client that is closed when the test ends.
func dial(t testing.TB, addr string, o rpc.Dialer) *rpc.Client {
	t.Helper()
	cl, err := o.Dial(context.Background(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cl.Close() })
	return cl
}

func TestEchoComesBackInEveryWay(t *testing.T) {
	for name, codec := range map[string]frame.Codec{"standard": frame.Standard{}, "length": frame.LengthField{Size: 2}, "length-uvarint": frame.LengthField{},
		"length-offset": frame.LengthField{Size: -4, Offset: 3}, "delimited": frame.Delimited{}, "json": frame.JSON{}} {
		for _, inline := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/inline=%v", name, inline), func(t *testing.T) {
				var h rpc.Handler = echo
				if inline {
					h = rpc.Inline(echo)
				}
				addr := serve(t, &rpc.Server{Handler: h, Codec: codec, Raw: true})
				cl := dial(t, addr, rpc.Dialer{Codec: codec, Raw: true})
				done := make(chan error, 8)
				for g := range 8 {
					go func() {
						for i := range 200 {
							want := fmt.Sprintf(`"%d of %d"`, i, g)
							got, err := cl.Call(context.Background(), nil, "", []byte(want))
							if err != nil || string(got) != want {
								done <- fmt.Errorf("%q for %q, %v", got, want, err)
								return
							}
						}
						done <- nil
					}()
				}
				for range 8 {
					if err := <-done; err != nil {
						t.Fatal(err)
					}
				}
				for i := range 100 {
					want := fmt.Sprintf(`["%d"]`, i)
					got, err := cl.Call(context.Background(), []byte("x"), "", []byte(want))
					if err != nil || string(got) != "x"+want {
						t.Fatalf("%q for %q, %v", got, want, err)
					}
				}
			})
		}
	}
}
