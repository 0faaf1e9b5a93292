package span_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/span"
)

var errUnexpectedEOF = io.ErrUnexpectedEOF

// refuse checks that a value can't be written, for what reason and where.
func refuse[T any](t *testing.T, at row, v T, want error, path string, opts ...span.Options) {
	t.Helper()
	dst := []byte("dst")
	b, err := under(opts).Append(dst, &v)
	isRefusal(t, at, err, want, reflect.TypeFor[T]().String(), path, "marshal")
	if string(b) != "dst" {
		t.Errorf("%s: Append returned %q with its error", at, b)
	}
	_, err = under(opts).Size(&v)
	isRefusal(t, at, err, want, reflect.TypeFor[T]().String(), path, "size")
	err = under(opts).MarshalWrite(io.Discard, &v)
	isRefusal(t, at, err, want, reflect.TypeFor[T]().String(), path, "marshal")
}

// reject checks that bytes can't be read, for what reason and where.
func reject[T any](t *testing.T, at row, in string, want error, path string, offset int64, opts ...span.Options) {
	t.Helper()
	var v T
	err := under(opts).Unmarshal(unhex(t, in), &v)
	isRefusal(t, at, err, want, reflect.TypeFor[T]().String(), path, "unmarshal")
	var e *span.Error
	if errors.As(err, &e) && e.Offset != offset {
		t.Errorf("%s: %v, want offset %d", at, err, offset)
	}
	// In a stream what is missing shows later.
	err = under(opts).UnmarshalRead(bytes.NewReader(unhex(t, in)), &v)
	if errors.As(err, &e) {
		path = e.Path
	}
	isRefusal(t, at, err, want, reflect.TypeFor[T]().String(), path, "unmarshal")
}

func isRefusal(t *testing.T, at row, err, want error, typ, path, op string) {
	t.Helper()
	var e *span.Error
	if !errors.As(err, &e) || !errors.Is(err, want) || e.Path != path || e.Op != op || e.Type != typ {
		t.Errorf("%s: error %v\nwant %q of %s at %q: %v", at, err, op, typ, path, want)
	}
}
