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
