package binary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// Options says how values are written and read. The zero value is what a new
// NewLife Binary does, and what the functions of the same names stand for:
//
//	b, err := binary.Options{LittleEndian: true}.Marshal(v)
type Options struct {
	// EncodeInt writes integers of 16, 32 and 64 bits as the uvarint of their
	// bits (Binary.EncodeInt): -1 takes 3, 5 and 10 bytes.
	EncodeInt bool
	// LittleEndian turns the byte order of numbers round (IsLittleEndian).
	LittleEndian bool
	// SizeWidth is the width of lengths and counts: 0 is a uvarint, 1 a byte, 2
	// and 4 signed integers, which follow LittleEndian and EncodeInt.
	SizeWidth int
	// UseFieldSize honours the tags size, ref, offset, width and version.
	UseFieldSize bool
	// FullTime writes times as the int64 of DateTime.ToBinary, which
	// [wire.TimeTicks] describes, instead of uint32 seconds since 1970.
	FullTime bool
	// UseRef puts a number before every object below the root: 0 for nil, k for
	// the k-th enclosing object counted from the innermost, the number of
	// enclosing objects plus one for an object that follows. Pointers to
	// enclosing objects are restored when reading; all others are fresh.
	UseRef bool
	// TrimZero takes leading and trailing NUL characters off strings when
	// reading.
	TrimZero bool
	// Version chooses among several groups of size options in one tag.
	Version string
	// IgnoreMembers names fields that are neither written nor read, at every
	// depth.
	IgnoreMembers []string
	// Encoding is how strings become bytes; nil is UTF-8.
	Encoding Encoding
	// Handlers is the chain that every value goes through; nil is the default
	// chain, compiled. See [Handler].
	Handlers []Handler

	// Deterministic writes maps in the order of their keys.
	Deterministic bool
	// Strict refuses what is tolerated otherwise when reading: a missing tail,
	// bools and flags above 1, padded uvarints, duplicate keys, invalid UTF-8,
	// padding other than zeros, and a length for a member that its if leaves out.
	Strict bool
	// Compat writes NewLife's own bytes, and reads as NewLife reads, where the
	// default does better: what is too long is cut or wraps, nil objects write
	// nothing, times before 1970 are 0, local times give their clock reading,
	// characters that the encoding lacks are '?', input that ends inside a
	// member is padded with zeros, negative lengths are 0. An empty string
	// whose length is in another member that is not 0 counts as null.
	// Addresses, Chars, DateTimeOffset and TimeSpan are written in
	// NewLife's forms, of which it can't read the first; no address is its null,
	// which is nothing. A FixedString loses bytes at its ends, even of half
	// characters.
	Compat bool
	// MaxSize is the most bytes of one message: 0 means no limit in memory and
	// 256 MiB for streams, below 0 no limit.
	MaxSize int64
	// MaxDepth is how deep objects, lists and maps may nest: 0 means 1,000,
	// more than 100,000 counts as 100,000.
	MaxDepth int
}

const (
	defaultDepth = 1000
	mostDepth    = 100_000
	streamSize   = 256 << 20 // MaxSize of a stream by default
	chunk        = 64 << 10  // most memory taken ahead of the bytes that came
	maxLength    = wire.MaxLength
	maxEmpty     = 65536 // elements that take no byte, or their bytes in memory
)

// formCount is the number of forms.
const formCount = 64

// given are Options without their methods, which would become those of the
// cursors too.
type given Options

// settings are options made ready for use.
type settings struct {
	given
	set   *planSet
	depth int
	unit  int  // see unitSize
	usual bool // strings are what their bytes are, times what their seconds are
	idle  bool // use has been called with the zero Options
}

var noOptions Options // never written

// use makes the options ready.
func (s *settings) use(o *Options) error {
	if o == &noOptions && s.idle {
		return nil
	}
	s.given, s.unit = given(*o), 0
	s.depth = defaultDepth
	s.usual = o.Encoding == nil && !o.TrimZero && !o.Strict && !o.Compat
	s.idle = o == &noOptions
	if o.MaxDepth > 0 {
		s.depth = min(o.MaxDepth, mostDepth)
	}
	i, ok := o.formIndex()
	if !ok {
		return fmt.Errorf("%w: Options.SizeWidth is %d, not 0, 1, 2 or 4", ErrRange, o.SizeWidth)
	}
	s.set = &planSets[i]
	return nil
}

// formIndex numbers the part of the options that plans are compiled for.
func (o *Options) formIndex() (int, bool) {
	i := 0
	if o.LittleEndian {
		i |= 1
	}
	if o.EncodeInt {
		i |= 2
	}
	if o.FullTime {
		i |= 4
	}
	if o.UseFieldSize {
		i |= 8
	}
	switch o.SizeWidth {
	case 0:
	case 1:
		i |= 16
	case 2:
		i |= 32
	case 4:
		i |= 48
	default:
		return 0, false
	}
	return i, true
}

// formOf is formIndex backwards: the part of the options that plans depend on.
func formOf(i int) form {
	return form{
		LittleEndian: i&1 != 0, EncodeInt: i&2 != 0, FullTime: i&4 != 0, FieldSize: i&8 != 0,
		SizeWidth: [...]int{0, 1, 2, 4}[i>>4],
	}
}

// slow reports that structs can't take the fast path.
func (s *settings) slow() bool { return s.Handlers != nil || len(s.IgnoreMembers) > 0 }

// ignores reports a member that is left out.
func (s *settings) ignores(name string) bool { return slices.Contains(s.IgnoreMembers, name) }

// maxSize gives MaxSize with its default.
func (s *settings) maxSize(stream bool) int64 {
	switch {
	case s.MaxSize > 0:
		return s.MaxSize
	case s.MaxSize == 0 && stream:
		return streamSize
	}
	return math.MaxInt64
}

// trim takes NULs off a string that has been read.
func (s *settings) trim(text string) string {
	if s.TrimZero {
		return strings.Trim(text, "\x00")
	}
	return text
}

// spanOptions gives the switches for values that write themselves.
func (s *settings) spanOptions() span.Options {
	return span.Options{
		BigEndian: !s.LittleEndian, EncodeInt: s.EncodeInt, FullTime: s.FullTime,
		Compat: s.Compat, Strict: s.Strict,
	}
}
