package spanwire_test

import (
	"testing"

	"github.com/spanwire/spanwire/internal/vectors"
)

// The recorded vectors in the form of generated methods; package span's own
// tests hold its plans against them.

func TestVectorSpan(t *testing.T) { vectors.Run(t, "span.jsonl", vectors.Methods) }

func TestVectorSpanWriter(t *testing.T) { vectors.Run(t, "spanwriter.jsonl", vectors.Methods) }
