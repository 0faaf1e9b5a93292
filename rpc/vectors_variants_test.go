package rpc_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc/internal/vectors"
)

// TestVectorVariantsAreServedAlike gives TestVectorServerSendsWhatWasRecorded recordings as they might be, too: each frame of a client in two pieces, and two frames
// in one; and, by name and order, others.
func TestVectorVariantsAreServedAlike(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "remoting"), 0o777))
	for file, how := range map[string]func([]map[string]any) []map[string]any{"echo-string": halve, "object-args": halve, "scalar-results": join} {
		var lines []map[string]any
		for _, l := range vectors.Committed(t, ".", "remoting/"+file+".jsonl") {
			m := map[string]any{}
			require.NoError(t, json.Unmarshal([]byte(l.JSON()), &m))
			lines = append(lines, m)
		}
		f, err := os.Create(filepath.Join(dir, "remoting", "other-"+file+".jsonl"))
		require.NoError(t, err)
		for _, m := range how(lines) {
			require.NoError(t, json.NewEncoder(f).Encode(m))
		}
		require.NoError(t, f.Close())
	}
	t.Setenv("SPANWIRE_VECTORS", dir)
	t.Run("server", TestVectorServerSendsWhatWasRecorded)
	t.Run("none", func(t *testing.T) {
		t.Setenv("SPANWIRE_VECTORS", t.TempDir())
		t.Run("server", TestVectorServerSendsWhatWasRecorded) // skips
	})
}

// piece makes a line of bytes without meaning of their own.
func piece(m map[string]any, b []byte) map[string]any {
	return map[string]any{"dir": m["dir"], "conn": m["conn"], "raw": hex.EncodeToString(b)}
}

func isSent(m map[string]any) ([]byte, bool) {
	s, ok := m["frame"].(string)
	b, err := hex.DecodeString(s)
	return b, ok && err == nil && m["dir"] == "c2s"
}

// halve sends each frame in two pieces.
func halve(lines []map[string]any) (out []map[string]any) {
	for _, m := range lines {
		if b, ok := isSent(m); ok {
			out = append(out, piece(m, b[:len(b)/2]), piece(m, b[len(b)/2:]))
			continue
		}
		out = append(out, m)
	}
	return out
}

// join sends two frames of a connection in one piece, before what answers them.
func join(lines []map[string]any) (out []map[string]any) {
	var held []byte
	var answers []map[string]any
	for _, m := range lines {
		b, ok := isSent(m)
		switch {
		case ok && held == nil:
			held = b
		case ok:
			out = append(out, piece(m, append(held, b...)))
			out = append(out, answers...)
			held, answers = nil, nil
		case held != nil:
			answers = append(answers, m)
		default:
			out = append(out, m)
		}
	}
	if held != nil {
		out = append(out, piece(map[string]any{"dir": "c2s", "conn": "1"}, held))
	}
	return append(out, answers...)
}
