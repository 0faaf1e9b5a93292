package span

import (
	"io"
)

// StringMode says how the strings of a message come into memory.
type StringMode uint8

const (
	// CopyStrings allocates each string. The default.
	CopyStrings StringMode = iota
	// SharedStrings copies the whole message once; its strings are parts of
	// that copy and keep it alive together.
	SharedStrings
	// AliasStrings makes strings of the input's own memory. The caller
	// promises never to change or reuse the input while such a string lives.
	// Map keys are copied all the same.
	AliasStrings
)

// Reader reads values from a byte slice or from an io.Reader.
//
// It is sticky: the first error is kept (see [Reader.Err]), and from then on
// every read gives the zero value. The zero Reader is an empty input. A Reader
// must not be copied once used, nor used by several goroutines at a time.
type Reader struct {
	b   []byte // the bytes in memory, up to the end of the innermost sized struct
	off int    // cursor in b
	st  readerStatus
	x   *readerState

	// Bytes that have come and that elements of lists on cycles of types have not
	// claimed yet; see Claim.
	room int

	shared *byte // in shared mode the copy of b, made for the first string
}

// readerStatus packs what every read may need into one word, so that Reset
// is a handful of stores: string mode, flags and depths.
type readerStatus uint64

const (
	rModeMask readerStatus = 0xff
	rFailed   readerStatus = 1 << 8  // x.err is set
	rSlow     readerStatus = 1 << 9  // options are set that only the plan obeys
	rElems    readerStatus = 1 << 10 // inside a list or map: no early end
	rSized    readerStatus = 1 << 11 // inside a sized struct: any field boundary may be its end
	rOwn      readerStatus = 1 << 14 // one of types' own ReadSpan within each other
	rDepth    readerStatus = 1 << 32 // one level of depth
)

// readerState is what a plain read from a slice does not need.
type readerState struct {
	err  *Error
	opts Options // as given; zero for a plain Reset

	// Reading from src: buf holds what is in memory, base is the offset of
	// buf[0] in the stream, end the absolute end of the innermost sized struct
	// (or -1), left what MaxBytes still lets us take from src.
	src    io.Reader
	srcErr error
	buf    []byte
	base   int64
	end    int64
	left   int64
	beyond [1]byte // for the byte that must not come
	lent   bool    // the bytes are in a buffer that is used again, so that strings are copied

	ahead int // memory that open lists hold ahead of the bytes that came

	calls int // elements read that may have taken no byte

	objects []sharedObject // read so far under the tag shared
}

// sharedObject is one numbered object of the tag shared.
type sharedObject struct {
	typ *program
	ptr ptr
}

// NewReader returns a Reader over b that copies strings.
func NewReader(b []byte) *Reader { return &Reader{b: b, room: len(b)} }

// Reset makes r read b from its start in the given string mode, and forgets
// everything else: error, options, stream.
func (r *Reader) Reset(b []byte, mode StringMode) {
	if mode == SharedStrings && len(b) >= shareAll {
		b, mode = share(b)
	}
	r.b, r.off, r.shared, r.x, r.st, r.room = b, 0, nil, nil, readerStatus(mode), len(b)
}

// Err returns the first error, an [*Error], or nil.
func (r *Reader) Err() error {
	if r.st&rFailed == 0 {
		return nil
	}
	return r.x.err.settle()
}

// Offset returns how many bytes have been read.
func (r *Reader) Offset() int64 {
	if r.x == nil {
		return int64(r.off)
	}
	return r.x.base + int64(r.off)
}

// mode returns how strings are made.
func (r *Reader) mode() StringMode { return StringMode(r.st & rModeMask) }

// state returns r.x, made on first use.
func (r *Reader) state() *readerState {
	if r.x == nil {
		r.x = &readerState{end: -1}
	}
	return r.x
}

// Fail records err as the reason why the value at the cursor can't be read.
// Only the first call has an effect.
func (r *Reader) Fail(err error) {
	if r.st&rFailed != 0 || err == nil {
		return
	}
	x := r.state()
	e, ok := own(err)
	if !ok {
		e = &Error{Op: "unmarshal", Offset: r.Offset(), Err: err}
	}
	x.err = e
	r.st |= rFailed
	r.b = r.b[:r.off] // nothing is left, so that loops over counts end
}

// fail is Fail with the zero-based offset of the faulty byte in r.b.
func (r *Reader) failAt(off int, err error) {
	r.off = min(off, len(r.b))
	r.Fail(err)
}

// At puts a step, a field name or "[3]", in front of the error's path. It does
// nothing while there is no error: called while unwinding, a path costs nothing
// otherwise.
func (r *Reader) At(step string) {
	if r.st&rFailed != 0 {
		r.x.err.within(step)
	}
}

// Enter counts one level of depth on entry into a type that lies on a type
// cycle and reports whether the limit allows it. Each Enter that gives true
// needs a Leave.
func (r *Reader) Enter() bool {
	limit := readerStatus(maxDepth)
	if r.x != nil && r.x.opts.MaxDepth > 0 {
		limit = readerStatus(r.x.opts.MaxDepth)
	}
	if r.st/rDepth >= limit {
		r.Fail(because(ErrDepth, "more than %d levels", limit))
		return false
	}
	r.st += rDepth
	return true
}

// Leave undoes one Enter.
func (r *Reader) Leave() { r.st -= rDepth }
