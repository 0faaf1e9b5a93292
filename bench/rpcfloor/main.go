// Command rpcfloor measures the floor of framed TCP echo on one machine (raw reads and writes)
// beside hand-written prototypes of the SRMP and length-field codecs, in one run.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spanwire/spanwire/bench/rpcfloor/h"
	"github.com/spanwire/spanwire/bench/rpcfloor/srmp"
)

func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}
func dial(addr string) (net.Conn, error) {
	if addr[0] == '/' {
		return net.Dial("unix", addr)
	}
	return net.Dial("tcp", addr)
}

func sprintf(f string, a ...any) string { return fmt.Sprintf(f, a...) }
func println(s string)                  { os.Stdout.WriteString(s + "\n") }

// ---- raw floor ----
const msg = 32

// (i) one read + one write per message
func serveRaw1(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			b := make([]byte, msg)
			for {
				if _, err := io.ReadFull(c, b); err != nil {
					return
				}
				if _, err := c.Write(b); err != nil {
					return
				}
			}
		}()
	}
}

// (ii) read up to 64KiB, echo all with one write
func serveRawB(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
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
		}()
	}
}

type raw1 struct{ net.Conn }

func (r raw1) Run(w int, s *h.Slot) error {
	b := make([]byte, msg)
	if w == 1 {
		for it := 0; !s.Stop.Load(); it++ {
			t0 := time.Time{}
			if it&7 == 0 && s.Rec.Load() {
				t0 = time.Now()
			}
			if _, err := r.Write(b); err != nil {
				return err
			}
			if _, err := io.ReadFull(r.Conn, b); err != nil {
				return err
			}
			if !t0.IsZero() {
				s.Hist.Add(time.Since(t0), 1)
			}
			s.N.Add(1)
		}
		return nil
	}
	// window: a writer goroutine with tokens, a reader goroutine
	tok := make(chan struct{}, w)
	ts := make([]int64, w)
	base := time.Now()
	go func() {
		for i := 0; !s.Stop.Load(); i++ {
			tok <- struct{}{}
			if i&7 == 0 {
				atomic.StoreInt64(&ts[i%w], int64(time.Since(base)))
			}
			if _, err := r.Write(b); err != nil {
				return
			}
		}
	}()
	rb := make([]byte, msg)
	for i := 0; !s.Stop.Load(); i++ {
		if _, err := io.ReadFull(r.Conn, rb); err != nil {
			return err
		}
		if i&7 == 0 && s.Rec.Load() {
			s.Hist.Add(time.Since(base)-time.Duration(atomic.LoadInt64(&ts[i%w])), 1)
		}
		s.N.Add(1)
		<-tok
	}
	return nil
}

type rawB struct{ net.Conn }

func (r rawB) Run(w int, s *h.Slot) error {
	b := make([]byte, 64<<10)
	out := make([]byte, w*msg)
	for i := range out {
		out[i] = byte(i)
	}
	for k := 0; k < w; k++ { // valid SRMP headers so any framing server can echo
		f := out[k*msg:]
		f[0], f[1], f[2], f[3] = 0, byte(k), 28, 0
	}
	var ff h.Fifo
	ff.Push(time.Now(), w)
	if _, err := r.Write(out); err != nil {
		return err
	}
	rem := 0
	for !s.Stop.Load() {
		n, err := r.Read(b)
		if err != nil {
			return err
		}
		rem += n
		k := rem / msg
		rem -= k * msg
		if k == 0 {
			continue
		}
		now := time.Now()
		ff.Pop(now, k, s)
		s.N.Add(uint64(k))
		ff.Push(now, k)
		if _, err := r.Write(out[:k*msg]); err != nil {
			return err
		}
	}
	return nil
}

// ---- proto async runner ----
type goer interface {
	Go(*srmp.AsyncCall, []byte) error
	Close() error
}
type asyncRun struct{ goer }

