// Package examples_test has the tests of all examples, as one program.
package examples_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unhex gives the bytes of a text with blanks in it.
func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

// generated is what generated types have.
type generated interface {
	AppendSpan([]byte) ([]byte, error)
}
