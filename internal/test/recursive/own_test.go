package recursive_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/recursive"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// tied is a way to hold a Knot: what a message has for each level, what is in front
// of the first and behind the last one, and a value that leads to itself.
type tied struct {
	level, front, end string
	fresh             func() any
	loop              func() any
}

// tie describes the messages of a T, and of a Knot of it.
func tie[T any](level, end string, loop func(*T, *recursive.Knot[T])) (value, root tied) {
	value = tied{
		level, "", end, func() any { return new(T) },
		func() any { v := new(T); loop(v, &recursive.Knot[T]{In: v}); return v },
	}
	root = value
	root.front, root.fresh = "\x01", func() any { return new(recursive.Knot[T]) }
	root.loop = func() any { v := new(T); k := &recursive.Knot[T]{In: v}; loop(v, k); return k }
	return value, root
}

// knots are all the ways.
func knots() map[string]tied {
	all := map[string]tied{}
	add := func(name string, value, root tied) { all[name], all["knot of "+name] = value, root }
	type (
		box  = recursive.InBox[recursive.Boxed]
		text = recursive.BesideText
	)
	a, b := tie("\x01", "\x00", func(v *recursive.InField, k *recursive.Knot[recursive.InField]) { v.K = *k })
	add("field", a, b)
	a, b = tie("\x01\x01", "\x00", func(v *recursive.InPointer, k *recursive.Knot[recursive.InPointer]) { v.K = k })
	add("pointer", a, b)
	a, b = tie("\x01\x01", "\x00", func(v *recursive.InList, k *recursive.Knot[recursive.InList]) { v.K = append(v.K, *k) })
	add("list", a, b)
	a, b = tie("\x01\x07\x01", "\x00", func(v *recursive.InMap, k *recursive.Knot[recursive.InMap]) {
		v.K = map[uint8]recursive.Knot[recursive.InMap]{7: *k}
	})
	add("map", a, b)
	a, b = tie("\x01", "\x00", func(v *recursive.InArray, k *recursive.Knot[recursive.InArray]) { v.K[0] = *k })
	add("array", a, b)
	a, b = tie("\x01", "\x00", func(v *box, k *recursive.Knot[box]) { v.V.In = v })
	add("instance", a, b)
	a, b = tie("\x01\x01", "", func(v *text, k *recursive.Knot[text]) { v.K = k })
	add("beside text", a, b)
	a, b = tie("\x01", "\x00", func(v *recursive.PlainField, k *recursive.Knot[recursive.PlainField]) { v.K = *k })
	add("plain field", a, b)
	a, b = tie("\x01\x01", "\x00", func(v *recursive.PlainPointer, k *recursive.Knot[recursive.PlainPointer]) { v.K = k })
	add("plain pointer", a, b)
	a, b = tie("\x01\x01", "\x00", func(v *recursive.PlainList, k *recursive.Knot[recursive.PlainList]) { v.K = append(v.K, *k) })
	add("plain list", a, b)
	a, b = tie("\x01\x07\x01", "\x00", func(v *recursive.PlainMap, k *recursive.Knot[recursive.PlainMap]) {
		v.K = map[uint8]recursive.Knot[recursive.PlainMap]{7: *k}
	})
	add("plain map", a, b)
	return all
}

// message has so many levels, the last one complete if the way has an end.
func (k tied) message(levels int) []byte {
	b := append([]byte(k.front), bytes.Repeat([]byte(k.level), levels)...)
	return append(b, k.end...)
}

// reads are the ways to read into v.
var reads = map[string]func(b []byte, v any, o span.Options) error{
	"bytes": func(b []byte, v any, o span.Options) error { return o.Unmarshal(b, v) },
	"stream": func(b []byte, v any, o span.Options) error {
		return o.UnmarshalRead(bytes.NewReader(b), v)
	},
	"byte by byte": func(b []byte, v any, o span.Options) error {
		return o.UnmarshalRead(iotest.OneByteReader(bytes.NewReader(b)), v)
	},
	"decoder": func(b []byte, v any, o span.Options) error {
		return o.NewDecoder(bytes.NewReader(wire.AppendBytes(nil, b))).Decode(v)
	},
	"Reader": func(b []byte, v any, o span.Options) error {
		r := o.NewReader(b)
		if s, ok := v.(span.Serializable); ok {
			s.ReadSpan(r)
			return r.Err()
		}
		return o.Unmarshal(b, v)
	},
}

