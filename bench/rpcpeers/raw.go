package rpcpeers

import (
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/bench/load"
)

// accept serves each connection of l in a goroutine.
func accept(l net.Listener, serve func(net.Conn)) (stop func(), err error) {
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return func() { l.Close() }, nil
}

func rawPeers() []*load.Peer {
	return []*load.Peer{
		{
			Name: "raw", Module: "floor", Mux: true, Floor: true,
			Note: "net.Conn, one read and one write a message, the length in front",
			Serve: func(l net.Listener, _ load.Service) (func(), error) {
				return accept(l, func(c net.Conn) { serveRaw(c) })
			},
			Dial: func(dial func() (net.Conn, error), _ string) (any, error) {
				c, err := dial()
				return &raw{c}, err
			},
		},
		{
			Name: "raw batched", Module: "floor", Mux: true, Floor: true, Max: 1 << 10,
			Note: "net.Conn, everything that was read is written back at once; the client does the same",
			Serve: func(l net.Listener, _ load.Service) (func(), error) {
				return accept(l, func(c net.Conn) {
					b := make([]byte, 64<<10)
					for {
						n, err := c.Read(b)
						if err != nil {
							return
						}
						if _, err := c.Write(b[:n]); err != nil {
							return
						}
					}
				})
			},
			Dial: func(dial func() (net.Conn, error), _ string) (any, error) {
				c, err := dial()
				return &batched{c}, err
			},
		},
	}
}

// serveRaw answers one message after another.
func serveRaw(c net.Conn) {
	b := make([]byte, 4<<10)
	have := 0
	for {
		need := 4
		for have < need {
			n, err := c.Read(b[have:])
			if err != nil {
				return
			}
			if have += n; have >= 4 && need == 4 {
				if need = 4 + int(binary.LittleEndian.Uint32(b)); need > len(b) {
					b = append(make([]byte, 0, need), b[:have]...)[:need]
				}
			}
		}
		if _, err := c.Write(b[:need]); err != nil {
			return
		}
		have = copy(b, b[need:have])
	}
}

type raw struct{ net.Conn }

// Run writes and reads in turn, or, with a window, on two goroutines.
func (r *raw) Run(sp load.Spec, s *load.Slot) error {
	out := make([]byte, sp.Size)
	binary.LittleEndian.PutUint32(out, uint32(sp.Size-4))
	in := make([]byte, sp.Size)
	if sp.Window == 1 {
		for it := 0; ; it++ {
			var t0 time.Time
			if it&7 == 0 && s.Recording() {
				t0 = time.Now()
			}
			if _, err := r.Write(out); err != nil {
				return err
			}
			if _, err := io.ReadFull(r.Conn, in); err != nil {
				return err
			}
			if !t0.IsZero() {
				s.Hist.Add(time.Since(t0), 1)
			}
			s.N.Add(1)
			if s.Stopped() {
				return nil
			}
		}
	}
	tokens := make(chan struct{}, sp.Window)
	sent := make([]int64, sp.Window)
	base := time.Now()
	go func() {
		for i := 0; !s.Stopped(); i++ {
			tokens <- struct{}{}
			if i&7 == 0 {
				atomic.StoreInt64(&sent[i%sp.Window], int64(time.Since(base)))
			}
			if _, err := r.Write(out); err != nil {
				return
			}
		}
	}()
	for i := 0; !s.Stopped(); i++ {
		if _, err := io.ReadFull(r.Conn, in); err != nil {
			return err
		}
		if i&7 == 0 && s.Recording() {
			s.Hist.Add(time.Since(base)-time.Duration(atomic.LoadInt64(&sent[i%sp.Window])), 1)
		}
		s.N.Add(1)
		<-tokens
	}
	return nil
}

type batched struct{ net.Conn }

// Run keeps the window in flight and answers each read with one write of as many
// messages.
func (r *batched) Run(sp load.Spec, s *load.Slot) error {
	b := make([]byte, 64<<10)
	out := make([]byte, sp.Window*sp.Size)
	for k := range sp.Window { // frames of the codec of this project, for servers that cut frames
		f := out[k*sp.Size:]
		f[1] = byte(k)
		binary.LittleEndian.PutUint16(f[2:], uint16(sp.Size-4))
	}
	// A full window may be more than the kernel takes before the server's answers are read.
	go r.Write(out)
	rest := 0
	last := time.Now()
	for {
		n, err := r.Read(b)
		if err != nil {
			return err
		}
		rest += n
		k := rest / sp.Size
		if rest -= k * sp.Size; k == 0 {
			continue
		}
		now := time.Now()
		if s.Recording() && sp.Window <= k { // a whole window answered: the time between is its latency
			s.Hist.Add(now.Sub(last), k)
		}
		last = now
		s.N.Add(uint64(k))
		if s.Stopped() {
			return nil
		}
		if _, err := r.Write(out[:k*sp.Size]); err != nil {
			return err
		}
	}
}
