package rpc_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// The conversations in which our server's frames are the recorded ones, as far as they are at hand.
var replayed = []string{"api-all", "echo-string", "object-args", "object-result", "scalar-results", "packets", "accessor", "error-404", "api-exception",
	"oneway", "flags", "server-push", "stream", "stream-stop", "stream-mixed", "big", "parallel", "seq-wrap", "pool", "token", "relogin", "headers",
	"tracer", "action-names", "probe-flags", "probe-seq", "probe-segments", "probe-oneway", "probe-reply", "error-500", "probe-args", "probe-payload",
	"api-info", "idle", "reconnect", "timeout", "close-client"}

// TestVectorServer gives the recorded client's bytes to a server with the recorded services, and compares what it sends.
func TestVectorServer(t *testing.T) {
	there := vectors.Files(t, ".", "remoting/*.jsonl")
	played := 0
	for _, name := range replayed {
		file := filepath.Join("remoting", name+".jsonl")
		if !slices.Contains(there, file) {
			continue
		}
		played++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplay(t, name)
			for _, l := range vectors.Read(t, ".", file) {
				r.line(t, l)
			}
			r.compare(t)
		})
	}
	if played < 25 {
		t.Fatalf("only %d conversations", played)
	}
}

// replay plays the client of one conversation.
type replay struct {
	name     string
	server   *rpc.Server
	addr     string
	caseName string
	conns    map[string]*peer
	all      []*peer
	counts   int // one-way messages that count, which nobody answers
}

// peer is one recorded connection.
type peer struct {
	nc        net.Conn
	in        *frame.Reader
	where     string
	got, want [][]byte
	cut       bool // the client has closed
}

func newReplay(t *testing.T, name string) *replay {
	x := recorded()
	if name == "api-all" {
		x = recordedTexts(t)
	}
	d := value.Dialect{Compat: name == "object-result" || name == "probe-args" || name == "action-names"}
	s := &rpc.Server{Handler: x, Dialect: d}
	return &replay{name: name, server: s, addr: serve(t, s), conns: map[string]*peer{}}
}

// recordedTexts has actions with the recorded texts.
func recordedTexts(t *testing.T) *rpc.Mux {
	x := new(rpc.Mux)
	for _, l := range vectors.Read(t, ".", "remoting/api-all.jsonl") {
		if l.Has("parsed") && l.Text("dir") == "s2c" {
			var texts []string
			if err := json.Unmarshal([]byte(l.Sub(t, "parsed").Text("data")), &texts); err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				name := fmt.Sprint("Some/Action", i)
				if strings.Contains(text, "Api/All") {
					name = "Api/All"
					rpc.Handle(x, name, func(context.Context, struct{}) ([]string, error) { return x.Texts(), nil }, rpc.Params(), rpc.Signature(text))
					continue
				}
				rpc.HandleVoid(x, name, func(context.Context, struct{}) error { return nil }, rpc.Signature(text))
			}
			return x
		}
	}
	t.Fatal("no list")
	return nil
}

func (r *replay) peer(t *testing.T, id string) *peer {
	p := r.conns[id]
	if p == nil {
		nc, err := net.Dial("tcp", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { nc.Close() })
		p = &peer{nc: nc, in: frame.NewReader(frame.Standard{Max: 16 << 20}), where: r.name + " " + r.caseName + " connection " + id}
		r.conns[id] = p
		r.all = append(r.all, p)
	}
	return p
}

// line plays one line: what the client sent is sent, what it received is waited for.
func (r *replay) line(t *testing.T, l vectors.Line) {
	t.Helper()
	switch {
	case l.Has("case"):
		r.caseName = l.Text("case")
		r.conns = map[string]*peer{}
	case l.Text("dir") == "c2s" && (l.Has("frame") || l.Has("raw")):
		key := "raw"
		if l.Has("frame") {
			key = "frame"
		}
		p := r.peer(t, l.Text("conn"))
		b := whole(t, l.Bytes(t, key))
		f, n, _ := (frame.Standard{Max: 16 << 20}).ParseFrame(b)
		m, err := remoting.Parse(f.Mode(), f.Payload)
		asks := n > 0 && f.Mode() == frame.Request
		if asks && string(m.Action) == "Err/GetCount" {
			r.counted(t)
		}
		if _, err := p.nc.Write(b); err != nil {
			t.Fatal(err)
		}
		switch {
		case asks && (err != nil || !remoting.ValidAction(m.Action)):
			p.read(t) // 400 where NewLife says nothing
			p.got = p.got[:len(p.got)-1]
		case n > 0 && f.Mode() == frame.OneWay && string(m.Action) == "Err/Count":
			r.counts++
		}
	case l.Text("dir") == "c2s" && l.Has("event") && r.conns[l.Text("conn")] != nil:
		r.conns[l.Text("conn")].cut = true
	case l.Text("dir") == "s2c" && l.Has("frame"):
		p := r.conns[l.Text("conn")]
		if f := whole(t, l.Bytes(t, "frame")); string(actionOf(f)) == "All" && r.name == "server-push" {
			r.toAll(t, f)
		}
		p.want = append(p.want, whole(t, l.Bytes(t, "frame")))
		p.read(t)
	}
}