func (a asyncRun) Run(w int, s *h.Slot) error {
	var wg sync.WaitGroup
	wg.Add(w)
	req := make([]byte, 28)
	var ferr atomic.Value
	for k := 0; k < w; k++ {
		var ac srmp.AsyncCall
		p := &ac
		var t0 time.Time
		it := 0
		var cb func(resp []byte, err error)
		cb = func(resp []byte, err error) {
			if err != nil || s.Stop.Load() {
				wg.Done()
				return
			}
			if len(resp) != 28 {
				ferr.Store("bad len")
			}
			s.N.Add(1)
			if !t0.IsZero() {
				s.Hist.Add(time.Since(t0), 1)
				t0 = time.Time{}
			}
			if it++; it&7 == 0 && s.Rec.Load() {
				t0 = time.Now()
			}
			if a.Go(p, req) != nil {
				wg.Done()
			}
		}
		p.Set(cb)
		a.Go(p, req)
	}
	wg.Wait()
	return nil
}

func srvProto(serve func(l net.Listener)) func() (string, func()) {
	return func() (string, func()) {
		l := listen()
		go serve(l)
		return l.Addr().String(), func() { l.Close() }
	}
}

func dialProto(m srmp.Mode, lf bool) func(string) (any, error) {
	return func(a string) (any, error) {
		c, err := dial(a)
		if err != nil {
			return nil, err
		}
		return srmp.NewClient(c, m, lf), nil
	}
}

func dialAsync(a string) (any, error) {
	c, err := dial(a)
	if err != nil {
		return nil, err
	}
	return asyncRun{srmp.NewClient(c, srmp.Combine, false)}, nil
}

func dialRaw1(a string) (any, error) { c, err := dial(a); return raw1{c}, err }
func dialRawB(a string) (any, error) { c, err := dial(a); return rawB{c}, err }

var std = func(l net.Listener) { srmp.ServeStd(l, srmp.Echo) }
var rawS = func(l net.Listener) { srmp.ServeRaw(l, srmp.Echo, true) }
var rawSS = func(l net.Listener) { srmp.ServeRaw(l, srmp.Echo, false) }
var goS = func(l net.Listener) { srmp.ServeGo(l, srmp.Echo, false) }
var goYS = func(l net.Listener) { srmp.ServeGo(l, srmp.Echo, true) }

// ---- pure receive ----
func recvBench(name string, size int, decode bool) {
	h.Extra[name] = func() {
		l := listen()
		var bytes, frames, reads atomic.Uint64
		go func() {
			c, _ := l.Accept()
			b := make([]byte, 64<<10)
			w := 0
			for {
				n, err := c.Read(b[w:])
				if err != nil {
					return
				}
				reads.Add(1)
				bytes.Add(uint64(n))
				if decode {
					w += n
					off, k := 0, 0
					for {
						hs, n := srmp.Parse(b[off:w])
						if hs == 0 || off+hs+n > w {
							break
						}
						off += hs + n
						k++
					}
					frames.Add(uint64(k))
					w = copy(b, b[off:w])
				} else {
					frames.Store(bytes.Load() / 32)
				}
			}
		}()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		b := make([]byte, size)
		for i := 0; i < size; i += 32 {
			binary.LittleEndian.PutUint16(b[i+2:], 28)
		}
		var stop atomic.Bool
		go func() {
			for !stop.Load() {
				if _, err := c.Write(b); err != nil {
					return
				}
			}
		}()
		time.Sleep(300 * time.Millisecond)
		n0, r0, t0 := frames.Load(), reads.Load(), time.Now()
		var u0, u1 syscall.Rusage
		syscall.Getrusage(0, &u0)
		time.Sleep(2 * time.Second)
		n1, r1, d := frames.Load(), reads.Load(), time.Since(t0).Seconds()
		syscall.Getrusage(0, &u1)
		cpu := float64(u1.Utime.Nano()+u1.Stime.Nano()-u0.Utime.Nano()-u0.Stime.Nano()) / 1e3 / float64(n1-n0)
		stop.Store(true)
		println(sprintf(`{"Target":%q,"Rate":%.0f,"MBps":%.1f,"ReadsPerSec":%.0f,"CPU":%.4f}`, name, float64(n1-n0)/d, float64(n1-n0)*32/d/1e6, float64(r1-r0)/d, cpu))
	}
}

