package rpc_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
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
func TestFramesAreTheSameInAnyPieces(t *testing.T) {
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
func TestLengthsAroundTheBorderHaveTheRightForm(t *testing.T) {
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
func TestMessageWithoutDataIsNotWaitedFor(t *testing.T) {
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

// C12: a frame over the limit is refused at its header, on either side.
func TestFrameOverTheLimitIsRefusedAtItsHeader(t *testing.T) {
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
func TestGarbageHarmsItsConnectionAlone(t *testing.T) {
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
