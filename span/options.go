package span

import (
	"math"

	"github.com/spanwire/spanwire/internal/layout"
)

const (
	maxDepth  = layout.MaxDepth  // levels of types that lie on a cycle
	maxLength = layout.MaxLength // longest length or count on the wire
	maxStream = int64(256 << 20) // bytes read from an io.Reader without MaxBytes
)

// Options changes how values are written and read. The zero value is the
// default, which the functions of the same names stand for:
//
//	b, err := span.Options{Deterministic: true}.Marshal(v)
type Options struct {
	// Strings says how strings come into memory. Streams always copy.
	Strings StringMode
	// Deterministic writes maps in the order of their keys.
	Deterministic bool
	// Strict refuses what the format tolerates: duplicate map keys, and in the
	// NewLife profile a missing tail, padded uvarints and flag bytes above 1.
	Strict bool
	// Fresh never reuses memory of the destination: slices, maps and pointers
	// are made anew.
	Fresh bool
	// Compat writes and accepts NewLife's own bytes where its faults differ
	// from what this package does by default: times outside 1970 to 2106
	// saturate, times in time.Local give their clock reading, nil pointers write
	// nothing wherever they stand, and lengths of a fixed width wrap in the
	// Writer's methods.
	Compat bool
	// MaxBytes is the most bytes of one message: 0 means no limit for input in
	// memory and 256 MiB for streams, below 0 no limit at all.
	MaxBytes int64
	// MaxDepth is how deep types that lie on a type cycle may nest, and how many
	// methods written by hand may lie within each other: 0 means 1,000, more than
	// 100,000 counts as 100,000.
	MaxDepth int

	// The switches of NewLife's SpanWriter. They change fields of the NewLife
	// profile that have no encoding tag, and the Writer's and Reader's methods.
	BigEndian bool // fixed integers and floats big-endian
	EncodeInt bool // 16, 32 and 64-bit integers as uvarint of their bits
	FullTime  bool // times as .NET DateTime.ToBinary

	// planOnly makes the plan ignore generated methods at every depth, so that
	// tests can hold generated code against it.
	planOnly bool
}

// maxBytes gives MaxBytes with its default for streams.
func (o *Options) maxBytes() int64 {
	switch {
	case o.MaxBytes > 0:
		return o.MaxBytes
	case o.MaxBytes < 0:
		return math.MaxInt64
	}
	return maxStream
}

// slowRead reports whether reading needs the plan: generated code knows none of
// these.
func (o *Options) slowRead() bool {
	return o.Strict || o.Fresh || o.Compat || o.BigEndian || o.EncodeInt || o.FullTime || o.MaxDepth != 0 || o.planOnly
}

// slowWrite is slowRead for writing.
func (o *Options) slowWrite() bool {
	return o.Deterministic || o.Compat || o.BigEndian || o.EncodeInt || o.FullTime || o.MaxDepth != 0 || o.planOnly
}

// given returns nil for the default, which needs no look at single options.
func (o *Options) given() *Options {
	if *o == (Options{}) {
		return nil
	}
	return o
}

// inForce returns the options with their limits as they hold.
func (o *Options) inForce() Options {
	cut := *o
	cut.MaxDepth = min(o.MaxDepth, 100_000)
	return cut
}

// configureFor is configure for values of a plan: without strings to come, the
// input is not copied for them. Methods may read some: the first one copies it.
func (r *Reader) configureFor(pl *plan, o *Options) {
	if o == nil || pl.strings || o.Strings != SharedStrings {
		r.configure(o)
		return
	}
	copied := *o
	copied.Strings = CopyStrings
	r.configure(&copied)
	if pl.user {
		r.st |= readerStatus(SharedStrings)
	}
}

// configure applies options to a Reader that has just been reset; nil changes
// nothing.
func (r *Reader) configure(o *Options) {
	if o == nil {
		return
	}
	r.state().opts = o.inForce()
	mode := o.Strings
	if r.x.lent {
		mode = CopyStrings
	}
	if mode == SharedStrings {
		r.b, mode = share(r.b)
	}
	r.st = r.st&^rModeMask | readerStatus(mode)
	if o.slowRead() {
		r.st |= rSlow
	}
}
