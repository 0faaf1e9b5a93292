package span_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

type printed struct {
	ID    string `span:"max=64,utf8"`
	Lines []struct{ Count int }
}

// numbers is models.Numbers without its generated methods.
type numbers models.Numbers

// TestFingerprint: the numbers hold between releases.
func TestFingerprint(t *testing.T) {
	require.Equal(t, uint64(0x2a98a18bb0919697), span.Fingerprint[printed]())
	require.Equal(t, span.Fingerprint[numbers](), span.Fingerprint[models.Numbers](), "with and without generated methods")
	require.Equal(t, span.Fingerprint[printed](), span.Fingerprint[*printed]())
	require.Zero(t, span.Fingerprint[func()]())
	require.Zero(t, span.Fingerprint[any]())
	require.Zero(t, span.Fingerprint[struct{ C chan int }]())
	require.Zero(t, testing.AllocsPerRun(100, func() { span.Fingerprint[printed]() }))
}
