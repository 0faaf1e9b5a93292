// Package wirecodec writes and reads Go values in the span format, a second
// time: slowly, plainly, by reflection alone, from the format's description and
// without a line of package span. Tests hold span against it.
//
// It knows all kinds and field tags under default options. What it leaves out are
// interfaces, foreign types in JSON, limits on depth, and the plans that package
// span refuses: it takes types that have one.
//
// A value that has no wire form and bytes that are none are refused by an error
// of this package; its text is for people.
package wirecodec

import (
	"fmt"
	"reflect"
)

// Own is what a type that writes itself in the span format has beside WriteSpan
// and ReadSpan, whose cursors are not this package's.
type Own interface {
	AppendWire(b []byte) []byte
	// ConsumeWire reads from the front of b and returns how many bytes it took.
	ConsumeWire(b []byte) (int, error)
}

// A refusal is why a value or its bytes are refused.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

// refuse ends the walk.
func refuse(format string, args ...any) { panic(refusal{fmt.Sprintf(format, args...)}) }

// catch makes an error of a refusal.
func catch(err *error) {
	switch v := recover().(type) {
	case nil:
	case refusal:
		*err = v
	default:
		panic(v)
	}
}

// Marshal gives the bytes of what p points to. Maps are in the order that the
// option Deterministic gives.
func Marshal(p any) (b []byte, err error) {
	defer catch(&err)
	v := reflect.ValueOf(p).Elem()
	w := &writer{}
	if sharesRoot(v.Type()) {
		w.root = v.Addr()
		w.number(w.root)
	}
	w.value(v, options{}, false)
	return w.b, nil
}

// Unmarshal reads all of b into what p points to, which should be zero.
func Unmarshal(b []byte, p any) (err error) {
	defer catch(&err)
	v := reflect.ValueOf(p).Elem()
	r := &reader{b: b}
	if sharesRoot(v.Type()) {
		r.root = v.Addr()
		r.objects = append(r.objects, r.root)
	}
	r.value(v, options{}, scope{root: true})
	if len(r.b) > 0 {
		refuse("%d bytes are left", len(r.b))
	}
	return nil
}
