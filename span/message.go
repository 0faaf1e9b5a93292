package span

import "reflect"

// message writes one message: a root value with its own numbering of shared
// objects, behind whose end a nil pointer may leave nothing. id tells the root
// from other objects.
func (w *Writer) message(pl *plan, pr *program, p ptr, id uintptr) {
	begin := w.offset()
	var objects map[sharedKey]uint64
	if pl.node.Shares {
		x := w.state()
		objects, x.objects = x.objects, nil
		if pl.rooted {
			w.number(sharedKey{pr, id}, 1)
		}
	}
	w.enter(pr, p)
	w.finish(pl, pr, p, begin)
	if pl.node.Shares {
		w.x.objects = objects
	}
}

// finish holds what was written since begin against the limits of a message.
func (w *Writer) finish(pl *plan, pr *program, p ptr, begin int64) {
	if w.st&wEnded != 0 {
		w.checkEnd(pr, p, begin)
	}
	if w.x == nil {
		return
	}
	if most := w.x.opts.MaxBytes; most > 0 && w.offset()-begin > most {
		w.Fail(because(ErrLimit, "%d bytes where MaxBytes is %d", w.offset()-begin, most))
	}
	if w.st&wFailed != 0 {
		w.x.err.of(pl)
	}
}

// message reads one message into p.
func (r *Reader) message(pl *plan, pr *program, p ptr) {
	if !pl.node.Shares {
		r.enter(pr, p)
	} else {
		x := r.state()
		objects := x.objects
		x.objects = nil
		if pl.rooted {
			x.objects = append(x.objects, sharedObject{pr, p})
		}
		r.enter(pr, p)
		x.objects = objects
	}
	if r.st&rFailed != 0 {
		r.x.err.of(pl)
	}
}

// of completes an error with the type of the root.
func (e *Error) of(pl *plan) *Error {
	e.Type = pl.typ.String()
	return e
}

// errNilRoot is the reason for roots that are nil.
var errNilRoot = because(ErrNil, "the root value is nil")

// noPlan gives the error for a root without a plan: v is a nil interface or of a
// type that has no wire form.
func noPlan(op string, pl *plan) error {
	if pl == nil {
		return &Error{Op: op, Offset: -1, Err: errNilRoot}
	}
	e := *pl.err.(*Error)
	e.Op = op
	return &e
}

// notSelfDelimiting gives the error for a root that something is to follow.
func notSelfDelimiting(op string, pl *plan) error {
	return &Error{Op: op, Type: pl.typ.String(), Offset: -1, Err: ErrNotSelfDelimiting}
}

// nilRoot gives the error for a nil pointer at the root.
func nilRoot(op string, t reflect.Type) error {
	return &Error{Op: op, Type: t.String(), Offset: -1, Err: errNilRoot}
}
