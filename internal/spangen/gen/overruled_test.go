package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
)

// TestOverruledDirective has chosen types with marshaler methods of their own (G5).
func TestOverruledDirective(t *testing.T) {
	dir := spanModule(t, map[string]string{"m.go": `package m

import "github.com/spanwire/spanwire/span"

//span:generate
type Round struct{ N int32 }

func (r *Round) MarshalBinary() ([]byte, error) { return span.Marshal(r) }
func (r *Round) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, r) }

//span:generate
type Text struct{ N int32 }

func (Text) MarshalText() ([]byte, error) { return nil, nil }
func (*Text) UnmarshalText([]byte) error  { return nil }

//span:generate
type Meant struct {
	_ struct{} ` + "`span:\"marshal\"`" + `
	N int32
}

func (Meant) MarshalText() ([]byte, error) { return nil, nil }
func (*Meant) UnmarshalText([]byte) error  { return nil }

//span:generate
type Fields struct {
	_ struct{} ` + "`span:\"fields\"`" + `
	N int32
}

func (f *Fields) MarshalBinary() ([]byte, error) { return span.Marshal(f) }
func (f *Fields) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, f) }

//span:generate
type Level int8

func (Level) MarshalText() ([]byte, error) { return nil, nil }
func (*Level) UnmarshalText([]byte) error  { return nil }
`})
	r := run(t, Config{Load: load.Config{Dir: dir}})
	require.Equal(t, []string{
		"m.go:6:6: warning: Round: the directive has no effect: its own binary marshaler methods make the bytes, and no field is written; state which is meant in the type: _ struct{} `span:\"fields\"` or `span:\"marshal\"`",
		"m.go:12:6: warning: Text: the directive has no effect: its own text marshaler methods make the bytes, and no field is written; state which is meant in the type: _ struct{} `span:\"fields\"` or `span:\"marshal\"`",
	}, messages(dir, r))
	require.Len(t, r.Files, 1)
}
