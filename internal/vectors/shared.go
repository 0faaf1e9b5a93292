package vectors

import (
	"os"
	"testing"
)

// ReadFile gives a recording in testdata/vectors, or in the folder that
// SPANWIRE_VECTORS names; where that lacks the file the test is skipped.
func ReadFile(t *testing.T, file string) []byte {
	t.Helper()
	path, elsewhere := find(t, file)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) && elsewhere {
		t.Skipf("%s has no %s", env, file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// RecordedZone makes the recordings' time zone, UTC+8, the local one for the
// length of a test.
func RecordedZone(t *testing.T) { recordedZone(t) }
