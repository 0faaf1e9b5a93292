package websocket

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
)

const up = ".."

func TestVectorWebSocket(t *testing.T) {
	for _, l := range vectors.Read(t, up, "websocket.jsonl") {
		t.Run(l.Name(), func(t *testing.T) {
			l.Only(t, "name", "fin", "opcode", "mask", "payload", "hex", "readsAs", "note", "volatile", "statusCode", "reason", "error", "decode", "result", "op", "steps")
			switch l.Kind("decode", "op") {
			case "":
				written(t, l)
			case "decode":
				decoded(t, l)
			case "op":
				received(t, l)
			default:
				t.Fatal("unknown kind of line")
			}
		})
	}
}

// written: a message and its bytes. Ours differ where the recording is wrong: 6 stray bytes at a length of 65,535, close
// frames that say masked and are not, a close without a code, FIN that is always set, a close whose code is lost.
func written(t *testing.T, l vectors.Line) {
	var key *[4]byte
	if l.Has("mask") {
		key = (*[4]byte)(l.Bytes(t, "mask").Head)
	}
	op, name := Opcode(l.Int(t, "opcode")), l.Text("name")
	payload := l.Bytes(t, "payload").Fill(t, 0)
	before := bytes.Clone(payload)
	b, err := AppendMessage([]byte("x"), op, payload, key)
	if l.Has("statusCode") {
		code := Code(l.Int(t, "statusCode"))
		if code == 0 {
			code = NoCode
		}
		b, err = AppendClose([]byte("x"), code, l.Text("reason"), key)
	}
	if err != nil || !bytes.Equal(before, payload) {
		t.Fatalf("%v, or the payload changed", err)
	}
	b = b[1:]
	switch fixed := map[string]string{"close-default": "8800", "close-with-payload": "880503e8627965",
		"close-1001-noreason-masked": "888237fa213d3413", "close-cjk-masked": "888837fa213d385ac4bbba1286bc",
		"close-with-payload-masked": "888537fa213d3412434452"}[name]; {
	case name == "binary-len65535":
		if !bytes.HasPrefix(b, l.Bytes(t, "hex").Head) || len(b) != 4+65535 || !bytes.Equal(b[4:], payload) {
			t.Fatalf("%.20x", b)
		}
	case fixed != "":
		if hex.EncodeToString(b) != fixed {
			t.Fatalf("%x, want %s", b, fixed)
		}
	case l.Has("error"): // recorded as refused; what it reads as is checked below
	default:
		l.Bytes(t, "hex").Equal(t, b)
	}
	f, n, err := Codec{Strict: true}.ParseFrame(b)
	if err != nil || n != len(b) || Of(f) != op || (f.Seq != 0) != (key != nil) {
		t.Fatal(f, n, err)
	}
	if !l.Bool("fin") { // as fragments: the same bytes without FIN
		f.Head &^= Fin
		nofin, _ := Codec{}.AppendFrame(nil, f)
		if b[0] &^= Fin; !bytes.Equal(nofin, b) {
			t.Fatalf("%x, want %x", nofin, b)
		}
	}
	Mask(f.Payload, f.Key, 0)
	if !l.Has("statusCode") && !bytes.Equal(f.Payload, payload) {
		t.Fatalf("reads as %.40x", f.Payload)
	}
	if l.Has("statusCode") {
		code, reason, err := ParseClose(f.Payload)
		if err != nil || code != NoCode && int(code) != l.Int(t, "statusCode") || code == NoCode != (name == "close-default") || reason != l.Text("reason") {
			t.Fatal(code, reason, err)
		}
	}
}

// decoded: one buffer. The parser reads what the recorded one reads, and fragments; lengths no frame can have are malformed.
func decoded(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Head
	f, n, err := Codec{}.ParseFrame(b)
	name := l.Text("name")
	switch {
	case name == "d-len-negative" || name == "d-len-4g":
		if !errors.Is(err, frame.ErrMalformed) {
			t.Fatal(f, n, err)
		}
		return
	case name == "d-fragment-first":
		if err != nil || n != len(b) || f.Head&Fin != 0 || string(f.Payload) != "Hel" {
			t.Fatal(f, n, err)
		}
		return
	case !l.Bool("result"):
		if n != 0 || err != nil {
			t.Fatal(f, n, err)
		}
		return
	}
	if err != nil || n != len(b) || int(Of(f)) != l.Int(t, "opcode") || f.Head&Fin != 0 != l.Bool("fin") {
		t.Fatal(f, n, err)
	}
	if l.Has("mask") != (f.Seq != 0) {
		t.Fatal("mask", f.Seq)
	}
	Mask(f.Payload, f.Key, 0)
	l.Bytes(t, "payload").Equal(t, f.Payload)
	if _, _, err := (Codec{Strict: true}).ParseFrame(b); strings.Contains(name, "longer-than-needed") != errors.Is(err, frame.ErrLength) {
		t.Fatal("strict", err)
	}
	var a Assembler
	_, _, err = a.Take(f)
	refused := map[string]bool{"d-rsv-bits": true, "d-opcode-3": true, "d-fragment-last": true, "d-close-1byte": true}[name]
	if (err != nil) != refused && name != "d-rfc-hello-masked" {
		t.Fatal("assembler", err)
	}
	if l.Has("statusCode") {
		code, reason, err := ParseClose(f.Payload)
		want := l.Int(t, "statusCode")
		if want == 0 {
			want = map[string]int{"d-close-empty": int(NoCode)}[name]
		}
		if int(code) != want || reason != l.Text("reason") || (err != nil) != (name == "d-close-1byte") {
			t.Fatal(code, reason, err)
		}
	}
}

