package value_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/rude"
	"github.com/spanwire/spanwire/rpc/value"
)

// Values that write and read themselves without regard for what is around.
type (
	rudeRaw struct {
		how  string
		data string
	}
	rudeJSON struct{ s string }
)

func (r *rudeRaw) AppendRaw(b []byte) ([]byte, error) {
	switch r.how {
	case "ignores":
		return []byte(r.data), nil
	case "spoils":
		b = b[:cap(b)]
		copy(b, bytes.Repeat(rude.Scribble, 1+len(b)/len(rude.Scribble)))
		return append(b[:0], r.data...), nil
	case "shifts":
		return append(append(b, "junk"...), r.data...)[len(b)+4:], nil
	}
	return append(b, r.data...), nil
}

type rudeSpan struct{ rudeRaw }

func (r *rudeSpan) AppendSpan(b []byte) ([]byte, error) { return r.rudeRaw.AppendRaw(b) }

func (r *rudeRaw) ReadRaw(data []byte) error {
	r.data = string(data)
	_ = append(data, rude.Scribble...)
	return nil
}

func (r *rudeJSON) MarshalJSON() ([]byte, error) { return []byte(r.s), nil }
func (r *rudeJSON) UnmarshalJSON(b []byte) error {
	r.s = string(b)
	_ = append(b, rude.Scribble...)
	return nil
}

// TestRudeRaw (G1, G27): what a value does with the memory that it is given
// changes nothing around it.
func TestRudeRaw(t *testing.T) {
	for _, how := range []string{"", "ignores", "spoils", "shifts"} {
		for _, data := range []string{"", "x", "some data"} {
			for _, room := range []int{0, 5, 100} {
				head := append(make([]byte, 0, 4+room), "head"...)
				b, kind, err := value.Dialect{}.Append(head, &rudeRaw{how, data})
				require.NoError(t, err)
				require.Equal(t, value.Raw, kind)
				require.Equal(t, "head"+data, string(b), "%q with room for %d", how, room)
				b, kind, err = value.Dialect{}.AppendBody(head, &rudeSpan{rudeRaw{how, data}})
				require.NoError(t, err)
				require.Equal(t, value.Span, kind)
				require.Equal(t, "head"+data, string(b), "AppendSpan, %q with room for %d", how, room)
			}
		}
		all := append([]byte("some data"), "behind"...)
		var got rudeRaw
		require.NoError(t, value.Dialect{}.Read(all[:9], &got))
		require.Equal(t, "some data", got.data)
		require.Equal(t, "some databehind", string(all))
	}
}

// TestRudeText (G27): nor does a method that appends to the text it reads.
func TestRudeText(t *testing.T) {
	type holder struct {
		A, B rude.Shifter
		C    rudeJSON
		D    []rude.IgnorerText
		E    map[string]rude.Shifter
	}
	const text = `{"A":"first","B":"second","C":[1, 2],"D":["x","y"],"E":{"k":"v"}}`
	all := append([]byte(text), "behind behind"...)
	var got holder
	require.NoError(t, value.Dialect{}.Read(all[:len(text)], &got))
	require.Equal(t, holder{
		rude.Shifter{S: "first"}, rude.Shifter{S: "second"}, rudeJSON{"[1, 2]"},
		[]rude.IgnorerText{{S: "x"}, {S: "y"}}, map[string]rude.Shifter{"k": {S: "v"}},
	}, got)
	require.Equal(t, text+"behind behind", string(all))
	for _, top := range []string{`first`, `"first"`} {
		all := append([]byte(top), "behind"...)
		var got rude.Shifter
		require.NoError(t, value.Dialect{}.Read(all[:len(top)], &got))
		require.Equal(t, "first", got.S)
		require.Equal(t, top+"behind", string(all))
	}
}
