package binary_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

type (
	hiddenOnly struct {
		A [4]int `binary:"ignore"`
	}
	summedChain struct {
		N *summedChain
		S uint8 `binary:"sum=sum8"`
	}
)

// TestIdleElements: elements that take no byte cost neither time nor memory beyond what the input justifies, however lists of them
// nest.
func TestIdleElements(t *testing.T) {
	many := func(head string, n int) []byte { return append(unhex(head), bytes.Repeat(unhex("ffff03"), n)...) }
	for name, c := range map[string]struct {
		make  func() any
		in    []byte
		fails error
	}{
		"nothing":         {func() any { return new([][]struct{}) }, many("8020", 4096), nil},
		"arrays of it":    {func() any { return new([][1_000_000]struct{}) }, unhex("ffffffff07"), nil},
		"hidden members":  {func() any { return new([][]hiddenOnly) }, many("10", 16), binary.ErrLimit},
		"pointers":        {func() any { return new([][]*struct{}) }, many("8020", 4096), binary.ErrLimit},
		"maps":            {func() any { return new([]map[struct{}]struct{}) }, many("8002", 256), binary.ErrLimit},
		"hidden in a map": {func() any { return new([]map[uint8]hiddenOnly) }, many("01", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_ = binary.Unmarshal(c.in[:1], c.make()) // compiles the plan
			for _, o := range []binary.Options{{}, {Compat: true}} {
				var err error
				v := c.make()
				grown := allocated(func() { err = o.Unmarshal(c.in, v) })
				if c.fails != nil {
					require.ErrorIs(t, err, c.fails)
				} else if name != "hidden in a map" {
					require.NoError(t, err)
				}
				require.Less(t, grown, uint64(400<<10)+100*uint64(len(c.in)))
			}
		})
	}
	// What is read can be written.
	v := struct{ L [][]struct{} }{make([][]struct{}, 3)}
	v.L[1] = make([]struct{}, 100_000)
	roundTrip(t, &v, "03 00 a08d06 00", binary.Options{})
}

// TestLongPaths: the path of a fault in the deep costs what it says, and says it on a screen.
func TestLongPaths(t *testing.T) {
	for _, v := range []any{new(chain), new(summedChain), new(list)} {
		in := bytes.Repeat([]byte{1}, 100_000)
		o := binary.Options{MaxDepth: 50_000}
		_ = binary.Unmarshal(in[:1], v)
		var err error
		var e *binary.Error
		grown := allocated(func() { err = o.Unmarshal(in, v) })
		require.ErrorIs(t, err, binary.ErrDepth)
		require.True(t, errors.As(err, &e))
		require.Less(t, len(err.Error()), 600)
		require.Contains(t, e.Path, "…")
		require.Less(t, grown, uint64(100*len(in)))
	}
	deep := &chain{}
	for range 900 {
		deep = &chain{1, deep}
	}
	_, err := binary.Options{MaxDepth: 800}.Marshal(deep)
	require.ErrorIs(t, err, binary.ErrDepth)
	require.Less(t, len(err.Error()), 600)
	refuses[chain](t, "01 02 03", binary.Options{MaxDepth: 2}, binary.ErrDepth, "Next.Next")

	_, err = binary.Marshal(&struct{ M map[string]struct{ T []any } }{map[string]struct{ T []any }{strings.Repeat("汉", 1000): {[]any{nil}}}})
	require.ErrorIs(t, err, binary.ErrNil)
	require.Less(t, len(err.Error()), 400)
}
