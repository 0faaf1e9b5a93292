package binary

import (
	"errors"
	"io"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/internal/trail"
	"github.com/spanwire/spanwire/span"
)

// Decoder reads values from an io.Reader, and is the cursor that accessors and
// handlers read with. It is for one goroutine at a time.
//
// It takes from the io.Reader what one Read gives, and asks for more only while
// the value at hand needs it; what came too much serves the next value.
//
// The methods that read single values keep the first error and give zero from
// then on; whoever called the accessor or handler finds it.
type Decoder struct {
	b     []byte // what is in memory, from the start of the message at least
	off   int
	start int // of the message in b
	err   *Error
	settings

	room    int // bytes that have come and that elements of lists have not claimed
	ahead   int // memory that open lists hold ahead of the bytes that came
	level   int
	inner   int          // lists and maps around, where the input may not end
	trailer int          // bytes behind what takes the rest of the input
	whole   bool         // such a member was there: nothing behind it may be missing
	cut     bool         // members were missing
	idle    int          // see spend
	steps   *trail.Trail // to the fault
	hosts   []host       // the enclosing objects, for UseRef
	cur     *node
	sr      span.Reader

	known

	r     io.Reader
	rerr  error
	total int64
}

// host is an enclosing object.
type host struct {
	n *node
	p ptr
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return noOptions.NewDecoder(r) }

// NewDecoder returns a Decoder that reads from r; see [NewDecoder].
func (o Options) NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{r: r}
	if r == nil {
		d.rerr = because(ErrNil, "the io.Reader is nil")
	}
	if err := d.use(&o); err != nil {
		d.rerr = err
	}
	return d
}

// Decode reads the next value into what v, a pointer, points to. It returns
// io.EOF alone when the input has ended before the value, which is where
// NewLife's TryRead gives false. An error of the io.Reader other than io.EOF is
// returned wherever the input ends, also where a value might: one that came with
// the last bytes of a whole value is left to the next call. After an error the
// input stands wherever the fault was found, and v has the members before it.
func (d *Decoder) Decode(v any) error {
	d.drop()
	if !d.more() {
		if d.ended() {
			return io.EOF
		}
		return failed("unmarshal", typeOf(v), 0, d.rerr)
	}
	err := d.message(v)
	d.total += int64(d.off - d.start)
	return err
}

// drop forgets the messages that have been read.
func (d *Decoder) drop() {
	rest := d.b[d.off:]
	if len(rest) == 0 && cap(d.b) > 2*chunk {
		d.b = nil
	} else {
		d.b = d.b[:copy(d.b, rest)]
	}
	d.off, d.start = 0, 0
}

// Total gives the number of bytes that the values read so far took
// (Binary.Total).
func (d *Decoder) Total() int64 { return d.total }

// EndOfStream reports whether the input has ended (Binary.EndOfStream). It may
// have to wait for a byte.
func (d *Decoder) EndOfStream() bool { return !d.more() }

// Options gives the options in force.
func (d *Decoder) Options() Options { return Options(d.given) }

// Unmarshal reads a value from all of b into what v, a pointer, points to. Bytes
// behind it are ErrTrailing. On an error v has the members before the fault.
//
// What v has is replaced: lists and maps keep nothing of their old elements, and
// what is missing becomes zero. Its memory is reused - slices, maps and what
// pointers point to, except under Options.UseRef -, so that no two parts of it
// may share any. What lies between a slice's length and its capacity is made new, and
// what a slice held beyond its new length is let go. Nothing of b is kept.
func Unmarshal(b []byte, v any) error { return unmarshal(b, v, &noOptions) }

// Unmarshal reads a value from all of b; see [Unmarshal].
func (o Options) Unmarshal(b []byte, v any) error { return unmarshal(b, v, &o) }

func unmarshal(b []byte, v any, o *Options) error {
	rest, err := unmarshalFirst(b, v, o)
	if err == nil && len(rest) > 0 {
		return failed("unmarshal", typeOf(v), int64(len(b)-len(rest)), because(ErrTrailing, "%d of them", len(rest)))
	}
	return err
}

// UnmarshalFirst is Unmarshal of a value that others may follow: it returns the
// rest of b.
func UnmarshalFirst(b []byte, v any) (rest []byte, err error) {
	return unmarshalFirst(b, v, &noOptions)
}

// UnmarshalFirst reads a value that others may follow; see [UnmarshalFirst].
func (o Options) UnmarshalFirst(b []byte, v any) (rest []byte, err error) {
	return unmarshalFirst(b, v, &o)
}

func unmarshalFirst(b []byte, v any, o *Options) (rest []byte, err error) {
	d := decoders.Get().(*Decoder)
	if err := d.use(o); err != nil {
		decoders.Put(d)
		return b, failed("unmarshal", "", 0, err)
	}
	d.b, d.off, d.start, d.r = b, 0, 0, nil
	err = d.message(v)
	off := d.off
	d.b = nil
	if d.slow() || d.Encoding != nil {
		d.settings = settings{}
	}
	decoders.Put(d)
	if err != nil {
		return b, err
	}
	return b[off:], nil
}

// FastRead is Unmarshal with EncodeInt on: Binary.FastRead.
func FastRead(b []byte, v any) error { return unmarshal(b, v, &fast) }

