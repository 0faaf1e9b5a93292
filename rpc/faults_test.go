package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// faulty is a connection on which things go wrong with what is written.
type faulty struct {
	net.Conn
	fault
	codec frame.Codec
	rand  *rand.Rand
	whole []byte        // not yet cut into frames
	out   int           // bytes written
	free  time.Time     // when what is late has left, where order is kept
	lock  chan struct{} // holds one while somebody writes; a mutex would stop fake time
	gone  chan struct{} // closed by Close
	once  sync.Once
}

// fault is a kind of fault.
type fault struct {
	kind    string
	ordered bool          // late frames hold up those behind them, as on TCP; else they are overtaken
	hits    *atomic.Int64 // times that something went wrong
}

// The kinds: frames are lost, come late or twice; a connection ends, or stops, in the middle of a frame; it stops for a while
// between frames; it is reset; writes take one byte at a time, or fewer than they are given.
var kinds = []string{"none", "lost", "late", "duplicated", "torn", "stuck", "stalled", "reset", "bytes", "short"}

const (
	soundBytes = 1200            // before a connection is torn, stuck, stalled or reset
	pause      = 8 * time.Second // less than calls and writes may take
)

func newFaulty(nc net.Conn, k fault, codec frame.Codec, seed uint64) *faulty {
	return &faulty{Conn: nc, fault: k, codec: codec, rand: rand.New(rand.NewPCG(seed, 2)), lock: make(chan struct{}, 1), gone: make(chan struct{})}
}

// Write does as its kind says.
func (f *faulty) Write(p []byte) (int, error) {
	f.lock <- struct{}{}
	defer func() { <-f.lock }()
	before := f.out
	f.out += len(p)
	over := f.out > soundBytes
	switch f.kind {
	case "lost", "late", "duplicated":
		return len(p), f.frames(p)
	case "torn", "stuck":
		if !over {
			break
		}
		f.hits.Add(1)
		n, err := f.Conn.Write(p[:len(p)/2])
		if f.kind == "stuck" {
			<-f.gone
		}
		f.Close()
		return n, errors.Join(err, net.ErrClosed)
	case "stalled":
		if over && before <= soundBytes {
			f.hits.Add(1)
			time.Sleep(pause)
		}
	case "reset":
		if over {
			f.hits.Add(1)
			if tcp, ok := f.Conn.(*net.TCPConn); ok {
				tcp.SetLinger(0)
			}
			f.Close()
			return 0, syscall.ECONNRESET
		}
	case "bytes":
		f.hits.Add(1)
		for i := range p {
			if _, err := f.Conn.Write(p[i : i+1]); err != nil {
				return i, err
			}
		}
		return len(p), nil
	case "short":
		f.hits.Add(1)
		n := 1 + f.rand.IntN(len(p))
		f.out -= len(p) - n
		return f.Conn.Write(p[:n])
	}
	return f.Conn.Write(p)
}

func (f *faulty) Close() error {
	f.once.Do(func() { close(f.gone) })
	return f.Conn.Close()
}

// frames plays with whole frames: one of twenty is lost, comes up to 20 s late, or twice.
func (f *faulty) frames(p []byte) error {
	f.whole = append(f.whole, p...)
	for {
		_, n, err := f.codec.ParseFrame(f.whole)
		if err != nil || n == 0 {
			return nil
		}
		one := bytes.Clone(f.whole[:n])
		f.whole = f.whole[n:]
		hit := f.rand.IntN(20) == 0
		if hit {
			f.hits.Add(1)
		}
		switch {
		case hit && f.kind == "lost":
			continue
		case hit && f.kind == "duplicated":
			one = append(one, one...)
		case f.kind == "late" && (hit || time.Now().Before(f.free)):
			f.later(one, hit)
			continue
		}
		if _, err := f.Conn.Write(one); err != nil {
			return err
		}
	}
}

