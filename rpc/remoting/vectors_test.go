package remoting

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
)

const up = ".."

// TestVectorRemoting reads every recorded conversation. What frames and messages say is compared with what the recording
// says of them, and written again to the same bytes.
func TestVectorRemoting(t *testing.T) {
	for _, file := range vectors.Files(t, up, "remoting/*.jsonl") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			lines := vectors.Read(t, up, file)
			c := conversation{streams: map[string]*frame.Reader{}, foreign: map[string]bool{}, answered: answered(lines)}
			for _, l := range lines {
				t.Run(l.Name(), func(t *testing.T) { c.line(t, l) })
			}
		})
	}
}

// conversation is what the lines of a file before have told.
type conversation struct {
	name    string          // of the case
	pauses  []time.Duration // of the case: before each piece that is left to send
	streams map[string]*frame.Reader
	foreign map[string]bool // connections that are not SRMP on the wire: package websocket, and net/http

	answered map[string]bool // case and number of requests that the recording answers
}

// answered reads ahead.
func answered(lines []vectors.Line) map[string]bool {
	out, name := map[string]bool{}, ""
	for _, l := range lines {
		if l.Has("case") {
			name = l.Text("case")
		}
		if l.Text("dir") == "s2c" && l.Has("frame") {
			var b vectors.Bytes
			if json.Unmarshal([]byte(l.Raw("frame")), &b) == nil && len(b.Head) > 1 {
				out[fmt.Sprint(name, " ", b.Head[1])] = true
			}
		}
	}
	return out
}

// pausesOf gives the silence before each piece that a case says was sent.
func pausesOf(l vectors.Line) (pauses []time.Duration) {
	var sent []json.RawMessage
	if json.Unmarshal([]byte(l.Raw("sent")), &sent) != nil {
		return nil
	}
	pause := time.Duration(0)
	for _, raw := range sent {
		var n int
		if _, err := fmt.Sscanf(string(raw), `"wait %d ms"`, &n); err == nil {
			pause += time.Duration(n) * time.Millisecond
			continue
		}
		pauses, pause = append(pauses, pause), 0
	}
	return pauses
}

func (c *conversation) line(t *testing.T, l vectors.Line) {
	l.Only(t, "conversation", "about", "client calls", "client received", "cases", "volatile", "InvokeAll result",
		"case", "sent", "serverClosed", "answers", "client call", "dir", "conn", "frame", "parsed", "raw", "text", "note", "event")
	switch l.Kind("conversation", "case", "frame", "raw", "event") {
	case "conversation":
	case "case":
		c.name, c.pauses = l.Text("case"), pausesOf(l)
		clear(c.foreign)
		if strings.HasPrefix(l.Raw("answers"), "[") {
			tailCase(t, l)
		}
	case "event":
		if e := l.Text("event"); e != "fin" && e != "reset" {
			t.Fatalf("unknown event %q", e)
		}
	case "frame":
		recorded(t, l)
	case "raw":
		c.raw(t, l)
	default:
		t.Fatal("unknown kind of line")
	}
}

