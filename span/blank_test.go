package span_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

type (
	blankFirst struct {
		_  struct{} `span:"sized"`
		ID int64
	}
	blankLast struct {
		ID int64
		_  struct{} `span:"sized"`
	}
	blankNone  struct{ ID int64 }
	blankField struct {
		N blankNone `span:"sized"`
	}
)

// TestBlankField (G14): what the package documentation says of the blank field
// that carries a type's options.
func TestBlankField(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(blankNone{}), unsafe.Sizeof(blankFirst{}))
	require.Less(t, unsafe.Sizeof(blankFirst{}), unsafe.Sizeof(blankLast{}))
	require.True(t, blankFirst{ID: 1} == blankFirst{struct{}{}, 1})
	require.Equal(t, "{_:{} ID:1}", fmt.Sprintf("%+v", blankFirst{ID: 1}))
	require.Equal(t, "{{} 1}", fmt.Sprint(blankFirst{ID: 1}))
	b, err := json.Marshal(blankFirst{ID: 1})
	require.NoError(t, err)
	require.Equal(t, `{"ID":1}`, string(b))
	first, err := span.Marshal(blankFirst{ID: 1})
	require.NoError(t, err)
	last, err := span.Marshal(blankLast{ID: 1})
	require.NoError(t, err)
	require.Equal(t, first, last)
	tagged, err := span.Marshal(blankField{blankNone{1}})
	require.NoError(t, err)
	require.Equal(t, first, tagged, "the field's own tag says the same")
}
