package rpc_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// C01: frames cut anywhere, and several in one piece.
func TestCaseC01Pieces(t *testing.T) {
	base(t)
	stream, _ := hex.DecodeString("010104004F70656E01020000810302004F4B")
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true, Log: quiet}
	t.Cleanup(func() { s.Close() })
	check := func(pieces ...[]byte) {
		t.Helper()
		a, b := net.Pipe()
		defer a.Close()
		s.ServeConn(b)
		go func() {
			for _, p := range pieces {
				a.Write(p)
			}
		}()
		got := make([]byte, 12)
		a.SetReadDeadline(time.Now().Add(guard))
		if _, err := io.ReadFull(a, got); err != nil || hex.EncodeToString(got) != "810104004f70656e81020000" {
			t.Fatalf("%x %v", got, err)
		}
	}
	check(stream)
	var single [][]byte
	for i := range stream {
		single = append(single, stream[i:i+1])
	}
	check(single...)
	for i := 1; i < len(stream); i++ {
		check(stream[:i], stream[i:])
		for j := i + 1; j < len(stream); j++ {
			check(stream[:i], stream[i:j], stream[j:])
		}
	}
}

// C03: payloads around the border of the length's forms, in both directions.
func TestCaseC03Lengths(t *testing.T) {
	base(t)
	codec := frame.Standard{Max: 16 << 20}
	addr := serve(t, &rpc.Server{Handler: echo, Raw: true, Codec: codec})
	cl := dial(t, addr, rpc.Dialer{Raw: true, Codec: codec})
	for _, n := range []int{0, 1, 65533, 65534, 65535, 65536, 10 << 20} {
		body := bytes.Repeat([]byte{byte(n)}, n)
		got, err := cl.Call(context.Background(), nil, "", body)
		if err != nil || !bytes.Equal(got, body) {
			t.Fatal(n, len(got), err)
		}
	}
}

// C05: no data is no reason to wait.
func TestCaseC05Empty(t *testing.T) {
	base(t)
	addr := serve(t, &rpc.Server{Handler: echo, Raw: true})
	p := connect(t, addr, frame.Standard{})
	p.nc.Write([]byte{1, 5, 0, 0})
	got := make([]byte, 4)
	if _, err := io.ReadFull(p.nc, got); err != nil || hex.EncodeToString(got) != "81050000" {
		t.Fatalf("%x %v", got, err)
	}
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "A/Nothing", func(context.Context, struct{}) error { return nil })
	rpc.Handle(x, "A/Bytes", func(context.Context, struct{}) ([]byte, error) { return []byte{}, nil })
	rpc.Handle(x, "A/Text", func(context.Context, struct{}) (string, error) { return "", nil })
	cl := dial(t, serve(t, &rpc.Server{Handler: x}), rpc.Dialer{})
	for _, action := range []string{"A/Nothing", "A/Bytes", "A/Text"} {
		got, err := cl.Call(context.Background(), nil, action, nil)
		if err != nil || len(got) != 0 {
			t.Fatal(action, got, err)
		}
	}
}

// C06: a number is not used again while its request is unanswered.
func TestCaseC06HeldNumber(t *testing.T) {
	base(t)
	release := make(chan struct{})
	reused := make(chan bool, 1)
	addr := scripted(t, func(p *script) {
		held, _ := p.next()
		heldSeq, again := held.Seq, false
		for range 256 {
			f, ok := p.next()
			if !ok {
				return
			}
			again = again || f.Seq == heldSeq
			p.reply(f, f.Payload)
		}
		reused <- again
		<-release
		p.reply(frame.Frame{Head: 1, Seq: heldSeq}, []byte("held"))
		p.next()
	})
	cl := dial(t, addr, raw)
	first := make(chan string, 1)
	go func() {
		got, err := call(cl, "first")
		first <- fmt.Sprint(got, err)
	}()
	until(t, "first call", func() bool { n, _ := cl.Pending(); return n == 1 })
	for i := range 256 {
		want := fmt.Sprint(i)
		if got, err := call(cl, want); got != want || err != nil {
			t.Fatal(i, got, err)
		}
	}
	if <-reused {
		t.Fatal("number given out twice")
	}
	close(release)
	if got := <-first; got != "held<nil>" {
		t.Fatal(got)
	}
}

