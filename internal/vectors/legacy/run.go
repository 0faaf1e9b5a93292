package legacy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/vectors"
	"github.com/spanwire/spanwire/internal/vectors/models"
)

// Run checks every line of the recording in every way in which values can be
// written and read, by default and under Options.Compat: one subtest a line and
// form. encoding gives the text encodings by their .NET names, nil for unknown
// ones. It must not run beside other tests, since it sets the local time zone.
func Run(t *testing.T, file string, encoding func(string) binary.Encoding) {
	vectors.RecordedZone(t)
	for _, l := range parse(t, file, vectors.ReadFile(t, file), encoding) {
		t.Run(l.raw.Name, func(t *testing.T) {
			if l.bad != nil {
				t.Fatalf("%s: %v", l.at, l.bad)
			}
			for _, w := range ways {
				t.Run(w.name, func(t *testing.T) { newCheck(t, l, w, false).run() })
				t.Run(w.name+"-compat", func(t *testing.T) { newCheck(t, l, w, true).run() })
			}
		})
	}
}

// way is a way of writing and reading: read gives the number of bytes.
type way struct {
	name  string
	write func(v any, o binary.Options) ([]byte, error)
	read  func(b []byte, v any, o binary.Options) (int, error)
}

var ways = []way{
	{"plan", writePlan, readPlan},
	{"chain", writeChain, readChain},
	{"stream", writeStream, readStream},
}

func writePlan(v any, o binary.Options) ([]byte, error) { return o.Marshal(v) }

func readPlan(b []byte, v any, o binary.Options) (int, error) {
	rest, err := o.UnmarshalFirst(b, v)
	return len(b) - len(rest), err
}

func writeChain(v any, o binary.Options) ([]byte, error) {
	o.Handlers = binary.DefaultHandlers()
	return o.Append(nil, v)
}

func readChain(b []byte, v any, o binary.Options) (int, error) {
	o.Handlers = binary.DefaultHandlers()
	return readPlan(b, v, o)
}

func writeStream(v any, o binary.Options) ([]byte, error) {
	var b bytes.Buffer
	e := o.NewEncoder(&b)
	err := e.Encode(v)
	if err == nil && e.Total() != int64(b.Len()) {
		err = errors.New("the Encoder's Total differs from the bytes written")
	}
	return b.Bytes(), err
}

func readStream(b []byte, v any, o binary.Options) (int, error) {
	d := o.NewDecoder(iotest.OneByteReader(bytes.NewReader(b)))
	err := d.Decode(v)
	if errors.Is(err, io.EOF) && d.EndOfStream() {
		if _, first := readPlan(b, v, o); first == nil {
			err = nil // a value of no bytes: a stream ends there
		}
	}
	return int(d.Total()), err
}

// check holds one way to one line.
type check struct {
	t *testing.T
	l *line
	w way
	o binary.Options
	f *faults // of the line's value
}

func newCheck(t *testing.T, l *line, w way, compat bool) *check {
	c := &check{t: t, l: l, w: w, o: l.options}
	c.o.Compat = compat
	if l.value != nil {
		c.f = faultsOf(c.value(), l.options)
		if n := depth(l.value); n > 1000 {
			c.o.MaxDepth = n // which is 1,000 by default
		}
	}
	return c
}

// value gives the line's value anew.
func (c *check) value() any { return c.fresh(c.l.raw.Value) }

func (c *check) fresh(raw json.RawMessage) any {
	c.t.Helper()
	v, err := model(c.l.raw.Model, raw)
	if err != nil {
		c.t.Fatalf("%s: %v", c.l.at, err)
	}
	if m, ok := v.(*SizedRef); ok && c.o.UseFieldSize {
		var text struct{ Body *string }
		if err := json.Unmarshal(raw, &text); err == nil && text.Body != nil && *text.Body == "" {
			m.Length = 0 // an empty string sets it, null leaves it
		}
	}
	return v
}