// recorded: a whole frame and what it says.
func recorded(t *testing.T, l vectors.Line) {
	p := l.Sub(t, "parsed")
	p.Only(t, "mode", "flag", "seq", "headerLength", "payloadLength", "action", "code", "dataKind", "dataLength", "data", "trailing", "parseNote")
	b := whole(t, l.Bytes(t, "frame"))
	std := frame.Standard{Max: 16 << 20}
	f, n, err := std.ParseFrame(b)
	if err != nil || n != len(b) || n != p.Int(t, "headerLength")+p.Int(t, "payloadLength") {
		t.Fatal(n, err)
	}
	if f.Mode().String() != p.Text("mode") || int(f.Flag()) != p.Int(t, "flag") || int(f.Seq) != p.Int(t, "seq") {
		t.Fatalf("%02x %02x", f.Head, f.Seq)
	}
	m, err := Parse(f.Mode(), f.Payload)
	if p.Has("parseNote") || len(m.Action) == 0 { // recorded as incomplete, or with an empty action
		if !errors.Is(err, ErrMalformed) || string(m.Action) != p.Text("action") {
			t.Fatal(m, err)
		}
		return
	}
	if err != nil || string(m.Action) != p.Text("action") || m.Tail != nil && !p.Has("trailing") {
		t.Fatal(m, err)
	}
	if p.Has("code") && int(m.Code) != p.Int(t, "code") {
		t.Fatal(m.Code)
	}
	switch p.Text("dataKind") {
	case "none":
		if m.Data != nil {
			t.Fatalf("%q", m.Data)
		}
	case "utf8":
		if m.Data == nil || len(m.Data) != p.Int(t, "dataLength") || !strings.HasPrefix(p.Text("data"), "{\"head\"") && string(m.Data) != p.Text("data") {
			t.Fatalf("%.80q", m.Data)
		}
	case "hex":
		p.Bytes(t, "data").Equal(t, m.Data)
	default:
		t.Fatalf("unknown kind of data %q", p.Text("dataKind"))
	}
	again, err := AppendFrame(nil, std, f.Head, f.Seq, &m)
	trailing := p.Optional(t, "trailing")
	if headerLength := p.Int(t, "headerLength"); headerLength == 8 && f.Mode() == frame.Response && len(b) < 1<<16 {
		return // a long header before a short payload is read, and not written
	}
	if err != nil || len(again) != len(b)-len(trailing) || Size(f.Mode(), &m) != len(f.Payload)-len(trailing) {
		t.Fatal(len(again), len(b), err)
	}
	if len(trailing) == 0 && !bytes.Equal(again, b) {
		t.Fatalf("%.200x\nrecorded\n%.200x", again, b)
	}
}

