package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// faulty is a connection on which things go wrong with what is written.
type faulty struct {
	net.Conn
	kind  string
	codec frame.Codec
	mu    sync.Mutex
	rand  *rand.Rand
	whole []byte // not yet cut into frames
	late  []byte
	out   int64
	limit int64 // bytes after which it is torn or reset
}

var kinds = []string{"none", "lost", "late", "duplicated", "torn", "stalled", "reset", "bytes", "short"}

// Write does as its kind says: frames are lost, come late or twice; bytes stop in the middle of one; the connection is reset;
// writes take a byte at a time, or less than they are given.
func (f *faulty) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.out += int64(len(p))
	switch f.kind {
	case "lost", "late", "duplicated":
		return len(p), f.frames(p)
	case "torn":
		if f.out > f.limit {
			f.Conn.Write(p[:len(p)/2])
			f.Conn.Close()
			return len(p) / 2, io.ErrClosedPipe
		}
	case "stalled":
		if f.out > f.limit && f.limit > 0 {
			f.limit = 0
			time.Sleep(20 * time.Millisecond)
		}
	case "reset":
		if f.out > f.limit {
			f.Conn.(*net.TCPConn).SetLinger(0)
			f.Conn.Close()
			return 0, net.ErrClosed
		}
	case "bytes":
		for i := range p {
			if _, err := f.Conn.Write(p[i : i+1]); err != nil {
				return i, err
			}
		}
		return len(p), nil
	case "short":
		return f.Conn.Write(p[:1+f.rand.IntN(len(p))])
	}
	return f.Conn.Write(p)
}

// frames plays with whole frames.
func (f *faulty) frames(p []byte) error {
	f.whole = append(f.whole, p...)
	for {
		_, n, err := f.codec.ParseFrame(f.whole)
		if err != nil || n == 0 {
			return nil
		}
		one := append([]byte(nil), f.whole[:n]...)
		f.whole = f.whole[n:]
		if f.rand.IntN(20) != 0 {
			one = append(one, f.late...)
			f.late = nil
		} else if f.kind == "duplicated" {
			one = append(one, one...)
		} else if f.kind == "late" {
			f.late = append(f.late, one...)
			continue
		} else {
			continue
		}
		if _, err := f.Conn.Write(one); err != nil {
			return err
		}
	}
}

// TestFaults: whatever goes wrong, every call ends exactly once, with its own reply or an error.
func TestFaults(t *testing.T) {
	codecs := map[string]frame.Codec{"standard": frame.Standard{}, "length": frame.LengthField{Size: 2}, "length-header": frame.LengthField{Size: -2, Offset: 4},
		"delimited": frame.Delimited{}, "json": frame.JSON{}, "envelope": frame.Standard{}}
	for name, codec := range codecs {
		for _, kind := range kinds {
			for _, side := range []string{"client", "server"} {
				// A codec that matches by order alone cannot tell a reply that came twice from the next one; TCP does not do that.
				blind := name == "length" || name == "delimited" || name == "json"
				if blind && kind == "duplicated" {
					continue
				}
				t.Run(name+"/"+kind+"/"+side, func(t *testing.T) {
					base(t)
					playFaults(t, codec, kind, side, name == "envelope", blind && (kind == "lost" || kind == "late"))
				})
			}
		}
	}
}

func playFaults(t *testing.T, codec frame.Codec, kind, side string, envelope, alone bool) {
	seed := atomic.AddUint64(&faultSeed, 1)
	wrap := func(nc net.Conn, here string) net.Conn {
		if here != side || kind == "none" {
			return nc
		}
		return &faulty{Conn: nc, kind: kind, codec: codec, rand: rand.New(rand.NewPCG(seed, 2)), limit: 1200}
	}
	s := &rpc.Server{Handler: mixed(), Codec: codec, Raw: !envelope, Log: quiet, Limits: rpc.Limits{Silence: 200 * time.Millisecond}}
	addr := serveOn(t, s, wrapListener{listen(t), func(nc net.Conn) net.Conn { return wrap(nc, "server") }})
	o := &rpc.Options{Codec: codec, Raw: !envelope, Limits: rpc.Limits{CallTimeout: 50 * time.Millisecond},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			nc, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return wrap(nc, "client"), nil
		}}
	if alone { // a frame that is missing shows only when no other is under way
		o.Limits.InFlight, o.MaxConns = 1, 1
	}
	if l, ok := codec.(frame.LengthField); ok && l.Offset > 0 {
		var n atomic.Uint32
		o.Header = func([]byte) []byte { i := n.Add(1); return []byte{byte(i >> 8), byte(i), 0, 0} }
	}
	cl := dial(t, addr, o)
	var wg sync.WaitGroup
	var answered, failed atomic.Int64
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 15 {
				oneCall(t, cl, envelope, g, i, &answered, &failed)
			}
		}()
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	select {
	case <-finished:
	case <-time.After(6 * guard): // calls that are lost one after another take their time
		t.Fatal("calls that do not end")
	}
	if kind == "none" || kind == "bytes" || kind == "short" || kind == "stalled" {
		if failed.Load() > 0 {
			t.Error(failed.Load(), "calls failed without a reason")
		}
	}
	if answered.Load()+failed.Load() != 120 {
		t.Errorf("%d answered, %d failed", answered.Load(), failed.Load())
	}
	cl.Close()
}

var faultSeed uint64

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
	if err != nil {
		check(nil, err)
		return
	}
	<-done
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
