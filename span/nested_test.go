package span_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/internal/test/rude"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// nestedBytes is a message of very many lengths, each of the rest.
func nestedBytes(depth int, inner func([]byte) []byte) []byte {
	var b []byte
	for range depth {
		b = inner(b)
	}
	return b
}

// TestComesBack (G5): methods that come back to this package for their own value
// without end are an error, in both directions.
func TestComesBack(t *testing.T) {
	length := func(b []byte) []byte { return wire.AppendBytes(nil, b) }
	for name, test := range map[string]struct {
		v    any
		wrap func([]byte) []byte // what a level of the message puts around the next
	}{
		"itself":                {&rude.Own{A: 1}, length},
		"itself by value":       {&rude.OwnValue{A: 1}, length},
		"itself, no pointer":    {rude.OwnValue{A: 1}, nil},
		"itself, appending":     {&rude.OwnAppend{A: 1}, length},
		"WriteSpan":             {&rude.OwnSelf{A: 1}, length},
		"two types":             {&rude.Ping{A: 1}, nil},
		"in a list":             {&[]rude.Own{{A: 1}}, nil},
		"generated":             {&rude.Part{A: 1}, nil},
		"what generated holds":  {&rude.Whole{Part: rude.Part{A: 1}}, nil},
		"generated itself":      {&rude.Marked{A: 1}, length},
		"generated text":        {&rude.MarkedText{A: 1}, length},
		"a stream":              {&rude.Stream{A: 1}, nil},
		"a size":                {&rude.Sizer{A: 1}, nil},
		"a size of the message": {&struct{ S rude.Sizer }{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := span.Marshal(test.v)
			require.ErrorIs(t, err, span.ErrDepth)
			require.Less(t, len(err.Error()), 3000)
			require.ErrorIs(t, span.MarshalWrite(new(bytes.Buffer), test.v), span.ErrDepth)
			_, err = span.Size(test.v)
			require.ErrorIs(t, err, span.ErrDepth)
			require.ErrorIs(t, span.NewEncoder(new(bytes.Buffer)).Encode(test.v), span.ErrDepth)
			if test.wrap != nil {
				b := nestedBytes(3000, test.wrap)
				require.ErrorIs(t, span.Unmarshal(b, test.v), span.ErrDepth)
				require.ErrorIs(t, span.UnmarshalRead(bytes.NewReader(b), test.v), span.ErrDepth)
			}
		})
	}
}

// TestComesBackDeep (G5): methods that come back for other values work, many at
// once and hundreds of levels deep, also beside some that do so without end.
func TestComesBackDeep(t *testing.T) {
	chain := func(n int) *rude.Chain {
		var c *rude.Chain
		for i := range n {
			c = &rude.Chain{A: int32(i), Next: c}
		}
		return c
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	levels := test.Count(12, 30, 30)
	for i := range 16 {
		all.Go(func() {
			err := func() error {
				if i%8 == 0 {
					if _, err := span.Marshal(&rude.Own{}); !errors.Is(err, span.ErrDepth) {
						return fmt.Errorf("a loop gave %v", err)
					}
					return nil
				}
				v := chain(i * levels)
				b, err := span.Marshal(v)
				if err != nil || i == 0 {
					return err
				}
				var back rude.Chain
				if err := span.Unmarshal(b, &back); err != nil {
					return err
				}
				for a, b := v, &back; a != nil; a, b = a.Next, b.Next {
					if b == nil || a.A != b.A {
						return errors.New("another chain came back")
					}
				}
				return nil
			}()
			mu.Lock()
			failed = errors.Join(failed, err)
			mu.Unlock()
		})
	}
	all.Wait()
	require.NoError(t, failed)
	_, err := span.Marshal(chain(5000))
	require.ErrorIs(t, err, span.ErrDepth)
}