// later writes a frame after a while, or behind those that are late.
func (f *faulty) later(one []byte, hit bool) {
	due := f.free.Add(1) // not at the same moment: timers have no order
	if now := time.Now(); hit && due.Before(now) || !f.ordered {
		due = now.Add(time.Duration(f.rand.Int64N(int64(20 * time.Second))))
	}
	if f.ordered {
		f.free = due
	}
	time.AfterFunc(time.Until(due), func() {
		f.lock <- struct{}{}
		defer func() { <-f.lock }()
		f.Conn.Write(one)
	})
}

// faultCodecs are all that a connection can carry. Those that are blind match answers by order alone: an answer that is missing,
// or comes twice, shows only when no other call is under way, and a request that comes twice never does. TCP does neither.
var faultCodecs = map[string]struct {
	codec    frame.Codec
	envelope bool
	header   bool // tells answers apart by header bytes
	blind    bool
}{
	"standard": {codec: frame.Standard{}}, "envelope": {codec: frame.Standard{}, envelope: true},
	"length": {codec: frame.LengthField{Size: 2}, blind: true}, "length-header": {codec: frame.LengthField{Size: -2, Offset: 4}, header: true},
	"delimited": {codec: frame.Delimited{}, blind: true}, "json": {codec: frame.JSON{}, blind: true},
}

// TestFaultsEndEveryCallOnce: whatever goes wrong on either side, every call ends exactly once, with its own reply or an error. Time is fake, so
// that the limits are the real ones.
func TestFaultsEndEveryCallOnce(t *testing.T) {
	for name := range faultCodecs {
		for _, kind := range kinds {
			for _, side := range []string{"client", "server"} {
				if faultCodecs[name].blind && kind == "duplicated" && side == "client" {
					continue // two requests have two answers
				}
				t.Run(name+"/"+kind+"/"+side, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						p := newFaultPlay(name, kind, side)
						begin := time.Now()
						cl, err := p.options(func() (net.Conn, error) {
							a, b := net.Pipe()
							p.server.ServeConn(p.wrap(b, "server"))
							return a, nil
						}).Dial(context.Background(), "tcp", "memory:1")
						if err != nil {
							t.Fatal(err)
						}
						p.calls(t, cl)
						if d := time.Since(begin); d > time.Hour {
							t.Error("took", d)
						}
						cl.Close()
						p.server.Close()
						time.Sleep(time.Minute) // for what is late
						synctest.Wait()
						if n := rpc.Timers(); n != 0 {
							t.Error(n, "timers")
						}
					})
				})
			}
		}
	}
}

// TestFaultsOnSocketsEndEveryCallOnce has those faults on sockets that do not depend on time.
func TestFaultsOnSocketsEndEveryCallOnce(t *testing.T) {
	test.Long(t)
	for name := range faultCodecs {
		for _, kind := range []string{"none", "torn", "reset", "bytes", "short"} {
			for _, side := range []string{"client", "server"} {
				t.Run(name+"/"+kind+"/"+side, func(t *testing.T) {
					base(t)
					p := newFaultPlay(name, kind, side)
					addr := serveOn(t, p.server, wrapListener{listen(t), func(nc net.Conn) net.Conn { return p.wrap(nc, "server") }})
					cl := dial(t, addr, p.options(func() (net.Conn, error) { return net.Dial("tcp", addr) }))
					within(t, "calls", func() { p.calls(t, cl) })
				})
			}
		}
	}
}

// faultPlay is a client and a server with one kind of fault on one side.
type faultPlay struct {
	name, side string
	fault      fault
	server     *rpc.Server
	conns      atomic.Uint64
}

func newFaultPlay(name, kind, side string) *faultPlay {
	c := faultCodecs[name]
	return &faultPlay{name: name, side: side, fault: fault{kind, c.blind || c.header, new(atomic.Int64)},
		server: &rpc.Server{Handler: mixed(), Codec: c.codec, Raw: !c.envelope, Log: quiet}}
}

func (p *faultPlay) wrap(nc net.Conn, side string) net.Conn {
	if side != p.side || p.fault.kind == "none" {
		return nc
	}
	return newFaulty(nc, p.fault, faultCodecs[p.name].codec, p.conns.Add(1))
}

