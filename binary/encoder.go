package binary

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/internal/trail"
	"github.com/spanwire/spanwire/span"
)

// Encoder writes values to an io.Writer, one Write a value, and is the cursor
// that accessors and handlers write with. It is for one goroutine at a time.
//
// The methods that write single values keep the first error; whoever called the
// accessor or handler finds it.
type Encoder struct {
	b     []byte
	start int // of the message in b
	err   *Error
	settings

	level int // of objects, lists and maps around

	trailer int          // bytes behind what takes the rest of the input
	open    bool         // such a member was written:
	ends    int          // here the message must end
	idle    int          // see spend
	steps   *trail.Trail // to the fault

	nils  nilWatch    // nil objects so far
	hosts []enclosing // for UseRef, outermost first
	text  []byte      // scratch for Options.Encoding
	cur   *node       // of the value that is offered to the chain
	sw    span.Writer
	swFor span.Options // what sw has been set to, if swSet
	swSet bool

	known

	w     io.Writer
	total int64
	werr  error
}

// nilWatch finds nil objects with bytes behind them, which nobody could read.
type nilWatch struct {
	seen bool
	at   int  // bytes before the first
	fail bool // the first nil is known to be an error: say where

	none int // bytes before the last object that wrote nothing, 0 for none such, else one more
	end  int // such an object here is known to be an error: say which
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return noOptions.NewEncoder(w) }

// NewEncoder returns an Encoder that writes to w; see [NewEncoder].
func (o Options) NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{w: w}
	if w == nil {
		e.werr = because(ErrNil, "the io.Writer is nil")
	}
	if err := e.use(&o); err != nil {
		e.werr = err
	}
	return e
}

// Encode writes v, a value or a pointer to one, as one message with one call of
// the io.Writer's Write. A message that fails writes nothing; once the io.Writer
// has failed, every Encode returns that error.
func (e *Encoder) Encode(v any) error {
	if e.werr != nil {
		return failed("marshal", "", 0, e.werr)
	}
	e.b = e.b[:0]
	if err := e.message(v); err != nil {
		return err
	}
	n, err := e.w.Write(e.b)
	switch {
	case n < 0 || n > len(e.b):
		err = cmp.Or(err, fmt.Errorf("the io.Writer returned an invalid count: %d of %d bytes", n, len(e.b)))
		n = min(max(n, 0), len(e.b))
	case err == nil && n < len(e.b):
		err = io.ErrShortWrite
	}
	e.total += int64(n)
	if err != nil {
		e.werr = err
		return failed("marshal", reflect.TypeOf(v).String(), int64(n), err)
	}
	if cap(e.b) > chunk {
		e.b = nil
	}
	return nil
}

// Total gives the number of bytes that the io.Writer has taken (Binary.Total).
func (e *Encoder) Total() int64 { return e.total }

// Options gives the options in force.
func (e *Encoder) Options() Options { return Options(e.given) }

// Marshal returns the bytes of v, a value or a pointer to one. It allocates the
// slice it returns and, as a rule, nothing else.
func Marshal(v any) ([]byte, error) { return marshal(v, &noOptions) }

// Marshal returns the bytes of v; see [Marshal].
func (o Options) Marshal(v any) ([]byte, error) { return marshal(v, &o) }

func marshal(v any, o *Options) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	e.b = e.scratch()
	if err := e.run(v, o); err != nil {
		e.release(e.b)
		return nil, err
	}
	b := make([]byte, len(e.b))
	copy(b, e.b)
	e.release(e.b)
	return b, nil
}

// Append appends the bytes of v to dst and returns the extended slice, or dst
// with an error. It allocates nothing but room in dst.
func Append(dst []byte, v any) ([]byte, error) { return appendTo(dst, v, &noOptions) }

// Append appends the bytes of v to dst; see [Append].
func (o Options) Append(dst []byte, v any) ([]byte, error) { return appendTo(dst, v, &o) }

func appendTo(dst []byte, v any, o *Options) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	own := e.b
	e.b = dst
	err := e.run(v, o)
	b := e.b
	e.release(own)
	if err != nil {
		return dst, err
	}
	return b, nil
}

// FastWrite is Marshal with EncodeInt on: Binary.FastWrite.
func FastWrite(v any) ([]byte, error) { return marshal(v, &fast) }

var fast = Options{EncodeInt: true}

// encoders are idle Encoders.
var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// scratch gives the buffer of earlier messages.
func (e *Encoder) scratch() []byte {
	if e.b == nil {
		return make([]byte, 0, 512)
	}
	return e.b[:0]
}

// release makes e idle, with a buffer of its own.
func (e *Encoder) release(own []byte) {
	if cap(own) > chunk {
		own = nil
	}
	e.b = own[:0]
	if e.slow() || e.Encoding != nil {
		e.settings = settings{} // what they refer to may go
	}
	encoders.Put(e)
}

