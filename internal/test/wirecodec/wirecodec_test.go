package wirecodec_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/wirecodec"
	"github.com/spanwire/spanwire/span"
)

type small struct {
	A int16
	B string
}

type tagged struct {
	V int32   `span:"varint"`
	Z int64   `span:"zigzag"`
	E uint32  `span:"be"`
	L string  `span:"len=2"`
	F string  `span:"fixed=4"`
	N []int8  `span:"nilable"`
	S small   `span:"sized"`
	P *small  `span:"shared"`
	Q *small  `span:"shared"`
	O []uint8 `span:"optional"`
}

type old struct {
	_  struct{} `span:"newlife"`
	At time.Time
	P  *small
}

// TestBytes holds the codec against bytes made by hand.
func TestBytes(t *testing.T) {
	p := &small{1, "x"}
	for name, row := range map[string]struct {
		value any
		fresh any
		want  string
	}{
		"struct": {&small{-2, "ab"}, new(small), "feff 02 6162"},
		"tags": {
			&tagged{V: -1, Z: -2, E: 1, L: "hi", F: "a", N: []int8{}, S: small{3, ""}, P: p, Q: p, O: []uint8{9}}, new(tagged),
			"ffffffff0f 03 00000001 0200 6869 61000000 01 00 03 0300 00 01 0100 01 78 01 01 09",
		},
		"NewLife": {&old{At: time.Unix(258, 0).UTC()}, new(old), "02010000"},
		"map":     {&map[int8]bool{2: true, -1: false}, new(map[int8]bool), "02 ff 00 02 01"},
		"array":   {&[2]float32{1, 0}, new([2]float32), "0000803f 00000000"},
		"time":    {&[]time.Time{time.Unix(1, 5).UTC()}, new([]time.Time), "01 0100000000000000 05000000"},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.ReplaceAll(row.want, " ", "")
			b, err := wirecodec.Marshal(row.value)
			require.NoError(t, err)
			require.Equal(t, want, hex.EncodeToString(b))
			require.NoError(t, wirecodec.Unmarshal(b, row.fresh))
			require.Equal(t, row.value, row.fresh)
			require.Error(t, wirecodec.Unmarshal(append(b, 0), row.fresh), "trailing")
		})
	}
	require.Error(t, wirecodec.Unmarshal([]byte{1, 0, 0x80, 0}, new(small)), "padded")
	require.Error(t, wirecodec.Unmarshal([]byte{1, 0, 2, 'a'}, new(small)), "cut")
}

// TestSizedProfile: the length of a type's own option sized has the profile of the
// type, that of a field's tag the profile of the field, as package span has it.
func TestSizedProfile(t *testing.T) {
	type plain struct{ A int8 }
	type own struct {
		_ struct{} `span:"sized"`
		A int8
	}
	type ownNewLife struct {
		_ struct{} `span:"newlife,sized"`
		A int8
	}
	type inNewLife struct {
		_ struct{} `span:"newlife"`
		F own
	}
	type taggedInNewLife struct {
		_ struct{} `span:"newlife"`
		F plain    `span:"sized"`
	}
	type inGo struct{ F ownNewLife }
	padded := []byte{0x81, 0, 5}
	for name, test := range map[string]struct {
		v    any
		good bool
	}{
		"own, in NewLife":    {new(inNewLife), false},
		"tagged, in NewLife": {new(taggedInNewLife), true},
		"NewLife's, in Go":   {new(inGo), true},
	} {
		require.Equal(t, test.good, wirecodec.Unmarshal(padded, test.v) == nil, name)
		require.Equal(t, test.good, span.Unmarshal(padded, test.v) == nil, "%s, package span", name)
	}
}
