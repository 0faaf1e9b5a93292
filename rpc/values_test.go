package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/value"
)

// Arguments that nest as deep as both sides' dialects allow carry a token, and it is found in them.
func TestTokenIsFoundAtAnyDepth(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Token", func(ctx context.Context, _ any) (string, error) { return rpc.Token(ctx), nil })
	d := value.Dialect{Depth: 200}
	addr := serve(t, &rpc.Server{Handler: x, Dialect: d, Log: quiet})
	cl := dial(t, addr, rpc.Dialer{Dialect: d, Token: "tk"})
	var got string
	if err := cl.Invoke(context.Background(), "A/Token", deep(150), &got); err != nil || got != "tk" {
		t.Fatal(got, err)
	}
}

// Bytes go as they are from Invoke to a handler and back, whatever they look like: to a whole []byte, to a value.Packet, and to a
// Packet that is the only parameter.
func TestBytesGoAsTheyAre(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	type pk struct{ Pk value.Packet }
	rpc.Handle(x, "A/Bytes", func(_ context.Context, b []byte) ([]byte, error) { return b, nil })
	rpc.Handle(x, "A/Packet", func(_ context.Context, b value.Packet) (value.Packet, error) { return b, nil })
	rpc.Handle(x, "A/Param", func(_ context.Context, a pk) ([]byte, error) { return a.Pk, nil }, rpc.Params())
	rpc.Handle(x, "A/Token", func(ctx context.Context, _ []byte) (string, error) { return rpc.Token(ctx), nil })
	_, cl := both(t, x, rpc.Dialer{})
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	ctx := context.Background()
	for _, want := range [][]byte{all, []byte("AQID"), []byte(`{"data":"AQID"}`), []byte("[1,2]"), []byte(" x "), []byte("null"), {0}, {'"', '"'}} {
		for _, action := range []string{"A/Bytes", "A/Packet", "A/Param"} {
			var got []byte
			if err := cl.Invoke(ctx, action, want, &got); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %q for %q, %v", action, got, want, err)
			}
			var p value.Packet
			if err := cl.Invoke(ctx, action, value.Packet(want), &p); err != nil || !bytes.Equal(p, want) {
				t.Errorf("%s: %q for %q, %v", action, p, want, err)
			}
		}
	}
	for _, none := range [][]byte{nil, {}} {
		got := []byte{1}
		if err := cl.Invoke(ctx, "A/Bytes", none, &got); err != nil || len(got) != 0 {
			t.Errorf("%q, %v", got, err)
		}
	}
	var token string
	if err := cl.Invoke(ctx, "A/Token", []byte(`{"Token":"not one"}`), &token); err != nil || token != "" {
		t.Errorf("%q, %v", token, err)
	}
	if texts := strings.Join(x.Texts(), "\n"); !strings.Contains(texts, "A/Bytes(IPacket arg)") || !strings.Contains(texts, "A/Param(IPacket Pk)") {
		t.Error(texts)
	}
}

// A []byte that is a parameter is base64, as recorded; bytes that are sent to it as they are get an answer that says so.
func TestBytesParameterIsBase64(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	type data struct {
		Data []byte `json:"data"`
	}
	rpc.Handle(x, "A/Bytes", func(_ context.Context, a data) ([]byte, error) { return a.Data, nil }, rpc.Params())
	_, cl := both(t, x, rpc.Dialer{})
	var got []byte
	if err := cl.Invoke(context.Background(), "A/Bytes", data{[]byte{1, 2, 3}}, &got); err != nil || string(got) != "\x01\x02\x03" {
		t.Fatal(got, err)
	}
	var e *rpc.Error
	err := cl.Invoke(context.Background(), "A/Bytes", []byte{1, 2, 3}, &got)
	if !errors.As(err, &e) || e.Code != 400 || !strings.Contains(e.Text, "data") || !strings.Contains(e.Text, "base64") {
		t.Fatal(err)
	}
}

// TestReplyThatIsNotAPointerIsNamedBeforeSending: a reply that is no pointer is named before anything is sent.
func TestReplyThatIsNotAPointerIsNamedBeforeSending(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Handle("A/Echo", echo)
	s, cl := both(t, x, rpc.Dialer{})
	var reply struct{ A int }
	err := cl.Invoke(context.Background(), "A/Echo", 1, reply)
	var ce *rpc.CallError
	if !errors.As(err, &ce) || ce.Outcome != rpc.NotSent || ce.Action != "A/Echo" || !strings.Contains(err.Error(), "struct { A int }, not a pointer") {
		t.Error(err)
	}
	if n := s.Stats().Requests; n != 0 {
		t.Error(n, "requests")
	}
}

// C34: JSON in Standard frames.
func TestJSONTravelsInStandardFrames(t *testing.T) {
	base(t)
	h := rpc.Typed(func(_ context.Context, v any) (any, error) { return v, nil })
	p := connect(t, serve(t, &rpc.Server{Handler: h, Raw: true, Peer: rpc.NewLife}), frame.Standard{})
	for _, k := range []struct {
		flag byte
		body string
		head byte
		want string
	}{{3, `{"n":"你"}`, 0x83, `{"n":"你"}`}, {0, `42`, 0x80, `42`}, {3, `[1,2]`, 0x83, `[1,2]`}, {1, "text", 0x80, "text"}, {1, "", 0x81, ""},
		{3, `{"n":`, 0xC3, "value: bad JSON at byte 5"}} {
		b, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: k.flag, Seq: 9, Payload: []byte(k.body)})
		for i := range b { // cut inside the character as well
			p.nc.Write(b[i : i+1])
		}
		f, ok := p.next()
		if !ok || f.Head != k.head || string(f.Payload) != k.want {
			t.Errorf("%q: %02x %q", k.body, f.Head, f.Payload)
		}
	}
}
