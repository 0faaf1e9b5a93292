package value_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc/value"
	"github.com/spanwire/spanwire/span"
)

// TestUnspecified (G11): a time read here without a zone is one without a zone
// for package span, and the other way round.
func TestUnspecified(t *testing.T) {
	type stamped struct {
		T time.Time `span:"ticks"`
	}
	require.Same(t, span.Unspecified(), value.Unspecified())
	for _, text := range []string{`{"T":"2025-06-01T12:30:00"}`, `{"T":"2025-06-01 12:30:00"}`, `{"T":1748781000000}`} {
		var v, back stamped
		require.NoError(t, value.Dialect{}.Read([]byte(text), &v))
		b, err := span.Marshal(v)
		require.NoError(t, err)
		require.Zero(t, b[7]>>6, "%s: the kind in ticks", text)
		require.NoError(t, span.Unmarshal(b, &back))
		out, _, err := value.Dialect{}.Append(nil, &back)
		require.NoError(t, err)
		require.Equal(t, `{"T":"2025-06-01T12:30:00"}`, string(out))
	}
	other := time.Date(2025, 6, 1, 12, 30, 0, 0, time.FixedZone("Unspecified", 3600))
	out, _, err := value.Dialect{}.Append(nil, stamped{other})
	require.NoError(t, err)
	require.Equal(t, `{"T":"2025-06-01T11:30:00Z"}`, string(out), "another location of that name")
}

// TestChar (G15): a Char is text, as .NET's is.
func TestChar(t *testing.T) {
	type holder struct {
		C span.Char
		L []span.Char
	}
	in := holder{'x', []span.Char{'é', '"'}}
	b, _, err := value.Dialect{}.Append(nil, &in)
	require.NoError(t, err)
	require.Equal(t, `{"C":"x","L":["é","\""]}`, string(b))
	var out holder
	require.NoError(t, value.Dialect{}.Read(b, &out))
	require.Equal(t, in, out)
	b, kind, err := value.Dialect{}.Append(nil, span.Char('y'))
	require.NoError(t, err)
	require.Equal(t, value.Text, kind)
	require.Equal(t, "y", string(b))
	var c span.Char
	require.NoError(t, value.Dialect{}.Read(b, &c))
	require.Equal(t, span.Char('y'), c)
}
