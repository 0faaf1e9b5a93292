package binary_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

// rudeEncoding appends to the bytes that it is asked to read.
type rudeEncoding struct{}

func (rudeEncoding) AppendText(b []byte, s string) ([]byte, error) { return append(b, s...), nil }

func (rudeEncoding) Text(b []byte) (string, error) {
	s := string(b)
	_ = append(b, "\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE"...)
	return s, nil
}

// TestInputStays (G27): reading writes to no byte of its input nor behind it,
// even where an Encoding appends to what it is given.
func TestInputStays(t *testing.T) {
	type every struct {
		Text  string
		Fixed string `binary:"fixed=8"`
		Until string `binary:"until=0"`
		Bytes []byte
		List  []string
		Map   map[string]string
		Ptr   *uint32
		Ref   uint8
		Sized []uint16 `binary:"count=Ref"`
		Rest  string   `binary:"rest"`
	}
	n := uint32(7)
	v := &every{
		Text: "text", Fixed: "fix", Until: "until", Bytes: []byte("bytes"), List: []string{"a", "b"},
		Map: map[string]string{"k": "v"}, Ptr: &n, Ref: 2, Sized: []uint16{1, 2}, Rest: "rest",
	}
	for name, opts := range map[string]binary.Options{
		"plain": {}, "encoded": {Encoding: rudeEncoding{}}, "compat": {Compat: true, Encoding: rudeEncoding{}},
		"trimmed": {TrimZero: true, Encoding: rudeEncoding{}}, "varint": {EncodeInt: true}, "refs": {UseRef: true},
	} {
		b, err := opts.Marshal(v)
		require.NoError(t, err, name)
		all := append(bytes.Clone(b), bytes.Repeat([]byte{0x55}, 64)...)
		before := bytes.Clone(all)
		for cut := range len(b) + 1 {
			var got every
			err := opts.Unmarshal(all[:cut], &got)
			if cut == len(b) {
				require.NoError(t, err, name)
				require.True(t, reflect.DeepEqual(v, &got), "%s: %+v", name, got)
			}
			require.Equal(t, before, all, "%s: %d of %d bytes", name, cut, len(b))
		}
		var got every
		require.NoError(t, opts.Unmarshal(all[:len(b)], &got))
		clear(all)
		require.True(t, reflect.DeepEqual(v, &got), "%s: what was read changed with its input: %+v", name, got)
	}
}
