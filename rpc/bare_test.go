package rpc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// sent sends p on a connection of its own, half-closed behind it, and returns what comes back until the end.
func sent(t testing.TB, addr string, p []byte) []byte {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.Write(p)
	nc.(*net.TCPConn).CloseWrite()
	nc.SetReadDeadline(time.Now().Add(guard))
	got, _ := io.ReadAll(nc)
	return got
}

func std(m frame.Mode, seq byte, body string) []byte {
	b, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: frame.Head(m, 1), Seq: seq, Payload: []byte(body)})
	return b
}

// TestBareHandlerIsForWhatTheCodecCanBring: an inline handler of a client is for what its codec can bring, and no answer is a request.
func TestBareHandlerIsForWhatTheCodecCanBring(t *testing.T) {
	base(t)
	for _, k := range echoCodecs {
		cl := dial(t, serve(t, &rpc.Server{Handler: echo, Codec: k.codec, Raw: true}),
			rpc.Dialer{Codec: k.codec, Raw: true, Handler: rpc.Inline(rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) {
				t.Error(k.name, "an answer was taken for a request")
				return nil, nil
			}))})
		for range 3 {
			if got, err := cl.Call(context.Background(), nil, "", []byte("x")); err != nil || string(got) != "x" {
				t.Error(k.name, got, err)
			}
		}
	}
}

// TestBareFrameThatEndsWithTheStreamIsHandled: a frame that ends with the stream is handled like every other, also when its handler panics.
func TestBareFrameThatEndsWithTheStreamIsHandled(t *testing.T) {
	base(t)
	for _, panics := range []bool{false, true} {
		s := &rpc.Server{Codec: frame.JSON{}, Log: quiet, Handler: rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			if panics {
				panic("boom")
			}
			return append(dst, r.Body...), nil
		}))}
		addr := serve(t, s)
		for n := uint64(1); n < 4; n++ {
			if got := strings.TrimSpace(string(sent(t, addr, []byte("42")))); (got == "42") == panics {
				t.Errorf("panics %v: %q", panics, got)
			}
			until(t, "end", func() bool { return s.Stats().Open == 0 })
			if st := s.Stats(); st.Requests != n || st.FramesIn != n {
				t.Errorf("panics %v: %d requests, %d frames after %d", panics, st.Requests, st.FramesIn, n)
			}
		}
	}
}

// TestBareHandlerThatEndsTheReaderEndsItsConnectionAlone: an inline handler that ends the reader's goroutine ends its connection, and nothing of it reaches another.
func TestBareHandlerThatEndsTheReaderEndsItsConnectionAlone(t *testing.T) {
	base(t)
	s := &rpc.Server{Raw: true, Log: quiet, Handler: rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if string(r.Body) == "exit" {
			runtime.Goexit()
		}
		return append(dst, r.Body...), nil
	}))}
	addr := serve(t, s)
	sent(t, addr, append(std(frame.Request, 1, "secret"), std(frame.Request, 2, "exit")...))
	until(t, "end", func() bool { return s.Stats().Open == 0 })
	for range 20 {
		if got := sent(t, addr, std(frame.Request, 1, "b")); !bytes.Equal(got, std(frame.Response, 1, "b")) {
			t.Fatalf("%q", got)
		}
	}
}

// TestBareRequestsThatBeganAreAnsweredBeforeTheEnd: what inline handlers have begun is answered before the server closes its side.
func TestBareRequestsThatBeganAreAnsweredBeforeTheEnd(t *testing.T) {
	base(t)
	for _, raw := range []bool{true, false} {
		in := make(chan struct{}, 16)
		begin := make(chan struct{})
		s := &rpc.Server{Raw: raw, Handler: rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			in <- struct{}{}
			<-begin
			return append(dst, r.Body...), nil
		}))}
		action := pick(raw, "", "A/B")
		cl := dial(t, serve(t, s), rpc.Dialer{Raw: raw, MaxConns: 1})
		answer := make(chan error, 1)
		go func() {
			got, err := cl.Call(context.Background(), nil, action, []byte("x"))
			if err == nil && string(got) != "x" {
				err = fmt.Errorf("%q", got)
			}
			answer <- err
		}()
		<-in
		down := make(chan error, 1)
		go func() { down <- s.Shutdown(context.Background()) }()
		until(t, "refusing", s.Refusing)
		close(begin)
		if err := <-answer; err != nil {
			t.Error(raw, err)
		}
		if err := <-down; err != nil {
			t.Error(raw, err)
		}
	}
}