// decoders are idle Decoders.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// message reads one root value.
func (d *Decoder) message(v any) error {
	d.start, d.err, d.level, d.inner = d.off, nil, 0, 0
	d.trailer, d.whole, d.cut, d.idle = 0, false, false, 0
	d.room, d.ahead = len(d.b)-d.off, 0
	d.hosts = d.hosts[:0]
	if d.r == nil && int64(len(d.b)) > d.maxSize(false) {
		d.fail(because(ErrLimit, "the input has %d bytes, MaxSize is %d", len(d.b), d.MaxSize))
	} else {
		d.read(v)
	}
	clear(d.hosts[:cap(d.hosts)])
	if most := d.maxSize(d.r != nil); d.err == nil && int64(d.off-d.start) > most {
		d.fail(because(ErrLimit, "the message has more than %d bytes", most)) // it came with what was read before
	}
	if d.err == nil {
		return nil
	}
	err := atRoot(d.err, d.steps, v)
	d.err, d.steps = nil, nil
	return err
}

// read finds the plan for v and walks it.
func (d *Decoder) read(v any) {
	if id := mem.WordOf(v); id == d.id && d.from == d.set {
		if p, ok := mem.PointerIn(v); ok {
			d.readRoot(d.node, p)
			return
		}
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		d.fail(because(ErrNil, "the destination is not a pointer to a value: %T", v))
		return
	}
	n, err := d.rootPlan(rv.Type())
	if err != nil {
		d.fail(err)
		return
	}
	if rv.Type().Elem().Kind() != reflect.Pointer && d.Handlers == nil {
		d.known = known{mem.WordOf(v), d.set, n}
	}
	for rv.Type().Elem().Kind() == reflect.Pointer {
		rv = rv.Elem()
		if rv.IsNil() {
			rv.Set(reflect.New(rv.Type().Elem()))
		}
	}
	d.readRoot(n, mem.Target(rv))
}

// readRoot reads a value, for which there must be input if it takes any.
func (d *Decoder) readRoot(n *node, p ptr) {
	if n.min > 0 && !d.more() {
		d.fail(io.ErrUnexpectedEOF)
		return
	}
	d.value(n, p)
}

// fail records the reason why the value at the cursor can't be read.
func (d *Decoder) fail(err error) {
	if d.err == nil && err != nil {
		d.err = as("unmarshal", int64(d.off-d.start), err)
	}
}

// at puts a step in front of the error's path.
func (d *Decoder) at(step string) {
	if d.err != nil {
		d.steps = trail.Add(d.steps, d.err.Path, step)
	}
}

// enter counts a level of depth.
func (d *Decoder) enter() bool {
	if d.level >= d.depth {
		d.fail(because(ErrDepth, "more than %d levels", d.depth))
		return false
	}
	d.level++
	return true
}

// more reports whether there is a byte at the cursor.
func (d *Decoder) more() bool { return d.off < len(d.b) || d.fill(1) }

// fill makes n bytes available at the cursor and reports whether it could.
func (d *Decoder) fill(n int) bool {
	empty := 0
	for uint(len(d.b)-d.off) < uint(n) {
		if d.rerr != nil && !d.ended() {
			d.fail(d.rerr) // it may have come with the last bytes
		}
		if d.r == nil || d.rerr != nil || d.err != nil {
			return false
		}
		if got := d.readMore(n); got > 0 {
			empty = 0
		} else if empty++; empty >= 100 && d.rerr == nil {
			d.rerr = io.ErrNoProgress
		}
	}
	return true
}

// ended reports that the input ended well: only then is it what has come.
func (d *Decoder) ended() bool {
	return d.rerr == io.EOF //nolint:errorlint // a reader that ends well gives io.EOF bare
}

// readMore reads once, with 16 KiB of room or as much as has come already.
func (d *Decoder) readMore(n int) int {
	if left := d.maxSize(true) - int64(len(d.b)-d.start); left <= 0 {
		d.fail(because(ErrLimit, "the message has more than %d bytes", d.maxSize(true)))
		return 0
	}
	want := min(n-(len(d.b)-d.off), chunk/4)
	if cap(d.b)-len(d.b) < want {
		b := make([]byte, len(d.b), max(len(d.b)+want, 2*cap(d.b), 4096))
		copy(b, d.b)
		d.b = b
	}
	room := d.b[len(d.b):cap(d.b)]
	got, err := d.r.Read(room)
	if got < 0 || got > len(room) {
		got, err = 0, errors.New("the io.Reader returned an invalid count")
	}
	d.b = d.b[:len(d.b)+got]
	d.room += got
	d.rerr = err
	return got
}

// take returns the next n bytes and moves past them; they are valid until the
// next read. Nil means that it has failed.
func (d *Decoder) take(n int) []byte {
	if uint(len(d.b)-d.off) < uint(n) {
		return d.takeSlow(n)
	}
	b := d.b[d.off : d.off+n : d.off+n]
	d.off += n
	return b
}

// takeSlow is take where the bytes are not in memory.
func (d *Decoder) takeSlow(n int) []byte {
	if d.err != nil {
		return nil
	}
	if d.fill(n) {
		return d.take(n)
	}
	if d.err != nil {
		return nil
	}
	rest := d.b[d.off:]
	if !d.Compat || d.whole || len(rest) == 0 { // NewLife pads what is cut, but has nothing to pad there
		d.off = len(d.b)
		d.fail(because(io.ErrUnexpectedEOF, "%d bytes are needed, %d are left", n, len(rest)))
		return nil
	}
	if n-len(rest) > chunk {
		d.fail(because(ErrLimit, "a length of %d with %d bytes left", n, len(rest)))
		return nil
	}
	padded := make([]byte, n)
	copy(padded, rest)
	d.off = len(d.b)
	return padded
}
