package binary_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

// TestNull: a nil pointer under the tag null is what NewLife writes for null, without a flag.
func TestNull(t *testing.T) {
	type m struct {
		S *string         `binary:"null"`
		A *netip.Addr     `binary:"null"`
		P *netip.AddrPort `binary:"null"`
		B *[]byte         `binary:"null"`
		M *map[uint8]bool `binary:"null"`
		O *stone          `binary:"null"`
	}
	s, a, p := "x", netip.MustParseAddr("192.0.2.1"), netip.MustParseAddrPort("192.0.2.1:80")
	b, mm := []byte{7}, map[uint8]bool{1: true}
	roundTrip(t, &m{&s, &a, &p, &b, &mm, &stone{1, "a"}}, "0178 04c0000201 04c00002010050 0107 010101 00000001 0161", binary.Options{})
	roundTrip(t, &m{}, "00 00 000000 00 00", binary.Options{})
	var got m
	require.NoError(t, binary.Unmarshal(unhex("00 00 000000 00 00"), &got))
	require.Equal(t, m{}, got)
	compat := binary.Options{Compat: true}
	holds(t, &m{}, binary.Options{}, true, "00 00")
	holds(t, &m{S: &s, A: &a, P: &p}, binary.Options{}, true, "0178 c0000201 c00002010050 00")
	holds(t, &m{}, binary.Options{UseRef: true}, true, "00 00 00 00 00 00")
	empty := ""
	cannot(t, &m{S: &empty}, binary.Options{}, binary.ErrRange, "S")
	holds(t, &m{S: &empty}, binary.Options{}, true, "00 00")

	type l struct {
		L []*string         `binary:"null"`
		M map[uint8]*string `binary:"null"`
		O []*stone          `binary:"null"`
	}
	roundTrip(t, &l{L: []*string{&s, &empty}, M: map[uint8]*string{1: &s}}, "02 0178 00 01 01 0178 00", binary.Options{})
	cannot(t, &l{L: []*string{&s, nil}}, binary.Options{}, binary.ErrNil, "L[1]")
	cannot(t, &l{M: map[uint8]*string{3: nil}}, binary.Options{}, binary.ErrNil, "M[3]")
	holds(t, &l{L: []*string{nil, &s}, M: map[uint8]*string{3: nil}, O: []*stone{nil}}, binary.Options{}, true, "02 0178 01 03 01")
	holds(t, &l{L: []*string{nil, &s}, O: []*stone{nil}}, binary.Options{UseRef: true}, true, "02 0178 00 01")
	chain := compat
	chain.Handlers = binary.DefaultHandlers()
	out, err := chain.Marshal(&l{L: []*string{nil, &s}})
	require.NoError(t, err)
	require.Equal(t, unhex("02 0178 00"), out)

	for name, v := range map[string]any{
		"number": &struct {
			N *int32 `binary:"null"`
		}{}, "value": &struct {
			S string `binary:"null"`
		}{},
		"size": &struct {
			S *string `binary:"null,fixed=3"`
		}{},
	} {
		_, err := binary.Marshal(v)
		require.ErrorIs(t, err, binary.ErrUnsupported, name)
	}
}