// run writes one message under the options.
func (e *Encoder) run(v any, o *Options) error {
	if err := e.use(o); err != nil {
		return failed("marshal", "", 0, err)
	}
	return e.message(v)
}

// message writes one root value behind what is in e.b.
func (e *Encoder) message(v any) error {
	e.start, e.err, e.nils, e.level = len(e.b), nil, nilWatch{}, 0
	e.hosts, e.trailer, e.open, e.idle = e.hosts[:0], 0, false, 0
	e.write(v)
	if e.nils.seen && e.err == nil && len(e.b) > e.nils.at {
		e.b = e.b[:e.start]
		e.nils, e.trailer, e.open, e.idle = nilWatch{fail: true}, 0, false, 0
		e.write(v)
	}
	if e.nils.none == len(e.b)+1 && e.err == nil {
		end := e.nils.none
		e.b = e.b[:e.start]
		e.nils, e.trailer, e.open, e.idle = nilWatch{end: end}, 0, false, 0
		e.write(v)
	}
	e.closed()
	if e.err == nil && int64(len(e.b)-e.start) > e.maxSize(false) {
		e.fail(because(ErrLimit, "the message has more than %d bytes", e.MaxSize))
	}
	if e.err != nil {
		err := atRoot(e.err, e.steps, v)
		e.b, e.err, e.steps, e.swSet = e.b[:e.start], nil, nil, false
		return err
	}
	return nil
}

func typeOf(v any) string {
	if v == nil {
		return "nil"
	}
	return reflect.TypeOf(v).String()
}

// known is the last root, a pointer to a value, with its plan.
type known struct {
	id   mem.Word
	from *planSet
	node *node
}

// write finds the plan of v and walks it.
func (e *Encoder) write(v any) {
	if id := mem.WordOf(v); id == e.id && e.from == e.set {
		if p, ok := mem.PointerIn(v); ok {
			e.value(e.node, p)
			return
		}
	}
	e.writeNew(v)
}

// writeNew is write for a root that is not known yet.
func (e *Encoder) writeNew(v any) {
	t := reflect.TypeOf(v)
	if t == nil {
		e.fail(because(ErrNil, "the value is nil"))
		return
	}
	n, err := e.rootPlan(t)
	if err != nil {
		e.fail(err)
		return
	}
	if t.Kind() != reflect.Pointer {
		p := mem.Root(v)
		if n.mutates {
			p = mem.CopyOf(v)
		}
		e.value(n, p)
		return
	}
	rv := reflect.ValueOf(v)
	for rv.Type().Elem().Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.IsNil() {
		e.fail(because(ErrNil, "the value is a nil %s", t))
		return
	}
	if t.Elem().Kind() != reflect.Pointer && e.Handlers == nil {
		e.known = known{mem.WordOf(v), e.set, n}
	}
	e.value(n, mem.Target(rv))
}

// rootPlan gives the plan of what a type points to.
func (s *settings) rootPlan(t reflect.Type) (*node, error) {
	seen := 0
	for t.Kind() == reflect.Pointer {
		if t = t.Elem(); seen > 100 {
			return nil, because(ErrUnsupported, "the type points to itself")
		}
		seen++
	}
	return s.plan(t)
}

// fail records the reason why the value at hand can't be written.
func (e *Encoder) fail(err error) {
	if e.err == nil && err != nil {
		e.err = as("marshal", int64(len(e.b)-e.start), err)
	}
}

// at puts a step in front of the error's path.
func (e *Encoder) at(step string) {
	if e.err != nil {
		e.steps = trail.Add(e.steps, e.err.Path, step)
	}
}

// enter counts a level of depth.
func (e *Encoder) enter() bool {
	if e.level >= e.depth {
		e.fail(because(ErrDepth, "more than %d levels", e.depth))
		return false
	}
	e.level++
	return true
}

// wroteNil notes a nil object. It is legal if nothing follows it.
func (e *Encoder) wroteNil() {
	switch {
	case e.Compat:
	case e.nils.fail:
		e.fail(because(ErrNil, "a nil object writes nothing, and what follows would be read in its place"))
	case !e.nils.seen:
		e.nils.seen, e.nils.at = true, len(e.b)
	}
}

// wroteNone notes an object that wrote nothing. Where the input ends it would be
// read as nil, and as one without members everywhere.
func (e *Encoder) wroteNone(n *node) {
	switch e.nils.none = len(e.b) + 1; {
	case e.Compat:
		e.nils.none = 0
	case n.empty || e.nils.none == e.nils.end:
		e.fail(because(ErrNil, "an object that writes nothing reads as nil here"))
	}
}

// unsupported reports the answer "next, please".
func unsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
