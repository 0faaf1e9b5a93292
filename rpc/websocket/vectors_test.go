package websocket

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

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

// written: a message and its bytes, as RFC 6455 says. The recording differs where it is wrong: 6 stray bytes at a length of 65,535,
// close frames that say masked and are not, a close without a code, FIN that is always set, a close whose code is lost.
func written(t *testing.T, l vectors.Line) {
	var key *[4]byte
	if l.Has("mask") {
		key = (*[4]byte)(l.Bytes(t, "mask").Head)
	}
	op, code := Opcode(l.Int(t, "opcode")), NoCode
	payload := l.Bytes(t, "payload").Fill(t, 0)
	before := bytes.Clone(payload)
	b, err := AppendMessage([]byte("x"), op, payload, key)
	if l.Has("statusCode") {
		if n := l.Int(t, "statusCode"); n != 0 {
			code = Code(n)
		}
		b, err = AppendClose([]byte("x"), code, l.Text("reason"), key)
	}
	if err != nil || !bytes.Equal(before, payload) {
		t.Fatalf("%v, or the payload changed", err)
	}
	b = b[1:]
	if l.Has("statusCode") {
		closeWritten(t, l, b, code, key)
	} else {
		want := plainFrame(op, payload, key)
		if !bytes.Equal(b, want) {
			t.Fatalf("%.40x, want %.40x", b, want)
		}
		if !l.Has("error") && !l.Has("volatile") && len(payload) != 65535 {
			l.Bytes(t, "hex").Equal(t, b)
		}
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
}

// plainFrame makes a frame byte by byte.
func plainFrame(op Opcode, payload []byte, key *[4]byte) []byte {
	b := []byte{0x80 | byte(op)}
	switch n := len(payload); {
	case n < 126:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	if key == nil {
		return append(b, payload...)
	}
	b[1] |= Masked
	return append(append(b, key[:]...), refMask(payload, *key, 0)...)
}

// closeWritten: b is a close frame with the code and reason of the line.
func closeWritten(t *testing.T, l vectors.Line, b []byte, code Code, key *[4]byte) {
	var want []byte
	if code != NoCode {
		want = append([]byte{byte(code >> 8), byte(code)}, l.Text("reason")...)
	}
	head := []byte{0x88, byte(len(want))}
	if key != nil {
		head[1] |= Masked
		head = append(head, key[:]...)
		want = refMask(want, *key, 0)
	}
	if want = append(head, want...); !bytes.Equal(b, want) {
		t.Fatalf("%x, want %x", b, want)
	}
	recordedClose(t, l, b, code, key)
	f, _, _ := Codec{}.ParseFrame(bytes.Clone(b))
	Mask(f.Payload, f.Key, 0)
	if got, reason, err := ParseClose(f.Payload); err != nil || got != code || reason != l.Text("reason") {
		t.Fatal(got, reason, err)
	}
}

// recordedClose: what was recorded is b, but for the faults of its writer: a payload under a mask is not masked, no code is the
// code 0, and before a payload given beside the code stand bytes without meaning.
func recordedClose(t *testing.T, l vectors.Line, b []byte, code Code, key *[4]byte) {
	recorded, head := l.Bytes(t, "hex"), 2
	if key != nil {
		head += len(key)
	}
	if given := l.Bytes(t, "payload").Head; len(given) > 0 {
		want := plainFrame(Close, given, key)
		if !bytes.HasPrefix(recorded.Head, want[:head]) || !bytes.HasSuffix(recorded.Head, want[head:]) {
			t.Fatalf("%x, recorded %x", want, recorded.Head)
		}
		return
	}
	want := bytes.Clone(b)
	if key != nil {
		want = append(want[:head], refMask(want[head:], *key, 0)...)
	}
	if code == NoCode {
		want[1] += 2
		want = append(want, 0, 0)
	}
	recorded.Equal(t, want)
}

// decoded: one buffer. The parser reads what the recorded one reads, and fragments; lengths no frame can have are malformed.
func decoded(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Head
	f, n, err := Codec{}.ParseFrame(b)
	_, _, size, bad := reference(b, frame.DefaultMax)
	switch {
	case bad:
		if !errors.Is(err, frame.ErrMalformed) {
			t.Fatal(f, n, err)
		}
		return
	case !l.Bool("result") && size > 0 && b[0] < Fin: // fragments are not read there
		if err != nil || n != size || f.Head != b[0] {
			t.Fatal(f, n, err)
		}
		return
	case !l.Bool("result"):
		if n != 0 || err != nil {
			t.Fatal(f, n, err)
		}
		return
	}
	if err != nil || n != size || int(Of(f)) != l.Int(t, "opcode") || f.Head&Fin != 0 != l.Bool("fin") {
		t.Fatal(f, n, err)
	}
	b = b[:n] // other frames may follow
	if l.Has("mask") != (f.Seq != 0) {
		t.Fatal("mask", f.Seq)
	}
	shortest, _ := Codec{}.AppendFrame(nil, f)
	if _, _, err := (Codec{Strict: true}).ParseFrame(b); (len(shortest) < n || controlOver(f)) != errors.Is(err, frame.ErrLength) {
		t.Fatal("strict", err)
	}
	a := Assembler{Server: f.Seq != 0}
	_, _, err = a.Take(f) // unmasks
	l.Bytes(t, "payload").Equal(t, f.Payload)
	if (err != nil) != refused(f) {
		t.Fatal("assembler", err)
	}
	if l.Has("statusCode") {
		decodedClose(t, l, f.Payload)
	}
}

func controlOver(f frame.Frame) bool { return Of(f) >= Close && len(f.Payload) > maxControl }

// refused tells that RFC 6455 forbids f, its payload unmasked, as the first frame of a connection.
func refused(f frame.Frame) bool {
	if f.Head&Reserved != 0 || controlOver(f) {
		return true
	}
	switch Of(f) {
	case Text:
		return f.Head&Fin != 0 && !utf8.Valid(f.Payload)
	case Binary:
		return false
	case Close:
		_, _, err := ParseClose(f.Payload)
		return err != nil
	case Ping, Pong:
		return f.Head&Fin == 0
	}
	return true
}

func decodedClose(t *testing.T, l vectors.Line, payload []byte) {
	code, reason, err := ParseClose(payload)
	want := Code(l.Int(t, "statusCode"))
	if len(payload) == 0 { // there 0
		want = NoCode
	}
	if code != want || reason != l.Text("reason") || (err != nil) != (len(payload) == 1 || len(payload) > 1 && !want.valid()) {
		t.Fatal(code, reason, err)
	}
}

// received: pieces of a stream. What the recorded codec delivers are the frames with FIN.
func received(t *testing.T, l vectors.Line) {
	if l.Text("op") != "receive" {
		t.Fatal("unknown op")
	}
	d := frame.NewReader(Codec{})
	for i, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered", "error")
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

// TestVectorConversations: behind the upgrade of a recorded connection the pieces hold whole frames with one SRMP frame each,
// apart from a piece that is cut on purpose, ping and close.
func TestVectorConversations(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			conns := map[string]*conversation{}
			for _, l := range vectors.Read(t, up, file) {
				t.Run(l.Name(), func(t *testing.T) {
					if l.Bad != nil {
						t.Fatal(l.Bad)
					}
					if l.Has("case") {
						clear(conns)
					}
					if !l.Has("raw") || !l.Has("conn") {
						return
					}
					raw := l.Bytes(t, "raw").Head
					if headerOf(string(raw), "Sec-WebSocket-Key") != "" {
						for _, dir := range []string{"c2s", "s2c"} {
							conns[dir+l.Text("conn")] = &conversation{d: frame.NewReader(Codec{Strict: true}),
								a: Assembler{Server: dir == "c2s", AllowUnmasked: true}}
						}
					}
					if c := conns[l.Text("dir")+l.Text("conn")]; c != nil {
						c.piece(t, raw)
					}
				})
			}
		})
	}
}

