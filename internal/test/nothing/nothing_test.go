package nothing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/nothing"
	"github.com/spanwire/spanwire/span"
)

// What a value held before is gone once it is read into.
func TestPointersToNothingReadAsNil(t *testing.T) {
	want := nothing.Nil{First: 1, Last: 2}
	b, err := span.Marshal(&want)
	require.NoError(t, err)
	require.Equal(t, "\x01\x00\x00\x00\x02\x00\x00\x00", string(b))
	used := func() nothing.Nil {
		return nothing.Nil{
			One: new(struct{}), Array: [2]*struct{}{1: new(struct{})}, Part: struct{ In *struct{} }{new(struct{})},
			Inner: nothing.Inner{P: new(struct{})},
		}
	}
	v := used()
	v.ReadSpan(span.NewReader(b))
	require.Equal(t, want, v, "generated")
	v = used()
	span.PlanOf(&v).ReadRoot(span.NewReader(b), &v)
	require.Equal(t, want, v, "plan")
}
