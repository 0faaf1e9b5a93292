// Package talks reads recorded conversations: which requests were sent on which connection, and what answered them.
package talks

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// Wide reads every recorded frame, those beyond NewLife's limit too.
var Wide = frame.Standard{Max: 16 << 20}

// Message is a frame of a conversation with what it says.
type Message struct {
	Line    vectors.Line
	Bytes   []byte
	Frame   frame.Frame
	Message remoting.Message
	Err     error // why the payload is no message
}

// Request is what a client sent, and what the server sent back with its number.
type Request struct {
	Message
	Answers []Message
}

// Asks reports whether r is answered: a request whose action can be looked up.
func (r *Request) Asks() bool {
	return r.Frame.Mode() == frame.Request && r.Err == nil && remoting.ValidAction(r.Message.Message.Action)
}

// Action is what r calls.
func (r *Request) Action() string { return string(r.Message.Message.Action) }

// Conn is a recorded connection.
type Conn struct {
	ID       string
	Case     string
	Foreign  bool // HTTP or WebSocket
	Made     bool // the server's side was made by hand
	Requests []*Request
	Pushes   []Message // one-way frames to the client

	in      *frame.Reader
	waiting map[byte][]*Request
}

// Read gives the connections of a recording in the order in which they begin. Lines that can't be read are left out; package
// remoting's tests tell of them.
func Read(lines []vectors.Line) (all []*Conn) {
	open, name, made := map[string]*Conn{}, "", false
	for _, l := range lines {
		if l.Has("case") {
			name, made = l.Text("case"), l.Has("client call")
			clear(open)
		}
		if l.Bad != nil || !l.Has("dir") || !l.Has("frame") && !l.Has("raw") {
			continue
		}
		c := open[l.Text("conn")]
		if c == nil {
			c = &Conn{ID: l.Text("conn"), Case: name, Made: made, in: frame.NewReader(Wide), waiting: map[byte][]*Request{}}
			open[c.ID] = c
			all = append(all, c)
		}
		c.line(l)
	}
	return all
}

func (c *Conn) line(l vectors.Line) {
	b, ok := piece(l)
	if !ok {
		return
	}
	c.Foreign = c.Foreign || l.Has("raw") && IsHTTP(b)
	switch {
	case c.Foreign:
	case l.Text("dir") == "s2c":
		if !l.Has("frame") {
			return
		}
		if m, ok := parse(l, b); ok {
			c.answer(m)
		}
	default:
		_ = c.in.Feed(b, func(f frame.Frame) { // what is malformed ends the stream
			f.Payload = bytes.Clone(f.Payload)
			whole, _ := Wide.AppendFrame(nil, f)
			m, _ := parse(l, whole)
			c.request(&Request{Message: m})
		})
	}
}

func parse(l vectors.Line, b []byte) (m Message, ok bool) {
	f, n, err := Wide.ParseFrame(b)
	if err != nil || n == 0 {
		return m, false
	}
	m = Message{Line: l, Bytes: b, Frame: f}
	m.Message, m.Err = remoting.Parse(f.Mode(), f.Payload)
	return m, true
}

// request notes what waits for answers with its number. One that has been answered waits no longer.
func (c *Conn) request(r *Request) {
	c.Requests = append(c.Requests, r)
	var still []*Request
	for _, w := range c.waiting[r.Frame.Seq] {
		if len(w.Answers) == 0 {
			still = append(still, w)
		}
	}
	c.waiting[r.Frame.Seq] = append(still, r)
}

// answer gives a frame to the first request with its number and action that has none yet, or else to the last.
func (c *Conn) answer(m Message) {
	if m.Frame.Mode() == frame.OneWay {
		c.Pushes = append(c.Pushes, m)
		return
	}
	var to *Request
	for _, w := range c.waiting[m.Frame.Seq] {
		if !bytes.Equal(w.Message.Message.Action, m.Message.Action) {
			continue
		}
		if to == nil || len(to.Answers) > 0 {
			to = w
		}
	}
	if to != nil {
		to.Answers = append(to.Answers, m)
	}
}

// IsHTTP reports the first bytes of HTTP.
func IsHTTP(b []byte) bool {
	for _, p := range []string{"GET ", "POST ", "PUT ", "HEAD ", "OPTIONS ", "DELETE ", "HTTP/"} {
		if bytes.HasPrefix(b, []byte(p)) {
			return true
		}
	}
	return false
}

// Piece gives the bytes of a line.
func Piece(t testing.TB, l vectors.Line) []byte {
	t.Helper()
	b, ok := piece(l)
	if !ok {
		t.Fatalf("line %d: no bytes", l.Number)
	}
	return b
}

func piece(l vectors.Line) ([]byte, bool) {
	key := "raw"
	if l.Has("frame") {
		key = "frame"
	}
	b, ok := l.Try(key)
	if !ok {
		return nil, false
	}
	return restored(b)
}

// Whole restores a byte string of which the recording has the head, by the patterns that its services send.
func Whole(t testing.TB, b vectors.Bytes) []byte {
	t.Helper()
	out, ok := restored(b)
	if !ok {
		t.Fatalf("no pattern in %x", b.Head)
	}
	return out
}

func restored(b vectors.Bytes) ([]byte, bool) {
	if b.Whole {
		return b.Head, true
	}
	for _, p := range []string{"0123456789abcdef", "\x00\x01\x02\x03\x04\x05", "bbbb", ""} {
		start := bytes.Index(b.Head, []byte(p))
		if p == "" {
			start = len(b.Head)
		}
		if start < 0 {
			continue
		}
		out := append(make([]byte, 0, b.Length), b.Head[:start]...)
		for i := 0; len(out) < b.Length; i++ {
			switch p {
			case "":
				out = append(out, 0)
			case "bbbb":
				out = append(out, 'b')
			case "0123456789abcdef":
				out = append(out, p[i%16])
			default:
				out = append(out, byte(i))
			}
		}
		if bytes.Contains(b.Head, []byte(`{"msg":"`)) {
			copy(out[b.Length-2:], `"}`)
		}
		if b.Holds(out) {
			return out, true
		}
	}
	return nil, false
}

// Step is what a probe does: it sends bytes, passes time, or ends its side: close, or half, which goes on reading.
type Step struct {
	Bytes []byte
	Pause time.Duration
	End   string
}

// Steps gives what a case says was sent.
func Steps(t testing.TB, l vectors.Line) (steps []Step) {
	t.Helper()
	var sent []json.RawMessage
	if err := json.Unmarshal([]byte(l.Text("sent")), &sent); err != nil {
		t.Fatalf("line %d: sent: %v", l.Number, err)
	}
	for _, raw := range sent {
		var text string
		_ = json.Unmarshal(raw, &text) // an object, for long bytes, leaves it empty
		if ms, ok := strings.CutPrefix(strings.TrimSuffix(text, " ms"), "wait "); ok {
			n, err := strconv.Atoi(ms)
			if err != nil {
				t.Fatalf("line %d: %v", l.Number, err)
			}
			steps = append(steps, Step{Pause: time.Duration(n) * time.Millisecond})
			continue
		}
		if text == "close" || text == "half" {
			steps = append(steps, Step{End: text})
			continue
		}
		var b vectors.Bytes
		if err := b.UnmarshalJSON(raw); err != nil {
			t.Fatalf("line %d: %v", l.Number, err)
		}
		steps = append(steps, Step{Bytes: Whole(t, b)})
	}
	return steps
}
