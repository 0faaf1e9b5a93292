package vectors

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// defaultDepth is how deep recursive types nest without Options.MaxDepth.
const defaultDepth = 1000

// check holds one form to one line.
type check struct {
	t *testing.T
	l *Line
	f Form
	o span.Options // the line's, with Compat or not
}

// run does what the line asks for.
func (c *check) run() {
	if models.New(c.l.Model) == nil {
		c.t.Fatalf("%s: unknown model %q", c.l.At, c.l.Model)
	}
	if c.l.Decode {
		if c.l.Error != "" {
			c.refuses(c.l.Hex, nil)
			return
		}
		c.reads(c.value(c.l.Value))
		return
	}
	v := c.value(c.l.Value)
	if c.l.HasHex {
		if like := c.model(); c.f.Unmarshal(c.l.Hex, like, c.o) == nil {
			adoptZeros(v, like)
		}
	}
	c.deep(v)
	c.writes(v)
	if c.l.HasHex {
		c.readsBack(v)
	}
}

// model returns a new value of the line's model.
func (c *check) model() any { return models.New(c.l.Model) }

// value returns a value of the line's model.
func (c *check) value(v any) any {
	c.t.Helper()
	m := c.model()
	d := Decoder{New: models.New}
	if err := d.Value(m, v); err != nil {
		c.t.Fatalf("%s: %s: %v", c.l.At, c.l.Model, err)
	}
	return m
}

// deep raises the depth limit for a value that is beyond it, once the limit has
// shown itself.
func (c *check) deep(v any) {
	if depth(v) <= defaultDepth {
		return
	}
	if _, err := c.f.Append(v, c.o); !errors.Is(err, span.ErrDepth) {
		c.t.Errorf("%s: %d levels give error %v, want ErrDepth", c.l.At, depth(v), err)
	}
	c.o.MaxDepth = depth(v)
}

// writes checks what v is written as.
func (c *check) writes(v any) {
	c.t.Helper()
	b, err := c.f.Append(v, c.o)
	want, reason := c.expected(v)
	if want == nil && reason == nil {
		c.isError(err, nil)
		return
	}
	if reason != nil {
		c.isError(err, reason)
		return
	}
	if err != nil {
		c.t.Fatalf("%s: writing: %v", c.l.At, err)
	}
	if !bytes.Equal(b, want) {
		c.t.Errorf("%s: wrote\n%x, want\n%x", c.l.At, b, want)
	}
}

// expected gives the bytes of v, or the reason why it has none, or neither where
// it must be an error for any reason.
func (c *check) expected(v any) (b []byte, reason error) {
	switch {
	case !c.o.Compat && !c.o.FullTime && hasFarTime(v):
		return nil, span.ErrRange
	case !c.o.Compat && hasNilMiddle(v):
		return nil, span.ErrNil
	case c.l.Error != "" && hasNullableGUID(v):
		return c.withGUID(v.(*models.Nullables)), nil
	case c.l.Error != "":
		return nil, nil
	case !c.o.Compat && !c.o.FullTime:
		return inUTC(v, c.l.Hex, c.o), nil
	}
	return append([]byte{}, c.l.Hex...), nil // not nil, even if empty
}

// withGUID gives the bytes of the model that .NET can't write: those of the one
// without its last member, then that member.
func (c *check) withGUID(v *models.Nullables) []byte {
	c.t.Helper()
	b, err := c.f.Append(&models.NullableScalars{
		B: v.B, U8: v.U8, I16: v.I16, I32: v.I32, I64: v.I64, F64: v.F64, T: v.T, C: v.C,
	}, c.o)
	if err != nil {
		c.t.Fatalf("%s: writing all but the GUID: %v", c.l.At, err)
	}
	b = append(append(b, 1), v.G[:]...)
	if hasFarTime(v) {
		return b // which does not read back
	}
	v = c.value(c.l.Value).(*models.Nullables)
	for _, t := range times(v) { // which have no kind in seconds
		if sec := t.Unix(); !c.o.FullTime && sec <= 0 {
			*t = time.Time{}
		} else if !c.o.FullTime {
			*t = time.Unix(sec, 0).UTC()
		}
	}
	got := new(models.Nullables)
	if err := c.f.Unmarshal(b, got, c.o); err != nil {
		c.t.Errorf("%s: reading: %v", c.l.At, err)
	} else if d := Differ(got, v); d != "" {
		c.t.Errorf("%s: read %s", c.l.At, d)
	}
	return b
}