func main() {
	recvBench("recv32", 32, false)
	recvBench("recv32f", 32, true)
	recvBench("recv8k", 8192, false)
	recvBench("recv8kf", 8192, true)
	recvBench("recv64k", 65536, false)
	recvBench("recv64kf", 65536, true)
	ts := []h.Target{
		{Name: "raw1", Serve: srvProto(serveRaw1), Dial: dialRaw1},
		{Name: "rawB", Serve: srvProto(serveRawB), Dial: dialRawB},
		{Name: "std/rawB", Serve: srvProto(std), Dial: dialRawB},
		{Name: "raw/rawB", Serve: srvProto(rawS), Dial: dialRawB},
		{Name: "rawsys/rawB", Serve: srvProto(rawSS), Dial: dialRawB},
		{Name: "std/direct", Serve: srvProto(std), Dial: dialProto(srmp.Direct, false)},
		{Name: "std/combine", Serve: srvProto(std), Dial: dialProto(srmp.Combine, false)},
		{Name: "std/combineY", Serve: srvProto(std), Dial: dialProto(srmp.CombineY, false)},
		{Name: "std/writer", Serve: srvProto(std), Dial: dialProto(srmp.WriterG, false)},
		{Name: "std/writerY", Serve: srvProto(std), Dial: dialProto(srmp.WriterGY, false)},
		{Name: "std/combine-lf", Serve: srvProto(std), Dial: dialProto(srmp.Combine, true)},
		{Name: "std/combineY-lf", Serve: srvProto(std), Dial: dialProto(srmp.CombineY, true)},
		{Name: "std/async", Serve: srvProto(std), Dial: dialAsync},
		{Name: "go/combineY", Serve: srvProto(goS), Dial: dialProto(srmp.CombineY, false)},
		{Name: "go/async", Serve: srvProto(goS), Dial: dialAsync},
		{Name: "std/adaptive", Serve: srvProto(std), Dial: func(a string) (any, error) {
			c, err := dial(a)
			if err != nil {
				return nil, err
			}
			return srmp.NewAClient(c), nil
		}},
		{Name: "len/combineY", Serve: srvProto(func(l net.Listener) { srmp.ServeLen(l, srmp.Echo) }), Dial: func(a string) (any, error) {
			c, err := dial(a)
			if err != nil {
				return nil, err
			}
			return srmp.NewLClient(c), nil
		}},
		{Name: "len/async", Serve: srvProto(func(l net.Listener) { srmp.ServeLen(l, srmp.Echo) }), Dial: func(a string) (any, error) {
			c, err := dial(a)
			if err != nil {
				return nil, err
			}
			return asyncRun{srmp.NewLClient(c)}, nil
		}},
		{Name: "goY/combineY", Serve: srvProto(goYS), Dial: dialProto(srmp.CombineY, false)},
		{Name: "goY/combineY-lf", Serve: srvProto(goYS), Dial: dialProto(srmp.CombineY, true)},
		{Name: "goY/async", Serve: srvProto(goYS), Dial: dialAsync},
		{Name: "std/readerF", Serve: srvProto(std), Dial: dialProto(srmp.ReaderF, false)},
		{Name: "raw/combineY", Serve: srvProto(rawS), Dial: dialProto(srmp.CombineY, false)},
		{Name: "raw/combineY-lf", Serve: srvProto(rawS), Dial: dialProto(srmp.CombineY, true)},
		{Name: "raw/async", Serve: srvProto(rawS), Dial: dialAsync},
	}
	h.Main(ts)
}
