package frame

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeep: a large frame's buffer may be left to who has the frame, and what follows is read to another one.
func TestKeep(t *testing.T) {
	for name, n := range map[string]int{"small": 1000, "as large as is pooled": 60 << 10, "large": 1 << 20, "over a power of two": 4<<20 + 100} {
		t.Run(name, func(t *testing.T) {
			d := NewReader(Standard{})
			payload := make([]byte, n)
			for i := range payload {
				payload[i] = byte(i * 7)
			}
			var kept [][]byte
			for range 3 {
				b, err := Standard{}.AppendFrame(nil, Frame{Payload: payload})
				require.NoError(t, err)
				f, ok := Frame{}, false
				for sent := 0; !ok; f, ok = d.Next() {
					room, grows := d.Room(), d.Held()
					p := d.Space()
					if grows > 0 && d.Held() > trusted {
						require.LessOrEqual(t, d.Held(), room, "what is held is told before")
						require.LessOrEqual(t, d.Held(), max(trusted, 2*sent+2))
					}
					k := copy(p, b[sent:])
					sent += k
					d.Wrote(k)
				}
				large := d.Held() > trusted
				require.Equal(t, large, d.Keep(len(f.Payload)))
				require.Equal(t, !large, d.Held() > 0)
				if large {
					kept = append(kept, f.Payload)
				}
			}
			for _, p := range kept {
				require.Equal(t, payload, p)
			}
		})
	}
}

// TestKeepRefused: a buffer with something else in it stays.
func TestKeepRefused(t *testing.T) {
	d := NewReader(Standard{})
	require.NoError(t, d.SetStart(1<<20))
	b, err := Standard{}.AppendFrame(nil, Frame{Payload: make([]byte, 100<<10)})
	require.NoError(t, err)
	n := copy(d.Space(), append(b, 1, 2))
	d.Wrote(n)
	f, ok := d.Next()
	require.True(t, ok)
	require.False(t, d.Keep(len(f.Payload)))
	require.Equal(t, []byte{1, 2}, d.Pending())
}
