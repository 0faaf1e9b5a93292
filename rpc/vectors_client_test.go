package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/internal/vectors/talks"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

var (
	wide  = talks.Wide
	whole = talks.Whole
)

// TestVectorClientReturnsWhatWasRecorded plays the recorded server to our client, which makes the recorded calls, and compares what the calls return.
func TestVectorClientReturnsWhatWasRecorded(t *testing.T) {
	for _, file := range vectors.Files(t, ".", "remoting/*.jsonl") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			lines := vectors.Read(t, ".", file)
			if !lines[0].Has("client calls") || lines[0].Raw("client calls") == "[]" {
				t.Skip("no calls of a client")
			}
			conns := map[string][]vectors.Line{}
			large := false
			for _, l := range lines {
				if b, ok := l.Try("frame"); ok {
					conns[l.Text("conn")] = append(conns[l.Text("conn")], l)
					large = large || b.Length > 4<<20
				}
			}
			if large {
				test.Long(t)
			}
			for id, lines := range conns {
				t.Run(id, func(t *testing.T) { playClient(t, lines) })
			}
		})
	}
}

// playClient makes the recorded calls of one connection against the recorded answers. Calls that were not answered end with it.
func playClient(t *testing.T, lines []vectors.Line) {
	a, b := net.Pipe()
	defer b.Close()
	cl := rpc.Dialer{Codec: wide, Peer: rpc.NewLife}.NewClient(a)
	defer cl.Close()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer b.Close()
	seqs := map[byte]byte{} // recorded number to ours
	in := frame.NewReader(wide)
	for i, l := range lines {
		raw := whole(t, l.Bytes(t, "frame"))
		f, _, err := wide.ParseFrame(raw)
		if err != nil {
			t.Fatal(err)
		}
		m, err := remoting.Parse(f.Mode(), f.Payload)
		if err != nil || !remoting.ValidAction(m.Action) {
			continue
		}
		if l.Text("dir") == "s2c" {
			if f.Mode() != frame.OneWay {
				raw[1] = seqs[f.Seq]
			}
			b.SetWriteDeadline(time.Now().Add(guard))
			b.Write(raw)
			continue
		}
		sent := make(chan error, 1)
		go startCall(t, cl, f, m, lines[i+1:], sent, &wg)
		got := pull(t, b, in)
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		seqs[f.Seq] = got.Seq
		gm, err := remoting.Parse(got.Mode(), got.Payload)
		if err != nil || got.Mode() != f.Mode() || string(gm.Action) != string(m.Action) || !bytes.Equal(gm.Data, m.Data) || (gm.Data == nil) != (m.Data == nil) {
			t.Fatalf("line %d: sent %q %q, recorded %q %q", l.Number, gm.Action, gm.Data, m.Action, m.Data)
		}
	}
	settle(t, cl)
}

// settle waits until the calls that have been answered have returned.
func settle(t *testing.T, cl *rpc.Client) {
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if n, _ := cl.Pending(); n == 0 {
			return
		}
	}
}

// pull reads a frame.
func pull(t *testing.T, nc net.Conn, in *frame.Reader) frame.Frame {
	t.Helper()
	nc.SetReadDeadline(time.Now().Add(10 * time.Second))
	for {
		if f, ok := in.Next(); ok {
			return f
		}
		n, err := nc.Read(in.Space())
		in.Wrote(n)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// startCall makes a recorded call; what it returns is compared when it comes.
func startCall(t *testing.T, cl *rpc.Client, f frame.Frame, m remoting.Message, after []vectors.Line, sent chan<- error, wg *sync.WaitGroup) {
	flag := f.Flag()
	ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{Flag: &flag})
	action := string(m.Action)
	if f.Mode() == frame.OneWay {
		sent <- cl.Notify(ctx, action, m.Data)
		return
	}
	var want []remoting.Message
	for _, l := range after {
		a, _, _ := wide.ParseFrame(whole(t, l.Bytes(t, "frame")))
		if l.Text("dir") == "s2c" && a.Seq == f.Seq && a.Mode() != frame.OneWay {
			am, _ := remoting.Parse(a.Mode(), a.Payload)
			want = append(want, am)
		}
		if l.Text("dir") == "c2s" && a.Seq == f.Seq {
			break
		}
	}
	wg.Add(1)
	if strings.HasPrefix(action, "Stream/") && len(want) > 0 {
		go func() { defer wg.Done(); compareStream(t, cl, ctx, action, m, want) }()
		sent <- nil
		return
	}
	sent <- cl.Go(ctx, action, m.Data, func(body []byte, err error) {
		defer wg.Done()
		if len(want) == 0 {
			return // the client closed before the answer
		}
		compareAnswer(t, action, body, err, want[0])
	})
}

func compareAnswer(t *testing.T, action string, body []byte, err error, want remoting.Message) {
	if remoting.Success(want.Code) {
		if err != nil || !bytes.Equal(body, want.Data) {
			t.Errorf("%s: %.100q %v, recorded %.100q", action, body, err, want.Data)
		}
		return
	}
	var e *rpc.Error
	if !errors.As(err, &e) || e.Code != want.Code || e.Text != string(remoting.ErrorText(want.Data)) || rpc.OutcomeOf(err) != rpc.Answered {
		t.Errorf("%s: %q %v, recorded %d %q", action, body, err, want.Code, want.Data)
	}
}

// compareStream ranges over a recorded stream. Without marks a null item is the end.
func compareStream(t *testing.T, cl *rpc.Client, ctx context.Context, action string, m remoting.Message, want []remoting.Message) {
	i := 0
	for item, err := range rpc.Stream[value.Packet](ctx, cl, action, argOf(m)) {
		if i == len(want) {
			if err == nil {
				t.Errorf("%s: more than was recorded: %q", action, item)
			}
			return // the connection ended
		}
		w := want[i]
		i++
		if err != nil {
			compareAnswer(t, action, nil, err, w)
			return
		}
		if !bytes.Equal(item, w.Data) || w.Code != 0 {
			t.Errorf("%s: item %q, recorded %q", action, item, w.Data)
		}
	}
	if i == len(want) || want[i].Data != nil {
		t.Errorf("%s: ended before %q", action, want[i].Data)
	}
}

// argOf is the data of a recorded request as an argument.
func argOf(m remoting.Message) any {
	if m.Data == nil {
		return nil
	}
	return value.Packet(m.Data)
}

// TestVectorProbeClientReadsWhatWasRecorded: what a hand-made server sent to the recorded client, once per case, sent to ours.
func TestVectorProbeClientReadsWhatWasRecorded(t *testing.T) {
	for _, file := range vectors.Files(t, ".", "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			var cases [][]vectors.Line
			for _, l := range vectors.Read(t, ".", file) {
				if l.Has("case") {
					cases = append(cases, nil)
				}
				if l.Bad == nil && len(cases) > 0 {
					cases[len(cases)-1] = append(cases[len(cases)-1], l)
				}
			}
			for _, lines := range cases {
				if len(lines) > 0 && lines[0].Has("client call") {
					t.Run(lines[0].Text("case"), func(t *testing.T) {
						t.Parallel()
						probeClient(t, lines)
					})
				}
			}
		})
	}
}

