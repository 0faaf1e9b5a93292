package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/internal/vectors"
)

const up = ".." // rpc/testdata/vectors

// got is a frame with a payload of its own.
type got struct {
	head, seq byte
	payload   []byte
}

func (g got) String() string { return fmt.Sprintf("%02x %02x %.80x", g.head, g.seq, g.payload) }

// feedAll feeds pieces and returns what came out, after each piece when steps is given.
func feedAll(d *Reader, pieces [][]byte, each func(i int, fs []got)) (all []got, err error) {
	for i, p := range pieces {
		var now []got
		err = d.Feed(p, func(f Frame) {
			now = append(now, got{f.Head, f.Seq, bytes.Clone(f.Payload)})
		})
		all = append(all, now...)
		if each != nil {
			each(i, now)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func TestVectorSRMP(t *testing.T) {
	for _, l := range vectors.Read(t, up, "srmp.jsonl") {
		t.Run(l.Name(), func(t *testing.T) {
			l.Only(t, "name", "flag", "kind", "data", "stream", "end", "seq", "payload", "hex", "readsAs", "op", "request", "value", "note",
				"seqs", "prefix", "result", "decode", "getLength", "fields", "error", "steps")
			switch l.Kind("kind", "op", "decode") {
			case "kind":
				srmpWritten(t, l)
			case "decode":
				srmpDecoded(t, l)
			case "op":
				srmpOp(t, l)
			default:
				t.Fatal("unknown kind of line")
			}
		})
	}
}

func mode(t *testing.T, l vectors.Line) Mode {
	t.Helper()
	for _, m := range []Mode{Request, OneWay, Response, ErrorResponse} {
		if m.String() == l.Text("kind") {
			return m
		}
	}
	t.Fatalf("unknown kind %q", l.Text("kind"))
	return 0
}

// srmpWritten: a message and its bytes.
func srmpWritten(t *testing.T, l vectors.Line) {
	payload := l.Bytes(t, "payload").Fill(t, 0)
	want := l.Bytes(t, "hex")
	f := Frame{Head: Head(mode(t, l), byte(l.Int(t, "flag"))), Seq: byte(l.Int(t, "seq")), Payload: payload}
	if l.Has("readsAs") { // the recorded message says one thing and is written as another
		r := l.Sub(t, "readsAs")
		f.Head = Head(modeOf(r), byte(r.Int(t, "flag")))
	}
	b, err := Standard{}.AppendFrame(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	want.Equal(t, b)
	if n := (Standard{}).SizeFrame(f); n != len(b) {
		t.Fatalf("SizeFrame %d, wrote %d", n, len(b))
	}
	g, n, err := Standard{}.ParseFrame(b)
	if err != nil || n != len(b) || g.Head != f.Head || g.Seq != f.Seq || !bytes.Equal(g.Payload, payload) {
		t.Fatalf("reads as %v %d %v", g, n, err)
	}
}

func modeOf(r vectors.Line) Mode {
	switch {
	case r.Bool("error"):
		return ErrorResponse
	case r.Bool("reply"):
		return Response
	case r.Bool("oneway"):
		return OneWay
	}
	return Request
}

// srmpDecoded: one buffer given to the reader. What NewLife refuses, because the header is long and the payload is not, is
// read here; negative lengths are malformed.
func srmpDecoded(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Fill(t, 'a')
	f, n, err := Standard{}.ParseFrame(b)
	switch name := l.Text("name"); {
	case name == "d-ext-negative":
		if !errors.Is(err, ErrLength) || !errors.Is(err, ErrMalformed) {
			t.Fatalf("got %v %v", n, err)
		}
	case name == "d-ext-small", name == "d-ext-fff7":
		if err != nil || n != l.Int(t, "getLength") || n != len(b) || len(f.Payload) != n-8 {
			t.Fatalf("got %v %d %v", f, n, err)
		}
	case l.Has("error"):
		if err != nil || n != 0 {
			t.Fatalf("want need more, got %d %v", n, err)
		}
	default:
		w := l.Sub(t, "fields")
		if err != nil || n != l.Int(t, "getLength") {
			t.Fatalf("got %d %v", n, err)
		}
		sameFrame(t, w, got{f.Head, f.Seq, f.Payload})
	}
}

func sameFrame(t *testing.T, want vectors.Line, g got) {
	t.Helper()
	want.Only(t, "flag", "reply", "oneway", "error", "seq", "payload")
	if g.head != Head(modeOf(want), byte(want.Int(t, "flag"))) || int(g.seq) != want.Int(t, "seq") {
		t.Fatalf("got %v, recorded flag %s seq %s", g, want.Text("flag"), want.Text("seq"))
	}
	want.Bytes(t, "payload").Equal(t, g.payload)
}

func srmpOp(t *testing.T, l vectors.Line) {
	switch op := l.Text("op"); op {
	case "CreateReply":
		f, _, err := Standard{}.ParseFrame(l.Bytes(t, "request").Head)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := Standard{}.AppendFrame(nil, f.Reply(Response, []byte("r")))
		l.Bytes(t, "hex").Equal(t, b)
	case "StandardCodec.Write":
		srmpCodecWrite(t, l)
	case "GetLength":
		srmpLength(t, l)
	case "receive":
		srmpReceive(t, l)
	default:
		t.Fatalf("unknown op %q", op)
	}
}

// srmpCodecWrite: user values to frames. Numbers are the connection's; here the recorded frame must read and write the same,
// texts with flag 0 and bytes with flag 1.
func srmpCodecWrite(t *testing.T, l vectors.Line) {
	if l.Has("seqs") { // a number is the low byte of a counter
		for _, s := range strings.FieldsFunc(l.Text("seqs"), func(r rune) bool { return r == '"' || r == ',' || r == '[' || r == ']' }) {
			var n, seq int
			if _, err := fmt.Sscanf(s, "%d:%d", &n, &seq); err != nil || int(byte(n)) != seq {
				t.Fatalf("%s: %v", s, err)
			}
		}
		return
	}
	b := l.Bytes(t, "hex")
	f, n, err := Standard{}.ParseFrame(b.Head)
	if err != nil || n != len(b.Head) {
		t.Fatal(n, err)
	}
	value := l.Text("value")
	text := strings.HasPrefix(value, "string") || strings.HasPrefix(value, "int") || strings.HasPrefix(value, "double") ||
		strings.HasPrefix(value, "bool") || strings.HasPrefix(value, "DateTime")
	if text != (f.Flag() == 0) {
		t.Fatalf("flag %d for %s", f.Flag(), value)
	}
	again, _ := Standard{}.AppendFrame(nil, f)
	b.Equal(t, again)
}

// srmpLength: where NewLife's length function says "not yet" ours needs more, where it says a size it is ours, and where its
// size is negative or too small for the header ours is malformed.
func srmpLength(t *testing.T, l vectors.Line) {
	n, err := Standard{}.Cut(l.Bytes(t, "prefix").Head)
	want := l.Int(t, "result")
	if want < 0 || l.Text("name") == "len-ffff-minus1" {
		if !errors.Is(err, ErrMalformed) {
			t.Fatalf("got %d %v", n, err)
		}
		return
	}
	if err != nil || n != want {
		t.Fatalf("got %d %v, recorded %d", n, err, want)
	}
}

func srmpReceive(t *testing.T, l vectors.Line) {
	steps := l.Subs(t, "steps")
	d := NewReader(Standard{})
	for i, s := range steps {
		s.Only(t, "chunk", "delivered", "error")
		fs, err := feedAll(d, [][]byte{s.Bytes(t, "chunk").Fill(t, 'a')}, nil)
		want := s.Subs(t, "delivered")
		switch name := l.Text("name"); {
		case strings.HasPrefix(name, "r-ext-small"): // recorded as lost, read here
			if err != nil || len(fs) < len(want) {
				t.Fatalf("step %d: %v %v", i, fs, err)
			}
		case name == "r-ext-minus1" || name == "r-ext-min":
			if !errors.Is(err, ErrLength) || len(fs) != 0 {
				t.Fatalf("step %d: %v %v", i, fs, err)
			}
		default:
			if err != nil || len(fs) != len(want) {
				t.Fatalf("step %d: %v %v", i, fs, err)
			}
			for j := range want {
				sameFrame(t, want[j], fs[j])
			}
		}
	}
}

func TestVectorLengthField(t *testing.T) {
	for _, l := range vectors.Read(t, up, "lengthfield.jsonl") {
		t.Run(l.Name(), func(t *testing.T) {
			l.Only(t, "name", "offset", "size", "payload", "hex", "readsAs", "error", "note", "op", "steps", "sent", "delivered")
			c := LengthField{Size: l.Int(t, "size"), Offset: l.Int(t, "offset")}
			switch l.Kind("payload", "steps", "sent") {
			case "payload":
				lengthFieldWritten(t, c, l)
			case "steps":
				lengthFieldSteps(t, c, l)
			case "sent":
				var pieces [][]byte
				for _, b := range l.List(t, "sent") {
					pieces = append(pieces, b.Head)
				}
				fs, err := feedAll(NewReader(c), pieces, nil)
				// NewLife loses a piece that ends inside the length; here both messages arrive.
				if err != nil || len(fs) != 2 || string(fs[0].payload) != "Hello" || string(fs[1].payload) != "Hello" {
					t.Fatal(fs, err)
				}
			default:
				t.Fatal("unknown kind of line")
			}
		})
	}
}

func lengthFieldWritten(t *testing.T, c LengthField, l vectors.Line) {
	payload := l.Bytes(t, "payload").Fill(t, 0)
	b, err := c.AppendFrame([]byte("x"), Frame{Payload: payload})
	if l.Has("error") {
		if !errors.Is(err, ErrConfig) || string(b) != "x" {
			t.Fatalf("got %x %v", b, err)
		}
		if _, _, err := c.ParseFrame([]byte("12345678")); !errors.Is(err, ErrConfig) {
			t.Fatal(err)
		}
		return
	}
	if l.Has("readsAs") { // the recorded length is cut
		if !errors.Is(err, ErrTooLarge) || string(b) != "x" {
			t.Fatalf("got %.20x %v", b, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	b = b[1:]
	l.Bytes(t, "hex").Equal(t, b)
	f, n, err := c.ParseFrame(b)
	if err != nil || n != len(b) || n != c.SizeFrame(f) || !bytes.Equal(f.Payload, payload) {
		t.Fatal(n, err)
	}
	if h := c.Header(b[:n]); !bytes.Equal(h, make([]byte, c.Offset)) {
		t.Fatalf("header %x", h)
	}
}

func lengthFieldSteps(t *testing.T, c LengthField, l vectors.Line) {
	var pieces [][]byte
	var want []vectors.Bytes
	lossy := strings.HasSuffix(l.Text("name"), "byte-by-byte")
	d := NewReader(c)
	for _, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered", "error")
		fs, err := feedAll(d, [][]byte{s.Bytes(t, "chunk").Head}, nil)
		now := s.List(t, "delivered")
		if err != nil || !lossy && len(fs) != len(now) {
			t.Fatal(fs, err)
		}
		for _, f := range fs {
			pieces = append(pieces, f.payload)
		}
		want = append(want, now...)
	}
	if lossy { // recorded as lost at each piece that ends inside the length
		if len(pieces) != 2 || string(pieces[0]) != "Hello" || string(pieces[1]) != "Wo" {
			t.Fatalf("%q", pieces)
		}
		return
	}
	for i := range want {
		want[i].Equal(t, pieces[i])
	}
}

func TestVectorSplit(t *testing.T) {
	for _, l := range vectors.Read(t, up, "split.jsonl") {
		t.Run(l.Text("codec")+"/"+l.Name(), func(t *testing.T) {
			l.Only(t, "codec", "name", "delimiter", "write", "hex", "op", "steps", "note", "sent", "delivered", "text", "flagSet", "receive", "error")
			codec := l.Text("codec")
			switch kind := codec + "+" + l.Kind("write", "steps", "sent", "receive"); kind {
			case "split+write":
				splitWritten(t, l)
			case "split+steps":
				splitSteps(t, l)
			case "split+sent":
				splitTCP(t, l)
			case "json+write", "standard+json+write":
				jsonWritten(t, l)
			case "json+receive":
				jsonReceived(t, l)
			case "standard+json+receive":
				jsonFrame(t, l)
			default:
				t.Fatalf("unknown kind of line %q", kind)
			}
		})
	}
}

func splitWritten(t *testing.T, l vectors.Line) {
	payload, delimiter := map[string]string{"write-packet": "hello", "write-empty": "", "write-with-delimiter-inside": "a\r\nb",
		"write-bytes": "hello", "write-custom-1byte": "hello"}[l.Text("name")], string(l.Bytes(t, "delimiter").Head)
	if l.Text("name") == "write-bytes" { // NewLife's codec leaves a byte[] alone: no frame, the bytes themselves
		l.Bytes(t, "hex").Equal(t, []byte(payload))
		return
	}
	for _, keep := range []bool{false, true} {
		c := Delimited{Delimiter: delimiter, Keep: keep}
		b, err := c.AppendFrame(nil, Frame{Payload: []byte(payload)})
		if err != nil || c.SizeFrame(Frame{Payload: []byte(payload)}) != len(b) {
			t.Fatal(err)
		}
		l.Bytes(t, "hex").Equal(t, b)
	}
	c := Delimited{Delimiter: delimiter, Strict: true}
	if _, err := c.AppendFrame(nil, Frame{Payload: []byte(payload)}); strings.Contains(payload, delimiter) != errors.Is(err, ErrFrame) {
		t.Fatal(err)
	}
}

// splitSteps: with Keep the lines hold; the bytes NewLife throws away, because they wait while more comes, belong to the line.
func splitSteps(t *testing.T, l vectors.Line) {
	c := Delimited{Keep: true}
	if l.Text("name") == "recv-custom" {
		c.Delimiter = "##"
	}
	d, bare := NewReader(c), NewReader(Delimited{Delimiter: c.Delimiter})
	for i, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered")
		chunk := fillLine(t, s.Bytes(t, "chunk"))
		fs, err := feedAll(d, [][]byte{chunk}, nil)
		if err != nil {
			t.Fatal(err)
		}
		cut, _ := feedAll(bare, [][]byte{chunk}, nil)
		for j, f := range fs {
			if want := strings.TrimSuffix(string(f.payload), c.delimiter()); string(cut[j].payload) != want {
				t.Fatalf("without Keep %q, want %q", cut[j].payload, want)
			}
		}
		want := s.List(t, "delivered")
		if len(fs) != len(want) {
			t.Fatalf("step %d: %v", i, fs)
		}
		for j := range want {
			if over := map[string]int{"recv-long-over-limit": 1024, "recv-long-three": 1200}[l.Text("name")]; over > 0 && len(fs[j].payload) > over {
				fs[j].payload = fs[j].payload[over:]
			}
			want[j].Equal(t, fs[j].payload)
		}
	}
}

// fillLine makes the long chunks of the recording: one letter, and CR LF at the end where two bytes are over.
func fillLine(t *testing.T, b vectors.Bytes) []byte {
	p := b.Fill(t, b.Head[0])
	if !b.Whole && b.Length%1000 == 2 {
		copy(p[b.Length-2:], "\r\n")
	}
	return p
}

func splitTCP(t *testing.T, l vectors.Line) {
	var pieces [][]byte
	for _, b := range l.List(t, "sent") {
		pieces = append(pieces, b.Head)
	}
	d := NewReader(Delimited{Keep: true})
	fs, err := feedAll(d, pieces, nil)
	want := l.List(t, "delivered")
	if err != nil || len(fs) != len(want) {
		t.Fatal(fs, err)
	}
	for i := range want {
		want[i].Equal(t, fs[i].payload)
	}
	rest, err := d.End(func(Frame) { t.Fatal("frame at the end") })
	if string(rest) != "rest" || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrMalformed) { // recorded as lost
		t.Fatalf("%q %v", rest, err)
	}
}

// jsonWritten: the recorded bytes are a frame of the JSON codec when they are an object; in a Standard frame the flag tells
// objects from texts. The values themselves are tested in package value.
func jsonWritten(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Head
	object := l.Text("flagSet") == "Json"
	if l.Text("codec") == "standard+json" {
		f, n, err := Standard{}.ParseFrame(b)
		if err != nil || n != len(b) || (f.Flag() == 3) != object || f.Flag() != 3 && f.Flag() != 0 {
			t.Fatal(f, err)
		}
		b = f.Payload
	}
	f, n, err := JSON{}.ParseFrame(b)
	if object && (err != nil || n != len(b) || !bytes.Equal(f.Payload, b)) {
		t.Fatalf("%q: %v", b, err)
	}
	if object {
		again, err := JSON{}.AppendFrame(nil, f)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%q: %v", again, err)
		}
	}
}

func jsonReceived(t *testing.T, l vectors.Line) {
	in := l.Bytes(t, "receive").Head
	want, ok := map[string][]string{
		"recv-object": {string(in)}, "recv-big-number": {string(in)},
		"recv-array": {"[1,2]"}, "recv-string": {`"abc"`}, // recorded as null and an error
		"recv-empty": nil, "recv-space": nil,
		"recv-truncated":     nil,                    // recorded as an error: here more may come
		"recv-two-objects":   {`{"a":1}`, `{"b":2}`}, // recorded: the second is lost
		"recv-unquoted-name": nil,
	}[l.Text("name")]
	if !ok {
		t.Fatal("unknown line")
	}
	d := NewReader(JSON{})
	fs, err := feedAll(d, [][]byte{in}, nil)
	if (err != nil) != (l.Text("name") == "recv-unquoted-name") {
		t.Fatal(err)
	}
	if len(fs) != len(want) {
		t.Fatalf("%v", fs)
	}
	for i := range want {
		if string(fs[i].payload) != want[i] {
			t.Fatalf("%q", fs[i].payload)
		}
	}
	rest, err := d.End(func(Frame) { t.Fatal("frame at the end") })
	if bad := l.Text("name") == "recv-truncated" || l.Text("name") == "recv-unquoted-name"; (err != nil) != bad {
		t.Fatalf("%q %v", rest, err)
	}
}

func jsonFrame(t *testing.T, l vectors.Line) {
	f, n, err := Standard{}.ParseFrame(l.Bytes(t, "receive").Head)
	if err != nil || n == 0 {
		t.Fatal(err)
	}
	want := map[string]string{"recv-frame-json": "3" + `{"a":1}`, "recv-frame-string": "0hello", "recv-frame-empty": "3"}[l.Text("name")]
	if s := strconv.Itoa(int(f.Flag())) + string(f.Payload); s != want {
		t.Fatalf("%q", s)
	}
}
