package layout

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTextOfOps: the layout text has a word for every form.
func TestTextOfOps(t *testing.T) {
	byte8 := &Node{Op: OpInt, Size: 1}
	seen := map[string]Op{}
	for op := OpInvalid + 1; !strings.HasPrefix(op.String(), "op("); op++ {
		n := &Node{
			Op: op, Name: "example.com/m.Name", Size: 8, Elem: byte8, Key: byte8, Struct: &Struct{}, Max: Unlimited,
		}
		if op == OpSized {
			n.Elem = &Node{Op: OpStruct, Struct: &Struct{Sized: true, Fields: []Field{{Name: "A", Node: byte8}}}}
		}
		text := printText(&Plan{Root: &Node{Op: OpStruct, Struct: &Struct{Fields: []Field{{Name: "F", Node: n}}}}}, true)
		_, word, _ := strings.Cut(text, " F ")
		require.NotEmpty(t, strings.TrimSpace(word), "%v", op)
		require.NotContains(t, seen, word, "%v", op)
		seen[word] = op
	}
	require.Greater(t, len(seen), 20)
}
