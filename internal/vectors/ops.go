package vectors

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// operation is one of SpanWriter's with its argument.
type operation struct {
	write func(*span.Writer)
	read  func(*span.Reader) any
	back  any // what reading gives, where it isn't the argument: then a form loses something
	wraps int // the length is more than as many bytes hold
}

// newOperation returns the operation of a line.
func newOperation(op string, arg any, n int) (*operation, error) {
	switch op {
	case "WriteEncodedInt(int32)":
		x, err := intArg(arg, 32)
		return &operation{
			write: func(w *span.Writer) { w.WriteUvarint(uint64(uint32(x))) },
			read:  func(r *span.Reader) any { return int64(int32(r.ReadUvarint(32))) },
			back:  x,
		}, err
	case "WriteEncodedInt64(int64)":
		x, err := intArg(arg, 64)
		return &operation{
			write: func(w *span.Writer) { w.WriteUvarint(uint64(x)) },
			read:  func(r *span.Reader) any { return int64(r.ReadUvarint(64)) },
			back:  x,
		}, err
	}
	text, ok := arg.(string)
	if !ok && arg != nil {
		return nil, fmt.Errorf("%v is no text", arg)
	}
	switch op {
	case "Write(string,n)":
		back := text
		if n > 0 {
			back = strings.TrimRight(text[:min(n, len(text))], "\x00")
		}
		return &operation{
			write: func(w *span.Writer) { w.WriteStringN(text, n) },
			read:  func(r *span.Reader) any { return r.ReadStringN(n) },
			back:  back,
		}, nil
	case "WriteLengthString(string,n)":
		return &operation{
			write: func(w *span.Writer) { w.WriteArray([]byte(text), n) },
			read:  func(r *span.Reader) any { return string(r.ReadArray(nil, n)) },
			back:  text,
			wraps: wraps(len(text), n),
		}, nil
	case "WriteArray(bytes,n)":
		b, err := hex.DecodeString(text)
		return &operation{
			write: func(w *span.Writer) { w.WriteArray(b, n) },
			read:  func(r *span.Reader) any { return string(r.ReadArray(nil, n)) },
			back:  string(b),
			wraps: wraps(len(b), n),
		}, err
	}
	return nil, fmt.Errorf("unknown op %q", op)
}

func intArg(arg any, bits int) (int64, error) {
	text, ok := arg.(string)
	if !ok {
		return 0, fmt.Errorf("%v is no integer", arg)
	}
	return strconv.ParseInt(text, 10, bits)
}

// wraps gives width if a length of n does not fit it, else 0.
func wraps(n, width int) int {
	if width == 1 && n > math.MaxUint8 || width == 2 && n > math.MaxUint16 {
		return width
	}
	return 0
}

// runOp checks a line of an operation.
func runOp(t *testing.T, l *Line, o span.Options) {
	arg := l.Arg
	if l.Decode {
		arg = l.Value
		if l.Error != "" && strings.Contains(l.Op, "Int") {
			arg = "0" // there is none
		}
	}
	op, err := newOperation(l.Op, arg, l.N)
	if err != nil {
		t.Fatalf("%s: %v", l.At, err)
	}
	if !l.Decode {
		op.checkWrite(t, l, o)
	}
	if l.HasHex {
		op.checkRead(t, l, o)
	}
}

// checkWrite holds writing to the line: into a growing buffer, one that is just
// large enough, and one that is a byte too small.
func (op *operation) checkWrite(t *testing.T, l *Line, o span.Options) {
	var w span.Writer
	w.Configure(o)
	op.write(&w)
	if l.Error != "" || op.wraps != 0 && !o.Compat {
		if err := w.Err(); !errors.Is(err, span.ErrRange) {
			t.Errorf("%s: error %v, want ErrRange", l.At, err)
		}
		return
	}
	if err := w.Err(); err != nil || !bytes.Equal(w.Bytes(), l.Hex) {
		t.Errorf("%s: error %v, wrote\n%x, want\n%x", l.At, err, w.Bytes(), l.Hex)
	}
	for size := range len(l.Hex) + 1 {
		if size < len(l.Hex)-1 {
			continue
		}
		w = *span.NewFixedWriter(make([]byte, size))
		w.Configure(o)
		op.write(&w)
		if err := w.Err(); errors.Is(err, span.ErrShortBuffer) != (size < len(l.Hex)) {
			t.Errorf("%s: error %v in %d bytes of %d", l.At, err, size, len(l.Hex))
		}
	}
}

// checkRead holds reading to the line.
func (op *operation) checkRead(t *testing.T, l *Line, o span.Options) {
	r := span.NewReader(l.Hex)
	r.Configure(o)
	got := op.read(r)
	if l.Decode && l.Error != "" {
		if r.Err() == nil {
			t.Errorf("%s: read %v, want an error", l.At, got)
		}
		return
	}
	want, end := op.back, int64(l.ReadBytes)
	if op.wraps != 0 { // the length tells of fewer bytes
		mask := 1<<(8*op.wraps) - 1
		want = want.(string)[:len(want.(string))&mask]
		end = r.Offset()
	}
	if err := r.Err(); err != nil || r.Offset() != end {
		t.Errorf("%s: error %v at %d, want none at %d", l.At, err, r.Offset(), end)
	}
	if g, ok := got.(string); ok && validUTF8(g) == validUTF8(want.(string)) {
		return
	}
	if got != want {
		t.Errorf("%s: read %v, want %v", l.At, got, want)
	}
}

// runMarked checks a line of Write<T>(object).
func (c *check) runMarked() {
	if c.l.Op != "Write<T>(object)" {
		c.t.Fatalf("%s: unknown op %q", c.l.At, c.l.Op)
	}
	if models.New(c.l.Model) == nil {
		c.t.Fatalf("%s: unknown model %q", c.l.At, c.l.Model)
	}
	if c.l.Decode || !c.l.HasHex {
		c.t.Fatalf("%s: no rule for this line", c.l.At)
	}
	c.marked()
	if c.f.AppendMarked != nil {
		c.markedForm()
	}
}

// marked checks the mark with the Writer's and Reader's own methods.
func (c *check) marked() {
	var w span.Writer
	w.Configure(c.o)
	want := []byte{}
	if w.WriteBool(c.l.Value != nil); c.l.Value != nil {
		b, err := c.f.Append(c.value(c.l.Value), c.o)
		if err != nil {
			c.t.Fatalf("%s: writing: %v", c.l.At, err)
		}
		want = b
	}
	if got := append(w.Bytes(), want...); !bytes.Equal(got, c.l.Hex) {
		c.t.Errorf("%s: wrote\n%x, want\n%x", c.l.At, got, c.l.Hex)
	}
	r := span.NewReader(c.l.Hex)
	if present := r.ReadBool(); present != (c.l.Value != nil) || r.Offset() != 1 {
		c.t.Errorf("%s: the mark reads as %t", c.l.At, present)
	}
	if c.l.Value == nil {
		return
	}
	got := c.model()
	if err := c.f.Unmarshal(c.l.Hex[1:], got, c.o); err != nil {
		c.t.Fatalf("%s: reading: %v", c.l.At, err)
	}
	if d := Differ(got, c.value(c.l.Value)); d != "" {
		c.t.Errorf("%s: read %s", c.l.At, d)
	}
}
