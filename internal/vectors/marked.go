package vectors

import (
	"bytes"
	"reflect"
)

// markedForm checks a line of Write<T>(object) with the form's own functions.
func (c *check) markedForm() {
	v := reflect.Zero(reflect.TypeOf(c.model())).Interface()
	if c.l.Value != nil {
		v = c.value(c.l.Value)
	}
	b, err := c.f.AppendMarked(v, c.o)
	if err != nil || !bytes.Equal(b, c.l.Hex) {
		c.t.Errorf("%s: error %v, wrote\n%x, want\n%x", c.l.At, err, b, c.l.Hex)
	}
	if c.f.ConsumeMarked == nil {
		return
	}
	got := c.model()
	present, n, err := c.f.ConsumeMarked(c.l.Hex, got, c.o)
	switch {
	case err != nil || n != len(c.l.Hex) || present != (c.l.Value != nil):
		c.t.Errorf("%s: error %v, present %t, %d bytes; want %t, %d", c.l.At, err, present, n, c.l.Value != nil, len(c.l.Hex))
	case present:
		if d := Differ(got, v); d != "" {
			c.t.Errorf("%s: read %s", c.l.At, d)
		}
	}
}