// whole restores a frame of which the recording has the head, by the patterns its services send.
func whole(t *testing.T, b vectors.Bytes) []byte {
	t.Helper()
	if b.Whole {
		return b.Head
	}
	text := "0123456789abcdef"
	for _, start := range []int{bytes.Index(b.Head, []byte(text)), bytes.Index(b.Head, []byte{0, 1, 2, 3, 4, 5}), bytes.Index(b.Head, []byte("bbbb"))} {
		if start < 0 {
			continue
		}
		out := append([]byte(nil), b.Head[:start]...)
		for i := 0; len(out) < b.Length; i++ {
			switch b.Head[start] {
			case '0':
				out = append(out, text[i%16])
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
	return b.Fill(t, 0)
}

// raw: one piece of a stream that was cut, or made, by hand.
func (c *conversation) raw(t *testing.T, l vectors.Line) {
	key := l.Text("dir") + l.Text("conn") + c.name
	pause := time.Duration(0)
	if len(c.pauses) > 0 && l.Text("dir") == "c2s" {
		pause, c.pauses = c.pauses[0], c.pauses[1:]
	}
	if c.foreign[l.Text("conn")] || c.streams[key] == nil && isHTTP(l.Bytes(t, "raw").Head) {
		c.foreign[l.Text("conn")] = true
		return
	}
	if c.streams[key] == nil {
		c.streams[key] = frame.NewReader(frame.Standard{})
	}
	d := c.streams[key]
	if pause > 0 && len(d.Pending()) > 0 { // the recorded silence: ours closes after 5 s
		var w frame.Watch
		now := time.Unix(0, 0)
		w.Check(now, d.Progress())
		if err := w.Check(now.Add(pause), d.Progress()); errors.Is(err, frame.ErrSilent) != (pause > 5*time.Second) {
			t.Fatal(err)
		} else if err != nil {
			d.Fail(err)
		}
	}
	piece := l.Bytes(t, "raw")
	b := piece.Head
	if !piece.Whole {
		b = piece.Fill(t, 0)
	}
	ended, at, whole := d.Err(), d.Offset(), append(bytes.Clone(d.Pending()), b...)
	err := d.Feed(b, func(f frame.Frame) { c.message(t, l, f) })
	var e *frame.Error
	switch {
	case ended != nil && err != ended:
		t.Fatalf("%s: %v became %v", c.name, ended, err)
	case ended == nil && errors.As(err, &e): // where the recorded peer waits: the length is one that no frame has
		head := whole[e.Offset-4-at:]
		if n := int32(binary.LittleEndian.Uint32(head[4:])); head[2] != 0xFF || head[3] != 0xFF || n >= 0 && n <= frame.DefaultMax {
			t.Fatalf("%s: %v", c.name, err)
		}
	}
}

// message: what a frame says, by a plain reading. What is malformed here, or has an action that is not looked up, has no
// recorded answer.
func (c *conversation) message(t *testing.T, l vectors.Line, f frame.Frame) {
	m, err := Parse(f.Mode(), f.Payload)
	want, reason := reference(f.Mode(), f.Payload)
	if !errors.Is(err, reason) || (err == nil) != (reason == nil) || !bytes.Equal(m.Action, want.Action) || !bytes.Equal(m.Data, want.Data) {
		t.Fatalf("%s: %v %v, want %v %v", c.name, m, err, want, reason)
	}
	if l.Text("dir") != "c2s" || f.Mode() != frame.Request {
		return
	}
	bad := err != nil || !ValidAction(m.Action)
	if bad && c.answered[fmt.Sprint(c.name, " ", f.Seq)] {
		t.Fatalf("%s: %q %v is answered", c.name, m.Action, err)
	}
}

// isHTTP reports the first bytes of HTTP.
func isHTTP(b []byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.HasPrefix(line, []byte("HTTP/")) || bytes.Contains(line, []byte(" HTTP/1."))
}

// tailCase: what was sent with bytes behind the data. Where they are no whole tail of ours - the recorded ones lack their length -
// they are ignored; with the length they are read.
func tailCase(t *testing.T, l vectors.Line) {
	streams := map[byte]byte{} // number of a stream's request to its head
	for _, b := range append(l.List(t, "sent"), l.List(t, "answers")...) {
		for rest := b.Head; len(rest) > 0; {
			f, n, err := frame.Standard{}.ParseFrame(rest)
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			rest = rest[n:]
			m, err := Parse(f.Mode(), f.Payload)
			if err != nil {
				t.Fatal(err)
			}
			if tail := []byte{mark0, mark1, 4, 1, 2, 0xe8, 7}; bytes.HasSuffix(f.Payload, tail) {
				if ms, ok := m.Tail.Timeout(); !ok || ms.Milliseconds() != 1000 {
					t.Fatalf("%x: %v %v", f.Payload, ms, ok)
				}
			}
			if k := ControlOf(f.Mode(), m.Action); string(m.Action) == "$cancel" && f.Mode() == frame.Response {
				if want := AppendControl(nil, Cancel, f.Seq, nil); k != Cancel || !bytes.Equal(want[4:], f.Payload) {
					t.Fatalf("%x, want %x", f.Payload, want)
				}
			}
			if bare := !bytes.Contains(f.Payload, []byte{mark0, mark1}); m.Tail != nil || bare {
				if again, err := AppendFrame(nil, frame.Standard{}, f.Head, f.Seq, &m); err != nil || !bytes.Equal(again[4:], f.Payload) {
					t.Fatalf("%x\nrecorded\n%x", again[4:], f.Payload)
				}
			}
			if f.Mode() == frame.Request && f.Head&0x30 == 0x30 && bytes.HasPrefix(m.Action, []byte("Stream/")) {
				streams[f.Seq] = f.Head
			}
			// Ours marks items with a1 and the end with b1; what only copies the flag is understood as well.
			if head, ok := streams[f.Seq]; ok && f.Mode() == frame.Response && StreamEnd(head, f, m.Data) != (m.Data == nil) {
				t.Fatalf("%x: end %v", f.Payload, m.Data == nil)
			}
		}
	}
}