// readsBack checks what the line's own bytes are read as.
func (c *check) readsBack(v any) {
	c.t.Helper()
	switch {
	case c.l.HasRead:
		c.reads(c.value(c.l.Read))
	case c.l.ReadError != "" && hasNilMiddle(v):
		c.refuses(c.l.Hex, nil)
	default:
		got := c.reads(v)
		if got == nil {
			return
		}
		b, err := c.f.Append(got, c.o)
		if err != nil || !bytes.Equal(b, c.l.Hex) {
			c.t.Errorf("%s: writing what was read: %v\n%x, want\n%x", c.l.At, err, b, c.l.Hex)
		}
	}
}

// reads checks that the line's bytes, as far as .NET read them, are read as
// want, or refused where the value shows a fault of .NET's. It returns what was
// read.
func (c *check) reads(want any) (got any) {
	c.t.Helper()
	whole := c.l.Hex[:c.l.ReadBytes]
	switch {
	case Hostile(want, c.l.Hex, c.o):
		c.refuses(c.l.Hex, nil)
		return nil
	case !c.o.Compat && !c.o.FullTime && hasLastSecond(want):
		c.refuses(whole, span.ErrRange)
		return nil
	}
	c.deepRead(want, whole)
	got = c.model()
	if err := c.f.Unmarshal(whole, got, c.o); err != nil {
		c.t.Fatalf("%s: reading: %v", c.l.At, err)
	}
	if d := Differ(got, want); d != "" {
		c.t.Errorf("%s: read %s", c.l.At, d)
	}
	if len(whole) < len(c.l.Hex) {
		c.refuses(c.l.Hex, span.ErrTrailing)
	}
	c.readsFirst(want)
	return got
}

// deepRead is deep for reading.
func (c *check) deepRead(want any, b []byte) {
	if depth(want) > defaultDepth && c.o.MaxDepth == 0 {
		c.refuses(b, span.ErrDepth)
		c.o.MaxDepth = depth(want)
	}
}

// readsFirst checks how many bytes a value takes that others may follow.
func (c *check) readsFirst(want any) {
	c.t.Helper()
	if c.f.First == nil {
		return
	}
	got := c.model()
	n, err := c.f.First(c.l.Hex, got, c.o)
	switch {
	case errors.Is(err, span.ErrNotSelfDelimiting):
	case err != nil:
		c.t.Errorf("%s: reading the first value: %v", c.l.At, err)
	case n != c.l.ReadBytes:
		c.t.Errorf("%s: the first value takes %d bytes, want %d", c.l.At, n, c.l.ReadBytes)
	default:
		if d := Differ(got, want); d != "" {
			c.t.Errorf("%s: read first %s", c.l.At, d)
		}
	}
}

// refuses checks that reading b fails, for the given reason if there is one.
func (c *check) refuses(b []byte, reason error) {
	c.t.Helper()
	c.isError(c.f.Unmarshal(b, c.model(), c.o), reason)
}

// isError checks that err tells what went wrong.
func (c *check) isError(err, reason error) {
	c.t.Helper()
	var e *span.Error
	switch {
	case !errors.As(err, &e) || e.Op == "" || e.Err == nil:
		c.t.Errorf("%s: error %v, want a *span.Error", c.l.At, err)
	case reason != nil && !errors.Is(err, reason):
		c.t.Errorf("%s: error %v, want %v", c.l.At, err, reason)
	}
}
