package test_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
)

func TestCountFollowsTheSwitch(t *testing.T) {
	for level, want := range map[string]int{"": 1, "ci": 2, "full": 3} {
		t.Setenv(test.Switch, level)
		require.Equal(t, want, test.Count(1, 2, 3), "level %q", level)
	}
}

func TestChangesAreOtherValues(t *testing.T) {
	t.Setenv(test.Switch, "")
	require.Equal(t, []byte{4, 7, 1, 13, 21, 37, 69, 133, 0, 0x7f, 0x80, 0xff}, test.Changes(5))
	t.Setenv(test.Switch, "ci")
	require.Len(t, test.Changes(5), 256)
}