// received: pieces of a stream. What the recorded codec delivers are the frames with FIN.
func received(t *testing.T, l vectors.Line) {
	d := frame.NewReader(Codec{})
	for i, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered")
		var fs [][]byte
		chunk := bytes.Clone(s.Bytes(t, "chunk").Head)
		if err := d.Feed(chunk, func(f frame.Frame) {
			Mask(f.Payload, f.Key, 0)
			if f.Head&Fin != 0 {
				fs = append(fs, bytes.Clone(f.Payload))
			}
		}); err != nil {
			t.Fatal(err)
		}
		want := s.List(t, "delivered")
		if len(fs) != len(want) {
			t.Fatalf("step %d: %x", i, fs)
		}
		for j := range want {
			want[j].Equal(t, fs[j])
		}
	}
}

// TestVectorConversations: behind the upgrade each recorded piece holds whole frames with one SRMP frame each, apart from the
// piece that is cut on purpose, ping and close.
func TestVectorConversations(t *testing.T) {
	for _, file := range []string{"remoting/websocket-client.jsonl", "remoting/probe-websocket.jsonl"} {
		conns := map[string]*conversation{}
		total := 0
		for _, l := range vectors.Read(t, up, file) {
			t.Run(file+"/"+l.Name(), func(t *testing.T) {
				l.Only(t, "conversation", "about", "client calls", "cases", "case", "sent", "serverClosed", "answers", "volatile", "dir", "conn", "raw", "text", "event", "note")
				switch l.Kind("conversation", "case", "raw", "event") {
				case "conversation", "case", "event":
				case "raw":
					key := l.Text("dir") + l.Text("conn")
					if conns[key] == nil {
						conns[key] = &conversation{d: frame.NewReader(Codec{Strict: true}), a: Assembler{Server: l.Text("dir") == "c2s", AllowUnmasked: true}}
					}
					total += conns[key].piece(t, l.Bytes(t, "raw").Head)
				default:
					t.Fatal("unknown kind of line")
				}
			})
		}
		if total < 6 {
			t.Fatalf("%s: only %d messages", file, total)
		}
	}
}

// conversation is one direction of a recorded connection.
type conversation struct {
	d        *frame.Reader
	a        Assembler
	upgraded bool
}

func (c *conversation) piece(t *testing.T, b []byte) (messages int) {
	if !c.upgraded {
		c.upgraded = true
		s := string(b)
		if !strings.HasPrefix(s, "GET /") && !strings.HasPrefix(s, "HTTP/1.1 101 ") || !strings.HasSuffix(s, "\r\n\r\n") {
			t.Fatalf("%q", s)
		}
		return 0
	}
	err := c.d.Feed(bytes.Clone(b), func(f frame.Frame) {
		m, ok, err := c.a.Take(f)
		if err != nil || !ok && !c.a.closed { // a recorded client sent more behind its close
			t.Fatal(m, ok, err)
		}
		if !ok || m.Op != Binary && m.Op != Text {
			return
		}
		messages++
		if g, n, err := (frame.Standard{}).ParseFrame(m.Payload); err != nil || n != len(m.Payload) || len(g.Payload) == 0 {
			t.Fatalf("%x: %v", m.Payload, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func TestVectorAccept(t *testing.T) {
	if k := AcceptKey("dGhlIHNhbXBsZSBub25jZQ=="); k != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Fatal(k)
	}
	n := 0
	for _, file := range []string{"remoting/websocket-client.jsonl", "remoting/probe-websocket.jsonl"} {
		keys := map[string]string{}
		for _, l := range vectors.Read(t, up, file) {
			if !l.Has("raw") {
				continue
			}
			raw := string(l.Bytes(t, "raw").Head)
			if k := headerOf(raw, "Sec-WebSocket-Key"); k != "" {
				keys[l.Text("conn")] = k
			}
			if got := headerOf(raw, "Sec-WebSocket-Accept"); got != "" {
				if n++; got != AcceptKey(keys[l.Text("conn")]) {
					t.Fatalf("%s:%d: %s", file, l.Number, got)
				}
			}
		}
	}
	if n == 0 {
		t.Fatal("no upgrade in the recordings")
	}
}

func headerOf(head, name string) string {
	for _, line := range strings.Split(head, "\r\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.EqualFold(k, name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