func (p *faultPlay) options(dial func() (net.Conn, error)) rpc.Dialer {
	c := faultCodecs[p.name]
	o := rpc.Dialer{Codec: c.codec, Raw: !c.envelope, NetDial: func(context.Context, string, string) (net.Conn, error) {
		nc, err := dial()
		if err != nil {
			return nil, err
		}
		return p.wrap(nc, "client"), nil
	}}
	if c.blind && (p.fault.kind == "lost" || p.fault.kind == "duplicated") {
		o.Limits.InFlight, o.MaxConns = 1, 1
	}
	if c.header {
		var n atomic.Uint32
		o.Header = func([]byte) []byte { i := n.Add(1); return []byte{byte(i >> 8), byte(i), 0, 0} }
	}
	return o
}

// calls makes calls and looks at how they end.
func (p *faultPlay) calls(t *testing.T, cl *rpc.Client) {
	const workers, each = 8, 40
	var wg sync.WaitGroup
	var answered, failed atomic.Int64
	for g := range workers {
		wg.Go(func() {
			for i := range each {
				oneCall(t, cl, faultCodecs[p.name].envelope, g, i, &answered, &failed)
			}
		})
	}
	wg.Wait()
	if n := answered.Load() + failed.Load(); n != workers*each || answered.Load() == 0 {
		t.Errorf("%d answered, %d failed", answered.Load(), failed.Load())
	}
	twice := p.fault.kind == "duplicated"
	harmless := p.fault.kind == "none" || p.fault.kind == "bytes" || p.fault.kind == "short" || p.fault.kind == "stalled" || twice && !p.fault.ordered
	if harmless && failed.Load() > 0 {
		t.Error(failed.Load(), "calls failed without a reason")
	}
	// Where there is an order an answer too many ends the connection, and with it the calls that were sent: none, perhaps.
	if !harmless && !twice && failed.Load() == 0 || p.fault.kind != "none" && p.fault.hits.Load() == 0 {
		t.Errorf("nothing went wrong: %d times, %d failed", p.fault.hits.Load(), failed.Load())
	}
}

// oneCall makes a call, blocking or with a callback.
func oneCall(t *testing.T, cl *rpc.Client, envelope bool, g, i int, answered, failed *atomic.Int64) {
	want := fmt.Appendf(nil, `"%d %d %s"`, g, i, bytes.Repeat([]byte{'x'}, i))
	action := ""
	if envelope {
		action = "A/Echo"
	}
	check := func(got []byte, err error) {
		switch {
		case err != nil:
			failed.Add(1)
			var ce *rpc.CallError
			if !errors.As(err, &ce) {
				t.Errorf("%T %v", err, err)
			}
		case !bytes.Equal(got, want):
			t.Errorf("wrong reply %.40q to %.40q", got, want)
		default:
			answered.Add(1)
		}
	}
	if g%2 == 0 {
		check(cl.Call(context.Background(), nil, action, want))
		return
	}
	done := make(chan struct{})
	calls := 0
	err := cl.Go(context.Background(), action, want, func(got []byte, err error) {
		if calls++; calls > 1 {
			t.Error("called twice")
			return
		}
		check(got, err)
		close(done)
	})
	switch {
	case err == nil:
		<-done
	case errors.Is(err, rpc.ErrBusy): // Go does not wait for its turn
		check(cl.Call(context.Background(), nil, action, want))
	default:
		check(nil, err)
	}
}

// mixed answers at once or a little later, so that answers come in another order than requests.
func mixed() rpc.Handler {
	h := rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if len(r.Body)%3 == 0 {
			time.Sleep(time.Duration(len(r.Body)) * 10 * time.Microsecond)
		}
		return append(dst, r.Body...), nil
	})
	return h
}

func listen(t testing.TB) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// wrapListener wraps what it accepts.
type wrapListener struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

func (l wrapListener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wrap(nc), nil
}