// counted waits until the server has run the one-way messages that count: requests do not wait for them, and a recorded count is
// that of messages that have run. It asks on a connection of its own. When they do not run, the comparison says so.
func (r *replay) counted(t *testing.T) {
	t.Helper()
	cl := dial(t, r.addr, nil)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		var n int
		if err := cl.Invoke(context.Background(), "Err/GetCount", nil, &n); err != nil {
			t.Fatal(err)
		}
		if n >= r.counts {
			return
		}
	}
}

// toAll sends the recorded message to everybody, once.
func (r *replay) toAll(t *testing.T, f []byte) {
	m, err := remoting.Parse(frame.OneWay, f[4:])
	if err != nil {
		t.Fatal(err)
	}
	if r.caseName == "sent" {
		return
	}
	r.caseName = "sent"
	if n := r.server.Broadcast(context.Background(), string(m.Action), m.Data); n != 2 {
		t.Fatalf("sent to %d", n)
	}
}

// read waits for the next frame.
func (p *peer) read(t *testing.T) {
	t.Helper()
	p.nc.SetReadDeadline(time.Now().Add(10 * time.Second))
	for {
		if f, ok := p.in.Next(); ok {
			b, err := frame.Standard{Max: 16 << 20}.AppendFrame(nil, f)
			if err != nil {
				t.Fatal(err)
			}
			p.got = append(p.got, b)
			return
		}
		n, err := p.nc.Read(p.in.Space())
		p.in.Wrote(n)
		if err != nil {
			t.Fatalf("%s: %v; got %d frames, recorded %d", p.where, err, len(p.got), len(p.want))
		}
	}
}

func actionOf(b []byte) []byte {
	f, _, _ := frame.Standard{Max: 16 << 20}.ParseFrame(b)
	m, _ := remoting.Parse(f.Mode(), f.Payload)
	return m.Action
}

// rest reads what comes behind the recorded frames until the server closes, which it does when it has answered everything and
// this side has ended.
func (p *peer) rest(t *testing.T) []byte {
	t.Helper()
	p.nc.(*net.TCPConn).CloseWrite() // fails where the server has closed already
	p.nc.SetReadDeadline(time.Now().Add(10 * time.Second))
	more := bytes.Clone(p.in.Pending())
	b, err := io.ReadAll(p.nc)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%s: the server does not close", p.where)
	}
	return append(more, b...)
}

// compare compares all frames; answers to different requests may come in any order, and so may pushes to several.
func (r *replay) compare(t *testing.T) {
	for _, p := range r.all {
		if more := p.rest(t); len(more) > 0 && !p.cut {
			t.Errorf("%s: more than was recorded: %x", p.where, more)
		}
		order := func(b [][]byte) {
			sort.SliceStable(b, func(i, j int) bool {
				if k := bytes.Compare(b[i][:2], b[j][:2]); k != 0 {
					return k < 0
				}
				return r.name == "probe-seq" && bytes.Compare(b[i], b[j]) < 0
			})
		}
		order(p.got)
		order(p.want)
		for i := range p.want {
			r.same(t, p, p.got[i], p.want[i])
		}
	}
}

