package span_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

// TestOptionsMethods: every entry point of Options obeys them; the function of
// the same name obeys none.
func TestOptionsMethods(t *testing.T) {
	v := "a text"
	msg, err := span.Marshal(&v)
	require.NoError(t, err)
	framed := append([]byte{byte(len(msg))}, msg...)
	for _, row := range []struct {
		name    string
		with    func(o span.Options) error
		without func() error
	}{
		{"Marshal", func(o span.Options) error { _, err := o.Marshal(&v); return err },
			func() error { _, err := span.Marshal(&v); return err }},
		{"Append", func(o span.Options) error { _, err := o.Append(nil, &v); return err },
			func() error { _, err := span.Append(nil, &v); return err }},
		{"AppendMarked", func(o span.Options) error { _, err := o.AppendMarked(nil, &v); return err },
			func() error { _, err := span.AppendMarked(nil, &v); return err }},
		{"MarshalWrite", func(o span.Options) error { return o.MarshalWrite(io.Discard, &v) },
			func() error { return span.MarshalWrite(io.Discard, &v) }},
		{"Size", func(o span.Options) error { _, err := o.Size(&v); return err },
			func() error { _, err := span.Size(&v); return err }},
		{"NewEncoder", func(o span.Options) error { return o.NewEncoder(io.Discard).Encode(&v) },
			func() error { return span.NewEncoder(io.Discard).Encode(&v) }},
		{"Unmarshal", func(o span.Options) error { return o.Unmarshal(msg, new(string)) },
			func() error { return span.Unmarshal(msg, new(string)) }},
		{"UnmarshalFirst", func(o span.Options) error { _, err := o.UnmarshalFirst(msg, new(string)); return err },
			func() error { _, err := span.UnmarshalFirst(msg, new(string)); return err }},
		{"UnmarshalRead", func(o span.Options) error { return o.UnmarshalRead(bytes.NewReader(msg), new(string)) },
			func() error { return span.UnmarshalRead(bytes.NewReader(msg), new(string)) }},
		{"ConsumeMarked", func(o span.Options) error {
			_, _, err := o.ConsumeMarked(append([]byte{1}, msg...), new(string))
			return err
		},
			func() error { _, _, err := span.ConsumeMarked(append([]byte{1}, msg...), new(string)); return err }},
		{"NewDecoder", func(o span.Options) error { return o.NewDecoder(bytes.NewReader(framed)).Decode(new(string)) },
			func() error { return span.NewDecoder(bytes.NewReader(framed)).Decode(new(string)) }},
		{"NewStreamReader", func(o span.Options) error {
			r := o.NewStreamReader(bytes.NewReader(msg))
			r.ReadString()
			return r.Err()
		},
			func() error { r := span.NewStreamReader(bytes.NewReader(msg)); r.ReadString(); return r.Err() }},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.NoError(t, row.without())
			require.NoError(t, row.with(span.Options{}))
			require.ErrorIs(t, row.with(span.Options{MaxBytes: 3}), span.ErrLimit)
			require.NoError(t, row.with(span.Options{MaxBytes: -1}))
		})
	}
	r := span.Options{Strict: true}.NewReader([]byte{2})
	r.ReadBool()
	require.ErrorIs(t, r.Err(), span.ErrMalformed)
	o := span.Options{EncodeInt: true}
	var stream bytes.Buffer
	for _, w := range []*span.Writer{o.NewWriter(nil), o.NewFixedWriter(make([]byte, 1)), o.NewStreamWriter(&stream)} {
		w.WriteInt32(5)
		require.NoError(t, w.Err())
		require.Equal(t, "\x05", string(w.Bytes()))
	}
}