// conversation is one direction of a recorded connection.
type conversation struct {
	d    *frame.Reader
	a    Assembler
	head []byte // of HTTP, until it is whole
	up   bool
	over bool // what is no WebSocket came, or the end of it
}

func (c *conversation) piece(t *testing.T, b []byte) {
	if !c.up {
		c.head = append(c.head, b...)
		head, rest, whole := bytes.Cut(c.head, []byte("\r\n\r\n"))
		if !whole {
			return
		}
		c.up, b = true, rest
		if !bytes.HasPrefix(head, []byte("GET /")) && !bytes.HasPrefix(head, []byte("HTTP/1.1 101 ")) {
			c.over = true // the upgrade was refused
		}
	}
	if c.over {
		return
	}
	err := c.d.Feed(bytes.Clone(b), func(f frame.Frame) {
		first := Of(f) != 0
		m, ok, err := c.a.Take(f) // unmasks
		if c.over = c.over || err != nil; err != nil {
			if first && !refused(f) && !c.a.closed {
				t.Fatal(m, ok, err)
			}
			return
		}
		if !ok || c.over || m.Op != Binary && m.Op != Text {
			return
		}
		for rest := m.Payload; len(rest) > 0; {
			g, n, err := (frame.Standard{}).ParseFrame(rest)
			if err != nil || n == 0 || len(g.Payload) == 0 {
				t.Fatalf("%x: %v", m.Payload, err)
			}
			rest = rest[n:]
		}
	})
	c.over = c.over || err != nil
	if err != nil && !errors.Is(err, frame.ErrLength) && !errors.Is(err, frame.ErrMalformed) {
		t.Fatal(err)
	}
}

func TestVectorAccept(t *testing.T) {
	if k := AcceptKey("dGhlIHNhbXBsZSBub25jZQ=="); k != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Fatal(k)
	}
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			keys := map[string]string{}
			for _, l := range vectors.Read(t, up, file) {
				b, _ := l.Try("raw")
				raw := string(b.Head)
				if k := headerOf(raw, "Sec-WebSocket-Key"); k != "" {
					keys[l.Text("conn")] = k
				}
				if got := headerOf(raw, "Sec-WebSocket-Accept"); got != "" && got != AcceptKey(keys[l.Text("conn")]) {
					t.Errorf("line %d: %s", l.Number, got)
				}
			}
		})
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