// understood reads what a hand-made server sent as our client does: the first response with the number of the call, long headers
// before short payloads too. It gives the result as the recording shows it, and false where there is none.
func understood(t *testing.T, lines []vectors.Line) (result string, ok bool) {
	call := lines[0].Sub(t, "client call")
	show, reply := replyOf(t, call.Text("resultType"))
	in, asked, done := frame.NewReader(wide), -1, false
	for _, l := range lines[1:] {
		if l.Text("dir") == "c2s" && l.Has("frame") {
			f, _, _ := wide.ParseFrame(whole(t, l.Bytes(t, "frame")))
			asked = int(f.Seq)
			continue
		}
		if l.Text("dir") != "s2c" || l.Has("event") {
			continue
		}
		_ = in.Feed(talks.Piece(t, l), func(f frame.Frame) {
			if done || int(f.Seq) != asked || f.Mode() != frame.Response && f.Mode() != frame.ErrorResponse {
				return
			}
			m, err := remoting.Parse(f.Mode(), f.Payload)
			done = true
			ok = err == nil && remoting.Success(m.Code) && value.Dialect{}.Read(m.Data, reply) == nil
		})
	}
	return show(), ok
}

func probeClient(t *testing.T, lines []vectors.Line) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		for _, l := range lines[1:] {
			switch {
			case l.Text("dir") == "c2s" && l.Has("frame"):
				nc.Read(make([]byte, 4<<10))
			case l.Text("dir") == "s2c" && l.Has("event"):
				return
			case l.Text("dir") == "s2c":
				key := "raw"
				if l.Has("frame") {
					key = "frame"
				}
				nc.Write(whole(t, l.Bytes(t, key)))
				time.Sleep(time.Millisecond) // a piece of its own, as recorded
			}
		}
		nc.Read(make([]byte, 1)) // until the client closes
	}()
	cl := dial(t, l.Addr().String(), rpc.Dialer{Codec: wide, Peer: rpc.NewLife})
	call := lines[0].Sub(t, "client call")
	want, reads := understood(t, lines)
	patience := 2 * guard
	if !reads {
		patience = 300 * time.Millisecond // nothing will come
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if len(lines) > 1 && lines[1].Text("dir") == "s2c" && lines[1].Has("frame") && (frame.Frame{Head: lines[1].Bytes(t, "frame").Head[0]}).Mode() == frame.Response {
		until(t, "the unasked frame", func() bool { return cl.Stats().Unmatched > 0 })
	}
	show, reply := replyOf(t, call.Text("resultType"))
	err = cl.Invoke(ctx, "Test/Echo", "x", reply)
	if !reads {
		if err == nil || !call.Has("error") {
			t.Fatalf("%s, %v; recorded %s %s", show(), err, call.Raw("result"), call.Raw("error"))
		}
		return
	}
	if got := show(); err != nil || got != want {
		t.Fatalf("%q %v, there is %q", got, err, want)
	}
	zero, _ := replyOf(t, call.Text("resultType"))
	recorded := call.Text("result")
	if !call.Has("error") && want != recorded && (want != "" || recorded != "(null)") && recorded != zero() { // which it takes for much
		t.Fatalf("%q, recorded %q", want, recorded)
	}
}

// replyOf makes a destination for a recorded result type, and shows it as the recording does.
func replyOf(t *testing.T, kind string) (show func() string, reply any) {
	scalar := func(p any) (func() string, any) { return func() string { return kind + " " + text(p) }, p }
	switch kind {
	case "String":
		p := new(string)
		return func() string { return *p }, p
	case "Int32":
		return scalar(new(int32))
	case "Boolean":
		p := new(bool)
		return func() string { return fmt.Sprint("Boolean ", *p) }, p
	case "DateTime":
		p := new(time.Time)
		return func() string { return clockText(*p) }, p
	case "User":
		p := new(*User)
		return func() string { return (*p).show() }, p
	case "IPacket":
		p := new(value.Packet)
		return func() string { return fmt.Sprintf("hex:%x", *p) }, p
	}
	t.Fatalf("unknown type %q", kind)
	return nil, nil
}