// C08: a late answer reaches nobody, also when the numbers have wrapped.
func TestCaseC08LateAnswer(t *testing.T) {
	base(t)
	late := make(chan struct{})
	addr := scripted(t, func(p *script) {
		first, _ := p.next()
		a := first.Seq
		go func() {
			<-late
			p.reply(frame.Frame{Head: 1, Seq: a}, []byte("late"))
		}()
		for {
			f, ok := p.next()
			if !ok {
				return
			}
			p.reply(f, append([]byte(nil), f.Payload...))
		}
	})
	cl := dial(t, addr, raw)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := cl.Call(ctx, nil, "", []byte("slow"))
	if !errors.Is(err, context.DeadlineExceeded) || rpc.OutcomeOf(err) != rpc.Unknown {
		t.Fatal(err, rpc.OutcomeOf(err))
	}
	if n, retired := cl.Pending(); n != 0 || retired != 1 {
		t.Fatal(n, retired)
	}
	for i := range 600 {
		if i == 300 {
			close(late)
		}
		want := fmt.Sprint("call ", i)
		if got, err := call(cl, want); got != want || err != nil {
			t.Fatal(i, got, err)
		}
	}
	until(t, "late answer", func() bool { _, retired := cl.Pending(); return retired == 0 && cl.Stats().Late == 1 })
}

// C10: without numbers a timeout ends the connection, so that no answer reaches the wrong call.
func TestCaseC10InOrder(t *testing.T) {
	for name, codec := range map[string]frame.Codec{"length": frame.LengthField{Size: 2}, "delimited": frame.Delimited{}, "json": frame.JSON{}} {
		t.Run(name, func(t *testing.T) {
			base(t)
			late := make(chan struct{})
			h := rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				if string(r.Body) == `"slow"` {
					<-late // the answer comes while the next calls are made
				}
				return append(dst, r.Body...), nil
			})
			cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: codec}), rpc.Dialer{Codec: codec})
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
			defer cancel()
			if _, err := cl.Call(ctx, nil, "", []byte(`"slow"`)); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			close(late)
			for i := range 10 {
				want := fmt.Sprintf(`"%d"`, i)
				if got, err := call(cl, want); got != want || err != nil {
					t.Fatal(i, got, err, rpc.OutcomeOf(err))
				}
			}
			if n := cl.Stats().Accepted; n != 2 {
				t.Fatal(n, "connections")
			}
		})
	}
}

// C12: a frame over the limit is refused at its header, on either side.
func TestCaseC12Oversized(t *testing.T) {
	base(t)
	codec := frame.Standard{Max: 1 << 20}
	reason := make(chan error, 1)
	addr := serve(t, &rpc.Server{Handler: echo, Raw: true, Codec: codec, Log: quiet, OnClose: func(_ *rpc.Session, err error) { reason <- err }})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := connect(t, addr, codec)
	p.nc.Write([]byte{1, 1, 0xFF, 0xFF, 0, 0, 0x40, 1})
	if left := p.closed(); len(left) != 0 {
		t.Fatalf("%x", left)
	}
	runtime.ReadMemStats(&after)
	var fe *frame.Error
	if err := <-reason; !errors.As(err, &fe) || fe.Codec != "standard" || fe.Offset != 4 || !errors.Is(err, frame.ErrTooLarge) {
		t.Fatal(err)
	}
	if n := int64(after.TotalAlloc - before.TotalAlloc); n > 2<<20 {
		t.Fatal(n, "bytes")
	}
	cl := dial(t, addr, rpc.Dialer{Raw: true, Codec: codec})
	_, err := cl.Call(context.Background(), nil, "", make([]byte, 1<<20+1))
	if !errors.Is(err, frame.ErrTooLarge) || rpc.OutcomeOf(err) != rpc.NotSent || cl.Stats().BytesOut != 0 {
		t.Fatal(err, cl.Stats().BytesOut)
	}
	if got, err := call(cl, "still there"); got != "still there" || err != nil {
		t.Fatal(got, err)
	}
}

// C14: garbage closes its connection, or is answered, and harms nobody else.
func TestCaseC14Garbage(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: recorded(), Log: quiet, Limits: rpc.Limits{Silence: 100 * time.Millisecond}}
	addr := serve(t, s)
	other := dial(t, addr, rpc.Dialer{})
	hello, _ := hex.DecodeString("160301020001fc0303" + strings.Repeat("5a", 500))
	for name, garbage := range map[string][]byte{"http": []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "tls": hello, "ff": bytes.Repeat([]byte{0xFF}, 1024)} {
		p := connect(t, addr, frame.Standard{})
		p.nc.Write(garbage)
		if left := p.closed(); len(left) != 0 {
			t.Errorf("%s: %x", name, left)
		}
	}
	p := connect(t, addr, frame.Standard{})
	p.nc.Write(make([]byte, 1024))
	for range 256 {
		if f, ok := p.next(); !ok || f.Mode() != frame.ErrorResponse {
			t.Fatal(f, ok)
		}
	}
	var got string
	if err := other.Invoke(context.Background(), "Test/Echo", "fine", &got); got != "fine" || err != nil {
		t.Fatal(got, err)
	}
	if st := s.Stats(); st.Malformed != 1 || st.Foreign != 2 || st.BadRequests != 256 {
		t.Fatalf("%+v", st)
	}
}

// C17: when the connection is lost every call learns it at once, and what was answered before counts.
func TestCaseC17Loss(t *testing.T) {
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

// An answer right before the end counts.
func TestCaseC17AnswerThenFin(t *testing.T) {
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
