package value

import (
	"reflect"
)

// Dialect says how values are written and read. The zero value is NewLife.Remoting's way, with errors where NewLife takes 0.
type Dialect struct {
	// Keep writes members that are nil, 0, false, "" or the zero time, as NewLife's JsonCodec does.
	Keep bool
	// Compat does as NewLife does where this package does better: text that is not a number reads as 0 and text that is not a bool as false,
	// integers over 64 bits wrap, commas in numbers are dropped wherever they stand, an object reads as the zero value where a
	// scalar belongs and a scalar as nil where a list does, and objects more than five levels deep are written as {}.
	Compat bool
	// Depth is how deep JSON may nest, both ways; 0 is 100. Deeper is ErrDepth.
	Depth int
	// Enums has names of integer types that have no String method.
	Enums Enums
	// Lossy lets arguments for NewLife travel although its dialect changes them: see AppendArgument.
	Lossy bool
	// Strict refuses lossless JSON with a member that is not zero and has no place in what it is read into. Without it the arguments of
	// actions are as strict; in answers such members are dropped, as an old client of a new server needs it.
	Strict bool
	// ReadSpan reads the span body data into dst, a pointer, for ReadBody. Without it span bodies are ErrType. Package rpc does not ask it:
	// it reads and writes them with package span.
	ReadSpan func(data []byte, dst any) error

	// Grow is told, by Bind and BindLossless, of memory that elements of lists and maps, and what pointers point to, are about to take: a
	// KiB, then more at a time. It may wait. Its error ends reading.
	Grow func(bytes int) error

	loss *loss // nil: nobody asks
}

// loss is what becomes of values that NewLife's dialect changes.
type loss struct {
	refuse bool // they are an error
	cut    bool // there was one
}

// Enums has the names of named integer types.
type Enums map[reflect.Type][]EnumName

// EnumName is a value of a named integer type and its name.
type EnumName struct {
	Value int64
	Name  string
}

// Kind is what a value was written as.
type Kind byte

// The kinds.
const (
	Absent Kind = iota // nothing: the message has no data
	Text               // a bare scalar
	JSON
	Bytes // a []byte, as it is
	Raw   // a Packet or a value that writes itself
	Span  // a span body: say so in the tail
)

// Flag is the flag of a Standard frame for a body of this kind: 0 for text, 3 for JSON, 1 for anything else. NewLife sets it so
// where it sends values through a codec, and decides nothing by it.
func (k Kind) Flag() byte {
	switch k {
	case Text:
		return 0
	case JSON:
		return 3
	}
	return 1
}

const defaultDepth = 100

func (d *Dialect) depth() int {
	if d.Depth <= 0 {
		return defaultDepth
	}
	return d.Depth
}

// losslessDepth is how deep lossless JSON nests when Dialect.Depth does not say: as deep as the span format.
const losslessDepth = 1000

func (d *Dialect) losslessDepth() int {
	if d.Depth <= 0 {
		return losslessDepth
	}
	return d.Depth
}
