package frame

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/internal/vectors"
)

func TestVectorSplit(t *testing.T) {
	for _, l := range vectors.Read(t, up, "split.jsonl") {
		t.Run(l.Text("codec")+"/"+l.Name(), func(t *testing.T) {
			l.Only(t, "codec", "name", "delimiter", "write", "hex", "op", "steps", "note", "sent", "delivered", "text", "flagSet", "receive", "error")
			codec := l.Text("codec")
			switch kind := codec + "+" + l.Kind("write", "steps", "sent", "receive"); kind {
			case "split+write":
				splitWritten(t, l)
			case "split+steps":
				known(t, l, "receive")
				splitSteps(t, l)
			case "split+sent":
				known(t, l, "tcp")
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

func known(t *testing.T, l vectors.Line, op string) {
	t.Helper()
	if l.Text("op") != op {
		t.Fatalf("unknown op %q", l.Text("op"))
	}
}

// splitWritten: a packet and the delimiter behind it. NewLife's codec leaves a byte[] alone: no frame, the bytes themselves.
func splitWritten(t *testing.T, l vectors.Line) {
	delimiter := string(l.Bytes(t, "delimiter").Head)
	kind, payload := vectors.Described(l.Text("write"))
	switch kind {
	case "byte[]":
		l.Bytes(t, "hex").Equal(t, []byte(payload))
		return
	case "ipacket":
	default:
		t.Fatalf("nobody knows %q", l.Text("write"))
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

// splitSteps: with Keep the lines hold; the bytes NewLife throws away, because 1,024 or more wait while more comes, belong to
// the line.
func splitSteps(t *testing.T, l vectors.Line) {
	const most = 1024
	c := Delimited{Keep: true, Delimiter: delimiterOf(t, l)}
	d, bare := NewReader(c), NewReader(Delimited{Delimiter: c.Delimiter})
	waiting, lost := 0, 0
	for i, s := range l.Subs(t, "steps") {
		s.Only(t, "chunk", "delivered")
		if waiting >= most {
			waiting, lost = 0, lost+waiting
		}
		want := s.List(t, "delivered")
		chunk := fillLine(t, s.Bytes(t, "chunk"), c.delimiter(), len(want) > 0)
		fs, err := feedAll(d, [][]byte{chunk}, nil)
		cut, err2 := feedAll(bare, [][]byte{chunk}, nil)
		if errors.Is(err, ErrTooLarge) && len(d.Pending())+len(chunk) > DefaultLine {
			return // ours counts the line, however it was cut
		}
		if err != nil || err2 != nil || len(fs) != len(want) || len(cut) != len(want) {
			t.Fatalf("step %d: %v %v %v", i, fs, err, err2)
		}
		for j, f := range fs {
			if line := strings.TrimSuffix(string(f.payload), c.delimiter()); string(cut[j].payload) != line {
				t.Fatalf("without Keep %q, want %q", cut[j].payload, line)
			}
			want[j].Equal(t, f.payload[lost:])
			lost = 0
		}
		waiting = len(d.Pending()) - lost
	}
}

// delimiterOf gives the delimiter of a line. One that names none has CR LF, or else what everything that it delivers ends with and
// what cuts its pieces so.
func delimiterOf(t *testing.T, l vectors.Line) string {
	if l.Has("delimiter") {
		return string(l.Bytes(t, "delimiter").Head)
	}
	var all []byte
	var delivered []string
	for _, s := range l.Subs(t, "steps") {
		for _, d := range s.List(t, "delivered") {
			if !d.Whole {
				return "" // a long one: CR LF
			}
			delivered = append(delivered, string(d.Head))
		}
		all = append(all, s.Bytes(t, "chunk").Head...)
	}
	candidates := []string{"\r\n"}
	if len(delivered) > 0 {
		for n := len(delivered[0]); n > 0; n-- {
			candidates = append(candidates, delivered[0][len(delivered[0])-n:])
		}
	}
	for _, c := range candidates {
		parts := strings.SplitAfter(string(all), c)
		if slices.Equal(parts[:len(parts)-1], delivered) {
			return c
		}
	}
	return ""
}

// fillLine makes the long chunks of the recording: one letter, and the delimiter at the end where the piece delivers something.
func fillLine(t *testing.T, b vectors.Bytes, delimiter string, ends bool) []byte {
	if b.Whole {
		return b.Head
	}
	p := bytes.Repeat(b.Head[:1], b.Length)
	copy(p, b.Head)
	if ends {
		copy(p[b.Length-len(delimiter):], delimiter)
	}
	if b.Sum != "" {
		b.Equal(t, p)
	}
	return p
}

func splitTCP(t *testing.T, l vectors.Line) {
	var pieces [][]byte
	for _, b := range l.List(t, "sent") {
		pieces = append(pieces, b.Head)
	}
	delimiter := "\r\n"
	if l.Has("delimiter") {
		delimiter = string(l.Bytes(t, "delimiter").Head)
	}
	d := NewReader(Delimited{Keep: true, Delimiter: delimiter})
	fs, err := feedAll(d, pieces, nil)
	want := l.List(t, "delivered")
	if err != nil || len(fs) != len(want) {
		t.Fatal(fs, err)
	}
	for i := range want {
		want[i].Equal(t, fs[i].payload)
	}
	_, left := referred(bytes.Join(pieces, nil), refDelimited(delimiter))
	rest, err := d.End(func(Frame) { t.Fatal("frame at the end") })
	if !bytes.Equal(rest, left) || errors.Is(err, io.ErrUnexpectedEOF) != (len(left) > 0) || errors.Is(err, ErrMalformed) { // recorded as lost
		t.Fatalf("%q %v", rest, err)
	}
}

// jsonWritten: the recorded bytes are a frame of the JSON codec when they are JSON; in a Standard frame the flag tells JSON from
// texts, and packets, which pass the codec as they are, have 1. The values themselves are tested in package value.
func jsonWritten(t *testing.T, l vectors.Line) {
	b := l.Bytes(t, "hex").Head
	object := l.Text("flagSet") == "Json"
	if l.Text("codec") == "standard+json" {
		f, n, err := Standard{}.ParseFrame(b)
		if err != nil || n != len(b) || (f.Flag() == 3) != object || f.Flag() != 3 && f.Flag() != 0 && l.Has("flagSet") {
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

// jsonReceived: each value is a message, where NewLife reads objects only, and loses what stands behind one. What is no JSON is
// refused; what may become JSON waits for more, until the end.
func jsonReceived(t *testing.T, l vectors.Line) {
	in := l.Bytes(t, "receive").Head
	want, left := referred(in, refJSON)
	_, _, bad := refJSON(left)
	d := NewReader(JSON{})
	fs, err := feedAll(d, [][]byte{in}, nil)
	if (err != nil) != bad || len(fs) != len(want) {
		t.Fatal(fs, err)
	}
	for i := range want {
		if !bytes.Equal(fs[i].payload, bytes.TrimSpace(want[i].payload)) {
			t.Fatalf("%q", fs[i].payload)
		}
	}
	rest, err := d.End(func(f Frame) {
		if !bytes.Equal(f.Payload, bytes.TrimSpace(left)) {
			t.Fatalf("%q at the end", f.Payload)
		}
		left = nil
	})
	if cut := len(bytes.TrimSpace(left)) > 0; (err != nil) != cut {
		t.Fatalf("%q %v", rest, err)
	}
}

// jsonFrame: Standard frames whose payloads were given to the JSON codec.
func jsonFrame(t *testing.T, l vectors.Line) {
	for b := l.Bytes(t, "receive").Head; len(b) > 0; {
		f, n, err := Standard{}.ParseFrame(b)
		want, size, _ := refStandard(b)
		if err != nil || n != size || f.Head != want.head || f.Seq != want.seq || !bytes.Equal(f.Payload, want.payload) {
			t.Fatal(f, n, err)
		}
		if n == 0 {
			return // the rest is cut
		}
		b = b[n:]
	}
}
