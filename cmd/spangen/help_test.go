package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHelp: what -h prints is the package documentation.
func TestHelp(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"-h"}, &out, &errs))
	require.Equal(t, f.Doc.Text(), out.String())
	require.Contains(t, out.String(), "\n\t-check      like -diff")
	require.Empty(t, errs.String())
}
