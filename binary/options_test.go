package binary_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

// TestOptionsMethods: every entry point of Options obeys them, the function of
// the same name has the default, and no call leaves its options to the next.
func TestOptionsMethods(t *testing.T) {
	v, back := "a text", ""
	msg, err := binary.Marshal(&v)
	require.NoError(t, err)
	for _, row := range []struct {
		name    string
		with    func(o binary.Options) error
		without func() error
	}{
		{"Marshal", func(o binary.Options) error { _, err := o.Marshal(&v); return err },
			func() error { _, err := binary.Marshal(&v); return err }},
		{"Append", func(o binary.Options) error { _, err := o.Append(nil, &v); return err },
			func() error { _, err := binary.Append(nil, &v); return err }},
		{"NewEncoder", func(o binary.Options) error { return o.NewEncoder(io.Discard).Encode(&v) },
			func() error { return binary.NewEncoder(io.Discard).Encode(&v) }},
		{"Unmarshal", func(o binary.Options) error { return o.Unmarshal(msg, &back) },
			func() error { return binary.Unmarshal(msg, &back) }},
		{"UnmarshalFirst", func(o binary.Options) error { _, err := o.UnmarshalFirst(msg, &back); return err },
			func() error { _, err := binary.UnmarshalFirst(msg, &back); return err }},
		{"NewDecoder", func(o binary.Options) error { return o.NewDecoder(bytes.NewReader(msg)).Decode(&back) },
			func() error { return binary.NewDecoder(bytes.NewReader(msg)).Decode(&back) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.NoError(t, row.without())
			require.ErrorIs(t, row.with(binary.Options{MaxSize: 3}), binary.ErrLimit)
			require.NoError(t, row.without())
			require.NoError(t, row.with(binary.Options{}))
		})
	}
}

// TestOptionsAreNotCursors: the entry points are methods of Options alone. An
// Encoder that is given to an accessor has none that would write elsewhere.
func TestOptionsAreNotCursors(t *testing.T) {
	for m := range reflect.TypeFor[binary.Options]().Methods() {
		for _, cursor := range []reflect.Type{reflect.TypeFor[*binary.Encoder](), reflect.TypeFor[*binary.Decoder]()} {
			_, has := cursor.MethodByName(m.Name)
			require.False(t, has, "%v.%s", cursor, m.Name)
		}
	}
}
