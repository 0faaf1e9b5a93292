package vectors

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/spanwire/spanwire/span"
)

// Methods is the form of the models' own methods, generated or hand-written,
// called without the entry points of package span.
var Methods = Form{Name: "generated", Append: appendMethods, Unmarshal: unmarshalMethods, First: readMethods}

// appendMethods writes by WriteSpan. Where no options are set, AppendSpan must
// give the same and SizeSpan its size.
func appendMethods(v any, o span.Options) ([]byte, error) {
	s, ok := v.(span.Serializable)
	if !ok {
		return nil, fmt.Errorf("%T has no methods", v)
	}
	var w span.Writer
	w.Configure(o)
	s.WriteSpan(&w)
	a, ok := v.(interface {
		SizeSpan() int
		AppendSpan([]byte) ([]byte, error)
	})
	if !ok || !reflect.DeepEqual(o, span.Options{}) {
		return w.Bytes(), w.Err()
	}
	b, err := a.AppendSpan(nil)
	if err != nil || w.Err() != nil {
		if (err == nil) != (w.Err() == nil) {
			return nil, fmt.Errorf("AppendSpan: %w, WriteSpan: %w", err, w.Err())
		}
		return nil, err
	}
	if !bytes.Equal(b, w.Bytes()) || a.SizeSpan() != len(b) {
		return nil, fmt.Errorf("AppendSpan: %x, WriteSpan: %x, SizeSpan: %d", b, w.Bytes(), a.SizeSpan())
	}
	return b, nil
}

// unmarshalMethods reads all of b by ReadSpan.
func unmarshalMethods(b []byte, v any, o span.Options) error {
	n, err := readMethods(b, v, o)
	if err == nil && n < len(b) {
		err = &span.Error{Op: "unmarshal", Offset: int64(n), Err: span.ErrTrailing}
	}
	return err
}

// readMethods reads from the start of b by ReadSpan.
func readMethods(b []byte, v any, o span.Options) (int, error) {
	s, ok := v.(span.Serializable)
	if !ok {
		return 0, fmt.Errorf("%T has no methods", v)
	}
	var r span.Reader
	r.Reset(b, o.Strings)
	if !reflect.DeepEqual(o, span.Options{}) {
		r.Configure(o)
	}
	s.ReadSpan(&r)
	return int(r.Offset()), r.Err()
}