func (c *check) run() {
	if c.l.raw.Decode {
		c.decodes()
		return
	}
	c.writes()
	if c.l.raw.Hex != nil {
		c.readsBack()
	}
}

// writes checks what the value is written as.
func (c *check) writes() {
	v := c.value()
	if c.l.raw.Hex != nil {
		if like := New(c.l.raw.Model); c.reads(c.l.hex, like) == nil {
			adoptZeros(v, like)
		}
	}
	b, err := c.w.write(v, c.o)
	switch {
	case c.l.raw.Error != "" && c.f.writable:
		c.roundTrips(v, b, err)
		return
	case c.l.raw.Error != "":
		c.fails(err)
		return
	case !c.o.Compat && c.f.refused != nil:
		c.fails(err, c.f.refused...)
		return
	case !c.o.Compat && c.f.repaired:
		c.roundTrips(v, b, err)
		return
	}
	if err != nil || !bytes.Equal(b, c.l.hex) {
		c.t.Errorf("%s: error %v, wrote\n%x, want\n%x", c.l.at, err, b, c.l.hex)
	}
	want := c.l.after
	if want == nil {
		want = c.value()
		adoptZeros(want, v)
	}
	if d := differ(v, want); d != "" {
		c.t.Errorf("%s: after writing the object has %s", c.l.at, d)
	}
}

// fails checks that writing was refused, and says where and why.
func (c *check) fails(err error, want ...error) {
	c.t.Helper()
	var e *binary.Error
	is := func(want error) bool { return errors.Is(err, want) }
	switch {
	case !errors.As(err, &e):
		c.t.Errorf("%s: error %v, want a *binary.Error", c.l.at, err)
	case len(want) > 0 && !slices.ContainsFunc(want, is):
		c.t.Errorf("%s: error %v, want %v", c.l.at, err, want)
	case e.Path == "" && !self(reflect.ValueOf(c.value())):
		c.t.Errorf("%s: the error %v names no member", c.l.at, err)
	}
}

// roundTrips checks bytes that are not NewLife's: they give the value back.
func (c *check) roundTrips(v any, b []byte, err error) {
	c.t.Helper()
	got := New(c.l.raw.Model)
	if err == nil {
		var n int
		if n, err = c.w.read(b, got, c.o); err == nil && n != len(b) {
			c.t.Errorf("%s: read %d bytes of %d", c.l.at, n, len(b))
		}
	}
	if err != nil {
		c.t.Errorf("%s: %v", c.l.at, err)
		return
	}
	want := c.value()
	adoptZeros(want, v)
	if !c.o.FullTime {
		inSeconds(reflect.ValueOf(want))
	}
	d := differ(got, want)
	if d == "" || differ(got, v) == "" {
		return
	}
	again, err := c.w.write(got, c.o)
	if err != nil || !bytes.Equal(again, b) || !c.f.shifted {
		c.t.Errorf("%s: wrote %x, which reads as %s", c.l.at, b, d)
	}
}

// reads reads b and gives only the error.
func (c *check) reads(b []byte, v any) error {
	_, err := c.w.read(b, v, c.o)
	return err
}

// readsBack checks what the recorded bytes are read as.
func (c *check) readsBack() {
	got := New(c.l.raw.Model)
	n, err := c.w.read(c.l.hex, got, c.o)
	switch {
	case c.f.anything:
		if !errors.Is(err, binary.ErrUnsupported) {
			c.t.Errorf("%s: error %v, want ErrUnsupported", c.l.at, err)
		}
		return
	case c.f.lost, c.f.unread && !c.o.Compat, c.f.shifted && c.l.raw.ReadError != "":
		return // NewLife's own bytes of a fault
	case c.f.shifted && !c.o.Compat && err != nil:
		var e *binary.Error
		if !errors.As(err, &e) {
			c.t.Errorf("%s: error %v", c.l.at, err)
		}
		return
	}
	want, end := c.wanted()
	if err != nil || n != end {
		c.t.Errorf("%s: reading %x: error %v, read %d bytes of %d", c.l.at, c.l.hex, err, n, end)
		return
	}
	if d := differ(got, want); d != "" {
		c.t.Errorf("%s: reading %x: %s", c.l.at, c.l.hex, d)
	}
}

