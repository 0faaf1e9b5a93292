package gen

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCaseless (G22): names that a script without case leaves unexported are
// told of, once, where progress is.
func TestCaseless(t *testing.T) {
	dir := module(t, map[string]string{
		"a.go": "package m\n\n//span:generate\ntype Order struct {\n\tID string\n\t名称 string\n\tlower, X名 int\n\t_ int\n\tかな int `span:\"-\"`\n\tL []Line\n}\n\n" +
			"type Line struct{ 한글 bool; N uint8 }\n\n//span:generate\ntype Lines struct { L []Line }\n",
	})
	cfg := config(dir, echo)
	var log strings.Builder
	cfg.Load.Logf = func(format string, args ...any) { fmt.Fprintf(&log, format+"\n", args...) }
	r, err := Generate(context.Background(), cfg)
	require.NoError(t, err)
	require.Empty(t, r.Diagnostics)
	var told []string
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "not exported") {
			told = append(told, strings.SplitAfter(strings.TrimSpace(line), " is not exported")[0])
		}
	}
	require.Equal(t, []string{"a.go:6:2: the field 名称 is not exported", "a.go:13:19: the field 한글 is not exported"}, told)
}
