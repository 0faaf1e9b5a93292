package rpcpeers

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/spanwire/spanwire/bench/load"
)

func TestMain(m *testing.M) {
	if os.Getenv(load.Role) != "" {
		if err := load.Child(ByName); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestPeers makes every peer echo: alone, in a window, in processes apart, over
// what networks it can, with a handler that waits, in an open loop.
func TestPeers(t *testing.T) {
	for _, p := range All() {
		base := load.Spec{Peer: p.Name, Network: "tcp", Conns: 1, Window: 1, Size: 32, For: 60 * time.Millisecond}
		specs := map[string]load.Spec{"serial": base}
		add := func(name string, change func(*load.Spec)) {
			s := base
			change(&s)
			specs[name] = s
		}
		add("apart", func(s *load.Spec) { s.Conns, s.Apart = 2, true })
		if p.Mux {
			add("window", func(s *load.Spec) { s.Conns, s.Window = 2, 16 })
		}
		if p.Blocks {
			add("wait", func(s *load.Spec) { s.Wait = time.Millisecond })
			add("open", func(s *load.Spec) { s.Rate = 2000 })
		}
		if !p.TCP {
			add("unix", func(s *load.Spec) { s.Network = "unix" })
			if !p.NoTLS {
				add("tls", func(s *load.Spec) { s.Network = "tls" })
			}
		}
		if p.Max == 0 || p.Max >= 1<<20 {
			add("1MiB", func(s *load.Spec) { s.Size = 1 << 20 })
		}
		add("idle", func(s *load.Spec) { s.Conns, s.Idle = 10, true })
		for name, sp := range specs {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				if name == "idle" && p.Floor && !p.Mux {
					t.Skip("a raw socket loop has no client that may stay idle")
				}
				out, err := load.Run(p, sp)
				for try := 0; err != nil && try < 3; try++ { // a busy machine may answer nothing in a moment
					sp.For *= 4
					out, err = load.Run(p, sp)
				}
				if err != nil {
					t.Fatal(err)
				}
				if out.Rate == 0 && !sp.Idle {
					t.Error("nothing was answered")
				}
			})
		}
	}
}

// BenchmarkPeers makes calls one after another in go test's own way.
func BenchmarkPeers(b *testing.B) {
	for _, p := range All() {
		b.Run(p.Name, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			stop, err := p.Serve(l, load.Service{})
			if err != nil {
				b.Fatal(err)
			}
			defer stop()
			addr := l.Addr().String()
			c, err := p.Dial(func() (net.Conn, error) { return net.Dial("tcp", addr) }, addr)
			if err != nil {
				b.Fatal(err)
			}
			defer c.(interface{ Close() error }).Close()
			req, resp := make([]byte, 28), []byte(nil)
			b.ReportAllocs()
			b.ResetTimer()
			switch c := c.(type) {
			case load.Caller:
				for range b.N {
					if resp, err = c.Call(resp[:0], req); err != nil {
						b.Fatal(err)
					}
				}
			case load.Async:
				done := make(chan error)
				f := c.Flight(func(_ []byte, err error) { done <- err })
				for range b.N {
					if err := f.Go(req); err != nil {
						b.Fatal(err)
					}
					if err := <-done; err != nil {
						b.Fatal(err)
					}
				}
			default:
				b.Skip("drives its connection itself")
			}
		})
	}
}