// wanted gives what the recorded bytes are read as, and how many they are.
func (c *check) wanted() (any, int) {
	switch {
	case c.f.switched, c.f.unread: // NewLife can't read its own bytes
		v := c.value()
		if !c.o.FullTime {
			inSeconds(reflect.ValueOf(v))
		}
		if m, ok := v.(*models.Nullables); ok && c.f.nullTime && c.o.Compat {
			m.T = nil
		}
		return v, len(c.l.hex)
	case c.f.units && !c.o.Compat:
		return c.value(), c.l.bytes
	case c.l.read != nil:
		v := c.fresh(c.l.raw.Read)
		if c.f.nullTime && !c.o.Compat {
			zeroTimes(reflect.ValueOf(v).Elem(), reflect.ValueOf(c.value()).Elem())
		}
		return v, c.l.bytes
	case c.l.after != nil:
		return c.fresh(c.l.raw.ValueAfterWrite), c.l.bytes
	}
	return c.value(), c.l.bytes
}

// zeroTimes makes the nullable times that NewLife reads as null, though it was
// given some, the zero time.
func zeroTimes(read, value reflect.Value) {
	for i := range read.NumField() {
		if f := read.Field(i); f.Type() == reflect.TypeFor[*time.Time]() && f.IsNil() && !value.Field(i).IsNil() {
			f.Set(reflect.ValueOf(new(time.Time)))
		}
	}
}

// decodes checks a line of which only reading was tried.
func (c *check) decodes() {
	got := New(c.l.raw.Model)
	n, err := c.w.read(c.l.hex, got, c.o)
	if c.l.raw.Error != "" || !c.o.Compat && !c.wellFormed() {
		if err == nil {
			c.t.Errorf("%s: reading %x: %v, want an error", c.l.at, c.l.hex, got)
		}
		return
	}
	if err != nil || n != c.l.bytes {
		c.t.Errorf("%s: reading %x: error %v, read %d bytes of %d", c.l.at, c.l.hex, err, n, c.l.bytes)
		return
	}
	if d := differ(got, c.value()); d != "" {
		c.t.Errorf("%s: reading %x: %s", c.l.at, c.l.hex, d)
	}
}

// wellFormed reports input that ends where a member does, or behind all, and has
// what the value has: the value's own bytes up to there agree with it, but for
// flags above 1 and what is taken off fixed strings. A member whose length is in
// one before may not be missing.
func (c *check) wellFormed() bool {
	v := reflect.ValueOf(c.value()).Elem()
	promised := func(object reflect.Value, members int) bool {
		f := faults{o: c.l.options}
		for i := members; i < object.NumField(); i++ {
			if _, ref, offset := f.size(object.Type().Field(i)); ref != "" && f.referred(object, ref)+offset > 0 {
				return false
			}
		}
		return true
	}
	for _, cut := range cuts(v, promised) {
		b, err := c.l.options.Marshal(cut.Interface())
		if err == nil && len(b) == len(c.l.hex) && c.agrees(b) {
			return true
		}
	}
	b, err := c.l.options.Marshal(v.Addr().Interface())
	return err == nil && len(b) < len(c.l.hex) && c.agrees(b)
}

// agrees reports that the line's bytes say what b does, as far as that goes.
func (c *check) agrees(b []byte) bool {
	if c.l.raw.Model == "FixedText" {
		return true
	}
	for i, x := range b {
		if y := c.l.hex[i]; x != y && (x != 1 || y <= 1) {
			return false
		}
	}
	return true
}
