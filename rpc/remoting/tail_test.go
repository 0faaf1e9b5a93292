package remoting

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTailOfLayoutsAndRefusals(t *testing.T) {
	tail := AppendLayouts(AppendBody(nil, Lossless), 1, 0x0123456789abcdef)
	tail = AppendLast(AppendRefusal(AppendRefusal(tail, NoRefusal), OtherLayout))
	got := parseTail(appendTail(nil, tail))
	require.Equal(t, tail, got)
	require.Equal(t, []byte{
		2, 1, 2,
		7, 16, 0, 0, 0, 0, 0, 0, 0, 1, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
		8, 1, 2,
		9, 0,
	}, []byte(got))
	arg, result, ok := got.Layouts()
	require.True(t, ok)
	require.Equal(t, []uint64{1, 0x0123456789abcdef}, []uint64{arg, result})
	require.Equal(t, Lossless, got.Body())
	require.Equal(t, OtherLayout, got.Refusal())
	require.True(t, got.Last())

	none := Tail{}
	_, _, ok = none.Layouts()
	require.False(t, ok)
	require.Equal(t, NoRefusal, none.Refusal())
	require.False(t, none.Last())

	for name, bad := range map[string]Tail{
		"one fingerprint":     {7, 8, 0, 0, 0, 0, 0, 0, 0, 1},
		"refusal of nothing":  {8, 0},
		"refusal of two":      {8, 2, 1, 1},
		"last with something": {9, 1, 0},
	} {
		require.Nil(t, parseTail(appendTail(nil, bad)), name)
	}
}