// TestBareNotifyInCallbackWaitsForThePeerAlone: one-way messages of a callback wait for the peer, not for the callback itself.
func TestBareNotifyInCallbackWaitsForThePeerAlone(t *testing.T) {
	base(t)
	cl := dial(t, serve(t, &rpc.Server{Raw: true, Handler: rpc.Inline(echo)}), rpc.Dialer{Raw: true, Limits: rpc.Limits{Backlog: 64 << 10}})
	body := make([]byte, 4096)
	done := make(chan error, 1)
	err := cl.Go(context.Background(), "", []byte("x"), func([]byte, error) {
		for range 100 {
			if err := cl.Notify(context.Background(), "", body); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	})
	if err != nil {
		t.Fatal(err)
	}
	within(t, "callback", func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestBareCallersBeyondTheNumbersGetTheirOwnAnswers: more callers than numbers, each with more than the backlog holds, all get their own answers.
func TestBareCallersBeyondTheNumbersGetTheirOwnAnswers(t *testing.T) {
	base(t)
	cl := dial(t, serve(t, &rpc.Server{Raw: true, Handler: echo}), rpc.Dialer{Raw: true, MaxConns: 1, Limits: rpc.Limits{Backlog: 1 << 10}})
	var wg sync.WaitGroup
	for i := range 576 {
		wg.Go(func() {
			body := bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 20<<10)
			if got, err := cl.Call(context.Background(), nil, "", body); err != nil || !bytes.Equal(got, body) {
				t.Error(i, len(got), err)
			}
		})
	}
	within(t, "answers", wg.Wait)
}

// TestBareAnswerGoesWhereItBelongs: whatever a handler does to its request, the answer goes where it belongs, and the next request is whole.
func TestBareAnswerGoesWhereItBelongs(t *testing.T) {
	base(t)
	for _, inline := range []bool{true, false} {
		var n atomic.Int64
		var h rpc.Handler = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			if r.Session() == nil || r.Header != nil || r.OneWay {
				t.Error("not whole:", r.Header, r.OneWay)
			}
			dst = append(dst, r.Body...)
			if n.Add(1)%2 == 1 {
				*r = rpc.Request{OneWay: true, Header: []byte("x")}
			}
			return dst, nil
		})
		if inline {
			h = rpc.Inline(h)
		}
		p := append(append(std(frame.Request, 7, "a"), std(frame.Request, 8, "b")...), std(frame.Request, 9, "c")...)
		got := sent(t, serve(t, &rpc.Server{Raw: true, Handler: h}), p)
		for i, body := range []string{"a", "b", "c"} {
			if b := std(frame.Response, byte(7+i), body)[1:]; !bytes.Contains(got, b) {
				t.Errorf("inline %v: no %x in %x", inline, b, got)
			}
		}
	}
}

// TestBareHeaderThatDoesNotFitHarmsNobody: a header that does not fit the codec is none, and harms nobody.
func TestBareHeaderThatDoesNotFitHarmsNobody(t *testing.T) {
	base(t)
	for _, inline := range []bool{true, false} {
		codec := frame.LengthField{Size: 2, Offset: 2000}
		var h rpc.Handler = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			r.Header = []byte("x")
			return append(dst, r.Body...), nil
		})
		if inline {
			h = rpc.Inline(h)
		}
		cl := dial(t, serve(t, &rpc.Server{Codec: codec, Handler: h}), rpc.Dialer{Codec: codec})
		for range 3 {
			if got, err := cl.Call(context.Background(), nil, "", []byte("body")); err != nil || string(got) != "body" {
				t.Errorf("inline %v: %q %v", inline, got, err)
			}
		}
	}
}