// same compares two frames; of errors whose text .NET made only what they are about.
func (r *replay) same(t *testing.T, p *peer, got, want []byte) {
	if bytes.Equal(got, want) {
		return
	}
	g, _, _ := frame.Standard{Max: 16 << 20}.ParseFrame(got)
	w, _, _ := frame.Standard{Max: 16 << 20}.ParseFrame(want)
	head := func(f frame.Frame) string {
		m, _ := remoting.Parse(f.Mode(), f.Payload)
		return fmt.Sprintf("%02x %02x %s", f.Head, f.Seq, m.Action)
	}
	gm, _ := remoting.Parse(g.Mode(), g.Payload)
	wm, _ := remoting.Parse(w.Mode(), w.Payload)
	made := map[string]bool{"error-500": true, "wrong-args": true, "probe-args": true, "echo-string": true, "object-args": true, "accessor": true}
	switch {
	case w.Mode() == frame.ErrorResponse && made[r.name] && head(g) == head(w) && (gm.Code == 400 || gm.Code == 500):
		return
	case r.name == "stream" && string(wm.Action) == "Stream/ApiFailAt" && gm.Code == 777 && bytes.Equal(gm.Data, wm.Data):
		return // NewLife loses the code
	case r.name == "server-push" && string(wm.Action) == "All" && bytes.Equal(gm.Data, wm.Data) && (g.Seq == 8 || g.Seq == 9):
		return
	case r.name == "api-info" && head(g) == head(w):
		members(t, gm.Data, wm.Data)
		return
	}
	t.Errorf("%s\ngot      %s %.300q\nrecorded %s %.300q", p.where, head(g), gm.Data, head(w), wm.Data)
}

// members checks that what tells of a server has the recorded names, those of .NET's own facts aside.
func members(t *testing.T, got, want []byte) {
	t.Helper()
	var g, w map[string]any
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil {
		t.Fatalf("%s", got)
	}
	for name := range w {
		switch name {
		case "Compile", "Port", "Online", "MaxOnline", "Stat", "LocalIP":
			continue
		}
		if _, ok := g[name]; !ok {
			t.Errorf("no member %s in %s", name, got)
		}
	}
	if g["State"] != w["State"] || g["Token"] != w["Token"] {
		t.Errorf("%s", got)
	}
}

// TestVectorTail: bytes behind the data, response-mode frames sent to a server, stream marks.
func TestVectorTail(t *testing.T) {
	addr := serve(t, &rpc.Server{Handler: recorded()})
	for _, l := range vectors.Read(t, ".", "remoting/probe-tail.jsonl") {
		t.Run(l.Text("case"), func(t *testing.T) {
			r := &replay{name: "probe-tail", addr: addr, caseName: l.Text("case"), conns: map[string]*peer{}}
			p := r.peer(t, "1")
			want := l.List(t, "answers")
			for _, b := range l.List(t, "sent") {
				p.nc.Write(b.Head)
			}
			for range want {
				p.read(t)
			}
			marked := l.Text("case") == "stream-bits-stream"
			for i := range p.got {
				if marked {
					continue
				}
				if !slices.ContainsFunc(want, func(b vectors.Bytes) bool { return bytes.Equal(b.Head, bare(t, l, p.got[i])) }) {
					t.Errorf("got %x", p.got[i])
				}
			}
			if marked {
				streamMarks(t, p.got)
			}
		})
	}
}

// bare takes the tail off an answer; there must be one exactly where the request had one.
func bare(t *testing.T, l vectors.Line, b []byte) []byte {
	f, _, _ := frame.Standard{}.ParseFrame(b)
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if tailed := m.Tail != nil; err != nil || tailed != (strings.HasPrefix(l.Text("case"), "tail-") && f.Seq == 5) {
		t.Fatalf("%x %v", b, err)
	}
	m.Tail = nil
	b, _ = remoting.AppendFrame(nil, frame.Standard{}, f.Head, f.Seq, &m)
	return b
}

// streamMarks: items are marked a1, the end b1.
func streamMarks(t *testing.T, got [][]byte) {
	var heads []byte
	for _, b := range got {
		if b[1] == 5 {
			heads = append(heads, b[0])
		}
	}
	if hex.EncodeToString(heads) != "a1a1a1b1" {
		t.Errorf("heads %x", heads)
	}
}

// whole restores a frame of which the recording has the head, by the patterns its services send.
func whole(t *testing.T, b vectors.Bytes) []byte {
	t.Helper()
	if b.Whole {
		return b.Head
	}
	patterns := []string{"0123456789abcdef", "\x00\x01\x02\x03\x04\x05", "bbbb"}
	for _, p := range patterns {
		start := bytes.Index(b.Head, []byte(p))
		if start < 0 {
			continue
		}
		out := append([]byte(nil), b.Head[:start]...)
		for i := 0; len(out) < b.Length; i++ {
			switch p[0] {
			case '0':
				out = append(out, p[i%16])
			case 'b':
				out = append(out, 'b')
			default:
				out = append(out, byte(i))
			}
		}
		if bytes.Contains(b.Head, []byte(`{"msg":"`)) {
			copy(out[b.Length-2:], `"}`)
		}
		b.Equal(t, out)
		return out
	}
	t.Fatalf("no pattern in %x", b.Head)
	return nil
}
