package span

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"
)

// Methods of others that come back to this package. One that marshals the value
// it belongs to would do so without end, and a stack overflow can't be recovered.
// So the entry points count the calls that are under way: cheaply and for the
// whole process, since Go does not tell goroutines apart. Only where the count
// is suspicious does a call look at its own stack.

// A nest counts calls under way. There are several, chosen by chance, so that
// processors do not wait for each other.
type nest struct {
	n atomic.Int32
	_ [60]byte
}

var nests [64]nest

const (
	fewCalls   = 16   // calls under way in one nest, which need no look
	mostNested = 1000 // calls within calls in one stack
	// Once a type has been found to come back without end, the calls on the way
	// out may try again: with a second try at each level that would not end in
	// a lifetime. As many of them as could be are refused early.
	retriedAt, retries = 8, 8 * mostNested
)

// nested calls do, which calls methods of others, for a value of the plan. It
// reports false, without the call, where such calls lie within each other too
// often.
//
//go:noinline
func nested(pl *plan, do func()) bool {
	count := &nests[rand.Uint32()%uint32(len(nests))].n
	n := count.Add(1)
	defer count.Add(-1)
	if (suspicious(n) || pl.loops.Load() > 0) && pl.comesBack() {
		return false
	}
	do()
	return true
}

// suspicious reports a count at which to look, rarely enough where many calls
// are under way for good reasons, and often enough for one that goes on.
func suspicious(n int32) bool { return n >= fewCalls && n&(n-1) == 0 || n%64 == 0 }

// comesBack reports whether the type's methods come back without end.
func (pl *plan) comesBack() bool {
	if pl.loops.Load() <= 0 {
		if !nestedTimes(mostNested) {
			return false
		}
		pl.loops.Store(retries)
		return true
	}
	if !nestedTimes(retriedAt) {
		return false
	}
	pl.loops.Add(-1)
	return true
}

// nestedTimes reports whether the stack has at least so many calls of nested.
func nestedTimes(times int) bool {
	pcs := make([]uintptr, 64*times) // of the first calls, most often enough
	entry := reflect.ValueOf(nested).Pointer()
	for skip := 0; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		for _, pc := range pcs[:n] {
			if f := runtime.FuncForPC(pc - 1); f != nil && f.Entry() == entry {
				if times--; times == 0 {
					return true
				}
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// errNested is the reason for methods that come back without end.
var errNested = because(ErrDepth, "methods that this package calls have called it again more than %d times within each other; "+
	"one that marshals the value it belongs to needs the type option fields: _ struct{} `span:\"fields\"`", mostNested)

// Calls with the cursor that a type's own method was given are counted by that
// already, save for what marshaler methods below do, to which it does not come.

// guarded writes by do what may call methods of others.
func (w *Writer) guarded(pl *plan, do func()) {
	if !pl.user || w.inOwn() && !pl.marshals {
		do()
	} else if !nested(pl, do) {
		w.Fail(errNested)
		w.x.err.of(pl)
	}
}

// guarded is the same for reading.
func (r *Reader) guarded(pl *plan, do func()) {
	if !pl.user || r.inOwn() && !pl.marshals {
		do()
	} else if !nested(pl, do) {
		r.Fail(errNested)
	}
}
