package vectors

import "github.com/spanwire/spanwire/span"

// Form is a way in which models are written and read here. v is a pointer to a
// model.
type Form struct {
	Name string

	// Append gives the bytes of v.
	Append func(v any, o span.Options) ([]byte, error)
	// Unmarshal reads v from all of b.
	Unmarshal func(b []byte, v any, o span.Options) error
	// First reads v from the start of b and tells how many bytes it took;
	// span.ErrNotSelfDelimiting where the type does not allow that. Optional.
	First func(b []byte, v any, o span.Options) (n int, err error)
	// AppendMarked gives the mark of NewLife's Write<T> and the bytes of v, which
	// is a nil pointer for null. Optional.
	AppendMarked func(v any, o span.Options) ([]byte, error)
	// ConsumeMarked reads what AppendMarked gives, from the start of b, and
	// reports whether there is a value. Optional.
	ConsumeMarked func(b []byte, v any, o span.Options) (present bool, n int, err error)
}
