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
		return span.Append(nil, v, span.PlanOnly(o))
	},
	Unmarshal: func(b []byte, v any, o span.Options) error {
		return span.Unmarshal(b, v, span.PlanOnly(o))
	},
	First: func(b []byte, v any, o span.Options) (int, error) {
		rest, err := span.UnmarshalFirst(b, v, span.PlanOnly(o))
		return len(b) - len(rest), err
	},
	AppendMarked: func(v any, o span.Options) ([]byte, error) {
		return span.AppendMarked(nil, v, span.PlanOnly(o))
	},
	ConsumeMarked: func(b []byte, v any, o span.Options) (bool, int, error) {
		n, present, err := span.ConsumeMarked(b, v, span.PlanOnly(o))
		return present, n, err
	},
}

// stream is reflection through an io.Writer and an io.Reader that gives single
// bytes.
var stream = vectors.Form{
	Name: "stream",
	Append: func(v any, o span.Options) ([]byte, error) {
		var b bytes.Buffer
		err := span.MarshalWrite(&b, v, span.PlanOnly(o))
		return b.Bytes(), err
	},
	Unmarshal: func(b []byte, v any, o span.Options) error {
		return span.UnmarshalRead(iotest.OneByteReader(bytes.NewReader(b)), v, span.PlanOnly(o))
	},
}

func TestVectorSpan(t *testing.T) { vectors.Run(t, "span.jsonl", reflection, stream) }

func TestVectorSpanWriter(t *testing.T) { vectors.Run(t, "spanwriter.jsonl", reflection, stream) }