// TestOwnTooDeep: methods by hand that lead to what holds them count, where no cycle
// of types is seen: bytes of any length end in an error, not in a stack overflow.
func TestOwnTooDeep(t *testing.T) {
	for name, k := range knots() {
		in := k.message(200_000)
		var first *span.Error
		for how, read := range reads {
			for _, o := range []span.Options{{}, plan, {Strings: span.AliasStrings}, {MaxDepth: 1200}} {
				err := read(in, k.fresh(), o)
				require.ErrorIs(t, err, span.ErrDepth, "%s, %s, %+v", name, how, o)
				var e *span.Error
				require.True(t, errors.As(err, &e))
				require.Regexp(t, `^[KV](\[.\])?\.[KV]`, e.Path, "%s, %s", name, how)
				if how == "bytes" && o == (span.Options{}) {
					first = e
				}
			}
		}
		require.Less(t, first.Offset, int64(10_000), name)
	}
}

// TestOwnDepth: as many as MaxDepth says are allowed, and no more, for generated code
// and plan alike.
func TestOwnDepth(t *testing.T) {
	for name, k := range knots() {
		if k.end == "" {
			continue // the methods of package encoding count their calls as well
		}
		most := 1000
		if len(k.level) == 1 {
			most-- // the last value has a Knot, of nothing
		}
		if k.front != "" {
			most-- // the root is one
		}
		for how, read := range reads {
			if k.front != "" && how == "Reader" {
				continue // the root's method is called by hand
			}
			for _, o := range []span.Options{{}, plan} {
				v := k.fresh()
				require.NoError(t, read(k.message(most), v, o), "%s, %s, %+v", name, how, o)
				require.ErrorIs(t, read(k.message(most+1), k.fresh(), o), span.ErrDepth, "%s, %s, %+v", name, how, o)
				b, err := o.Marshal(v)
				require.NoError(t, err, "%s, %s, %+v", name, how, o)
				require.Equal(t, k.message(most), b, name)
			}
			deep := span.Options{MaxDepth: 1200}
			v := k.fresh()
			require.NoError(t, read(k.message(most+200), v, deep), "%s, %s", name, how)
			require.ErrorIs(t, read(k.message(most+201), k.fresh(), deep), span.ErrDepth, "%s, %s", name, how)
			_, err := span.Marshal(v)
			require.ErrorIs(t, err, span.ErrDepth, name)
			b, err := deep.Marshal(v)
			require.NoError(t, err, name)
			require.Equal(t, k.message(most+200), b, name)
		}
	}
}

// TestOwnLoop: a value that leads to itself by methods by hand is an error in every
// way to write it.
func TestOwnLoop(t *testing.T) {
	for name, k := range knots() {
		v := k.loop()
		for _, o := range []span.Options{{}, plan, {Deterministic: true}, {MaxDepth: 1200}} {
			b, err := o.Append([]byte("before"), v)
			require.ErrorIs(t, err, span.ErrDepth, "%s, %+v", name, o)
			require.Equal(t, "before", string(b), name)
			_, err = o.Size(v)
			require.ErrorIs(t, err, span.ErrDepth, "%s, %+v", name, o)
			require.ErrorIs(t, o.MarshalWrite(new(bytes.Buffer), v), span.ErrDepth, "%s, %+v", name, o)
			require.ErrorIs(t, o.NewEncoder(new(bytes.Buffer)).Encode(v), span.ErrDepth, "%s, %+v", name, o)
		}
		if s, ok := v.(span.Serializable); ok {
			for _, w := range []*span.Writer{
				span.NewWriter(nil), span.NewFixedWriter(make([]byte, 0, 100_000)), span.NewStreamWriter(new(bytes.Buffer)),
			} {
				s.WriteSpan(w)
				require.ErrorIs(t, w.Err(), span.ErrDepth, name)
			}
		}
		if m, ok := v.(interface {
			AppendSpan([]byte) ([]byte, error)
			SizeSpan() int
		}); ok {
			_, err := m.AppendSpan([]byte("before"))
			require.ErrorIs(t, err, span.ErrDepth, name)
			m.SizeSpan() // comes to an end
		}
	}
}

// TestParcels: what a marshaler method reads is a part of the bytes around it, less
// its length, so that a message ends the recursion however a method goes on. Calls of
// this package's functions are counted; a method that makes a Reader and hands it to
// generated code is not seen, and nests as deep as its bytes have lengths.
func TestParcels(t *testing.T) {
	const levels = 3000
	in := []byte{0}
	for range levels {
		in = wire.AppendBytes(nil, in)
	}
	var crate recursive.Crate
	require.NoError(t, span.Unmarshal(in, &crate))
	depth := 0
	for p := crate.P; p.In != nil; p = p.In.P {
		depth++
	}
	require.Equal(t, levels, depth)
	b, err := span.Marshal(&crate)
	require.NoError(t, err)
	require.Equal(t, in, b)

	require.ErrorIs(t, span.Unmarshal(in, new(recursive.Envelope)), span.ErrDepth)
	require.ErrorIs(t, span.UnmarshalRead(bytes.NewReader(in), new(recursive.Envelope)), span.ErrDepth)
}
