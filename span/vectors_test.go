package span_test

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/internal/vectors"
	"github.com/spanwire/spanwire/span"
)

// reflection is the form of values without generated methods.
var reflection = vectors.Form{
	Name: "reflection",
	Append: func(v any, o span.Options) ([]byte, error) {
		return span.PlanOnly(o).Append(nil, v)
	},
	Unmarshal: func(b []byte, v any, o span.Options) error {
		return span.PlanOnly(o).Unmarshal(b, v)
	},
	First: func(b []byte, v any, o span.Options) (int, error) {
		rest, err := span.PlanOnly(o).UnmarshalFirst(b, v)
		return len(b) - len(rest), err
	},
	AppendMarked: func(v any, o span.Options) ([]byte, error) {
		return span.PlanOnly(o).AppendMarked(nil, v)
	},
	ConsumeMarked: func(b []byte, v any, o span.Options) (bool, int, error) {
		n, present, err := span.PlanOnly(o).ConsumeMarked(b, v)
		return present, n, err
	},
}

// stream is reflection through an io.Writer and an io.Reader that gives single
// bytes.
var stream = vectors.Form{
	Name: "stream",
	Append: func(v any, o span.Options) ([]byte, error) {
		var b bytes.Buffer
		err := span.PlanOnly(o).MarshalWrite(&b, v)
		return b.Bytes(), err
	},
	Unmarshal: func(b []byte, v any, o span.Options) error {
		return span.PlanOnly(o).UnmarshalRead(iotest.OneByteReader(bytes.NewReader(b)), v)
	},
}

func TestVectorSpan(t *testing.T) { vectors.Run(t, "span.jsonl", reflection, stream) }

func TestVectorSpanWriter(t *testing.T) { vectors.Run(t, "spanwriter.jsonl", reflection, stream) }
