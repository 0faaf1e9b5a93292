package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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

// oddLength tells what in a stream NewLife cannot read: a long header before a payload that makes the frame shorter than 65,539
// bytes, which is read here, and a length that is negative or over the limit, which is malformed here.
func oddLength(b []byte) (short, bad bool) {
	for len(b) >= 4 {
		n, hs := int64(binary.LittleEndian.Uint16(b[2:])), 4
		if n == 0xFFFF {
			if len(b) < 8 {
				break
			}
			n, hs = int64(int32(binary.LittleEndian.Uint32(b[4:]))), 8
			short = short || n >= 0 && n < 65539-8
		}
		if n < 0 || n > DefaultMax {
			return short, true
		}
		b = b[min(int64(len(b)), int64(hs)+n):]
	}
	return short, false
}

// srmpDecoded: one buffer given to the reader.
func srmpDecoded(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Fill(t, 'a')
	f, n, err := Standard{}.ParseFrame(b)
	switch short, bad := oddLength(b); {
	case bad:
		if !errors.Is(err, ErrMalformed) {
			t.Fatalf("got %v %v", n, err)
		}
	case short && l.Int(t, "getLength") <= len(b):
		if err != nil || n != l.Int(t, "getLength") || len(f.Payload) != n-8 || f.Head != b[0] || f.Seq != b[1] {
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

// srmpCodecWrite: user values to frames, bytes with flag 1, anything else, which is text, with flag 0. Numbers are the
// connection's: the one of the recorded frame is taken, unless the line says it. What a message holds no line says.
func srmpCodecWrite(t *testing.T, l vectors.Line) {
	if l.Has("seqs") { // a number is the low byte of a counter
		for _, s := range strings.FieldsFunc(l.Text("seqs"), func(r rune) bool { return strings.ContainsRune("\",[] ", r) }) {
			var n, seq int
			if _, err := fmt.Sscanf(s, "%d:%d", &n, &seq); err != nil || int(byte(n)) != seq {
				t.Fatalf("%s: %v", s, err)
			}
		}
		return
	}
	recorded := l.Bytes(t, "hex")
	f, n, err := Standard{}.ParseFrame(recorded.Head)
	if err != nil || n != len(recorded.Head) {
		t.Fatal(n, err)
	}
	kind, value := vectors.Described(l.Text("value"))
	want := Frame{Head: Head(Request, 1), Seq: f.Seq, Payload: f.Payload}
	if payload, text, ok := vectors.Payload(kind, value); ok {
		want.Payload = payload
		if text {
			want.Head = Head(Request, 0)
		}
	} else {
		want.Head, want.Seq = describedMessage(t, value, f.Seq)
	}
	again, err := Standard{}.AppendFrame(nil, want)
	if err != nil {
		t.Fatal(err)
	}
	recorded.Equal(t, again)
}

// describedMessage reads "flag 1 seq 9" and "reply seq 0 (kept)". A request's seq of 0 means that the codec numbers it.
func describedMessage(t *testing.T, value string, seq byte) (head, number byte) {
	t.Helper()
	mode, flag, number := Request, 1, seq
	words := strings.Fields(value)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "reply":
			mode = Response
		case "error":
			mode = ErrorResponse
		case "oneway":
			mode = OneWay
		case "flag", "seq":
			if i++; i == len(words) {
				t.Fatalf("nobody knows %q", value)
			}
			n, err := strconv.Atoi(words[i])
			if err != nil {
				t.Fatalf("nobody knows %q", value)
			}
			if words[i-1] == "flag" {
				flag = n
			} else if n != 0 || mode == Response || mode == ErrorResponse {
				number = byte(n)
			}
		default:
			t.Fatalf("nobody knows %q", value)
		}
	}
	return Head(mode, byte(flag)), number
}

// srmpLength: where NewLife's length function says "not yet" ours needs more, where it says a size it is ours, unless the length
// is one that is malformed here.
func srmpLength(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "prefix").Head
	n, err := Standard{}.Cut(b)
	if _, bad := oddLength(b); bad {
		if !errors.Is(err, ErrMalformed) {
			t.Fatalf("got %d %v", n, err)
		}
		return
	}
	if want := l.Int(t, "result"); err != nil || n != want {
		t.Fatalf("got %d %v, recorded %d", n, err, want)
	}
}

// srmpReceive: pieces of a stream. What NewLife loses behind a long header before a short payload arrives here; a bad length
// ends the stream, and up to there both deliver the same.
func srmpReceive(t *testing.T, l vectors.Line) {
	var all []byte
	d := NewReader(Standard{})
	var fs []got
	recorded := 0
	var err error
	for i, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered", "error")
		chunk := s.Bytes(t, "chunk").Fill(t, 'a')
		now, e := feedAll(d, [][]byte{chunk}, nil)
		all, fs, err = append(all, chunk...), append(fs, now...), e
		short, bad := oddLength(all)
		if bad != errors.Is(err, ErrMalformed) || (err != nil) != bad {
			t.Fatalf("step %d: %v", i, err)
		}
		ws := s.Subs(t, "delivered")
		for k, w := range ws {
			if !short && !bad && k < len(now) {
				sameFrame(t, w, now[k])
			}
		}
		recorded += len(ws)
		if !short && !bad && len(now) != len(ws) {
			t.Fatalf("step %d: %v", i, now)
		}
	}
	whole, _ := referred(all, func(b []byte) (got, int, bool) { return refSRMP(b, DefaultMax) })
	if len(fs) != len(whole) || err == nil && recorded > len(fs) {
		t.Fatalf("%d frames, there are %d, recorded %d", len(fs), len(whole), recorded)
	}
}

// referred are the frames that a plain reference finds in b, and what is left.
func referred(b []byte, ref reference) (fs []got, rest []byte) {
	for {
		f, n, bad := ref(b)
		if n == 0 || bad {
			return fs, b
		}
		fs, b = append(fs, f), b[n:]
	}
}