// TestBareAnswersBeforeAFailureAreSent: what was answered before a request that cannot be is sent, and nothing after it runs.
func TestBareAnswersBeforeAFailureAreSent(t *testing.T) {
	base(t)
	for _, codec := range []frame.Codec{frame.LengthField{Size: 2}, frame.LengthField{}, frame.Delimited{}} {
		for _, panics := range []bool{true, false} {
			var ran atomic.Int64
			s := &rpc.Server{Codec: codec, Log: quiet, Handler: rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				ran.Add(1)
				if string(r.Body) != "5" {
					return append(dst, r.Body...), nil
				}
				if panics {
					panic("five")
				}
				return nil, fmt.Errorf("five")
			}))}
			var p, want []byte
			for i := range 10 {
				p, _ = codec.AppendFrame(p, frame.Frame{Payload: fmt.Append(nil, i)})
				if i < 5 {
					want = p
				}
			}
			want = bytes.Clone(want)
			if got := sent(t, serve(t, s), p); !bytes.Equal(got, want) || ran.Load() != 6 {
				t.Errorf("%T panics %v: %q, want %q; %d ran", codec, panics, got, want, ran.Load())
			}
		}
	}
}

// TestBareCodecThatCannotBeFailsEachCall: a codec that cannot be is an error of each call.
func TestBareCodecThatCannotBeFailsEachCall(t *testing.T) {
	base(t)
	for _, offset := range []int{-1, -2, 1 << 20} {
		here, there := net.Pipe()
		defer there.Close()
		cl := rpc.Dialer{Codec: frame.LengthField{Size: 2, Offset: offset}}.NewClient(here)
		defer cl.Close()
		for i := range 3 {
			if _, err := cl.Call(context.Background(), nil, "", []byte("x")[:i%2]); !errors.Is(err, frame.ErrConfig) {
				t.Error(offset, i, err)
			}
		}
		within(t, "stats", func() { cl.Stats() })
	}
}

// TestHighBitOfALengthIsNotAFrameWithoutIt: a length with its top bit set is not that of a frame without the bit.
func TestHighBitOfALengthIsNotAFrameWithoutIt(t *testing.T) {
	for _, size := range []int{4, -4} {
		base(t)
		addr := serve(t, &rpc.Server{Handler: rpc.Inline(echo), Codec: frame.LengthField{Size: size}, Raw: true})
		nc, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4, 9)
		if size == 4 {
			binary.LittleEndian.PutUint32(b, 0x80000005)
		} else {
			binary.BigEndian.PutUint32(b, 0x80000005)
		}
		nc.Write(append(b, "hello"...))
		nc.SetReadDeadline(time.Now().Add(guard))
		got, err := io.ReadAll(nc)
		nc.Close()
		if len(got) != 0 {
			t.Errorf("size %d: a length of 0x80000005 was answered with %q, %v", size, got, err)
		}
	}
}

// TestHighBitOfAnAnswersLengthIsNotAFrameWithoutIt is the same for answers.
func TestHighBitOfAnAnswersLengthIsNotAFrameWithoutIt(t *testing.T) {
	base(t)
	a, b := net.Pipe()
	go func() {
		p := make([]byte, 9)
		io.ReadFull(b, p)
		b.Write([]byte{5, 0, 0, 0x80, 'w', 'r', 'o', 'n', 'g'})
		io.Copy(io.Discard, b)
		b.Close()
	}()
	cl := rpc.Dialer{Codec: frame.LengthField{Size: 4}, Raw: true}.NewClient(a)
	defer cl.Close()
	if got, err := call(cl, "hello"); err == nil {
		t.Errorf("an answer of length 0x80000005 was taken: %q", got)
	}
}

// TestHandlerDoesNotSeeWhatAnotherDidToItsRequest: a handler does not see what another has done to its request.
func TestHandlerDoesNotSeeWhatAnotherDidToItsRequest(t *testing.T) {
	base(t)
	seen := []byte{}
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		seen = append(seen, r.Flag)
		r.Flag = 5
		return append(dst, r.Body...), nil
	})
	addr := serve(t, &rpc.Server{Handler: rpc.Inline(h), Codec: frame.LengthField{Size: 2}, Raw: true})
	c := connect(t, addr, frame.LengthField{Size: 2})
	c.nc.Write([]byte{1, 0, 'a', 1, 0, 'b'})
	c.next()
	c.next()
	if string(seen) != "\x00\x00" {
		t.Errorf("flags %v", seen)
	}
}
