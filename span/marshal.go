package span

import (
	"bytes"
	"io"
)

// Marshal returns v as one message, in memory of exactly its size.
//
// v is a value of any type that has a wire form or a pointer to one; pointers at
// the root leave no trace in the message. Pass a pointer where the type has
// methods on it: a value is copied first. Errors are of type [*Error].
func Marshal(v any) ([]byte, error) { return marshal(v, nil) }

// marshal is Marshal under options, of which nil are the default.
func marshal(v any, o *Options) ([]byte, error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	b, err := appendTo((*buf)[:0], v, o)
	if err != nil {
		return nil, err
	}
	if cap(b) > poolBuffer && len(b) > cap(b)/2 {
		return b, nil
	}
	if cap(b) <= poolBuffer {
		*buf = b
	}
	return bytes.Clone(b), nil
}

// Append appends v as one message to dst. On an error it returns dst as it was
// given. It does not allocate when dst has room for the message, except for what
// marshaler methods allocate, for the tag shared and for Options.Deterministic.
func Append(dst []byte, v any) ([]byte, error) { return appendTo(dst, v, nil) }

// appendTo is Append under options.
func appendTo(dst []byte, v any, o *Options) ([]byte, error) {
	pl := planOf(v)
	if pl == nil || pl.err != nil {
		return dst, noPlan("marshal", pl)
	}
	p, ok := rootOf(pl, v)
	if !ok {
		return dst, nilRoot("marshal", pl.typ)
	}
	if pl.user {
		return appendUser(pl, dst, v, p, o)
	}
	if pl.direct && o == nil {
		b, err := v.(generatedMethods).AppendSpan(dst)
		if err != nil {
			return dst, completed(err, pl)
		}
		return b, nil
	}
	if pl.plain && o == nil {
		var w Writer
		w.b = dst
		if w.hidden().enter(pl.first(), p); w.st&wFailed == 0 {
			return w.b, nil // through w, which keeps its place in the frame
		}
	}
	return appendWith(pl, dst, v, p, o)
}

// appendUser is Append for types of which methods of others are called.
func appendUser(pl *plan, dst []byte, v any, p ptr, o *Options) (b []byte, err error) {
	ok := nested(pl, func() {
		if !pl.direct || o != nil {
			b, err = appendWith(pl, dst, v, p, o)
		} else if b, err = v.(generatedMethods).AppendSpan(dst); err != nil {
			b, err = dst, completed(err, pl)
		}
	})
	if !ok {
		return dst, &Error{Op: "marshal", Type: pl.typ.String(), Err: errNested}
	}
	return b, err
}

// appendWith is Append with all that may be out of the ordinary. It also finds
// the errors: Append tries without asking for more than it needs.
func appendWith(pl *plan, dst []byte, v any, p ptr, o *Options) ([]byte, error) {
	w := getWriter(dst, 0)
	defer w.put()
	w.configure(o)
	if pl.generated && w.st&wSlow == 0 {
		b, err := generatedAt(pl, v, p).AppendSpan(dst)
		if err != nil {
			return dst, completed(err, pl)
		}
		if most := w.x.opts.MaxBytes; most <= 0 || int64(len(b)-len(dst)) <= most {
			return b, nil
		}
	}
	w.message(pl, w.program(pl), p, idOf(pl, p))
	b, err := w.result(dst)
	if err != nil {
		w.x.err.done()
	}
	return b, err
}

// generatedAt gives the generated methods of the value at p.
func generatedAt(pl *plan, v any, p ptr) generatedMethods {
	if m, ok := v.(generatedMethods); ok && pl.levels == 1 {
		return m
	}
	return pointerTo(p, &op{typ: pl.typ}).(generatedMethods)
}

// completed gives an error of generated code the type of the root.
func completed(err error, pl *plan) error {
	e, ok := own(err)
	if !ok {
		e = &Error{Op: "marshal", Offset: -1, Err: err}
	}
	return e.of(pl).done()
}

// MarshalWrite writes v as one message to dst, in pieces of about 64 KiB, so that
// memory stays bounded however large the value is. When it fails, dst may have
// got a part of the message.
func MarshalWrite(dst io.Writer, v any) error { return marshalWrite(dst, v, nil) }

// marshalWrite is MarshalWrite under options.
func marshalWrite(dst io.Writer, v any, o *Options) error {
	pl := planOf(v)
	if pl == nil || pl.err != nil {
		return noPlan("marshal", pl)
	}
	p, ok := rootOf(pl, v)
	if !ok {
		return nilRoot("marshal", pl.typ)
	}
	if dst == nil {
		return &Error{Op: "marshal", Type: pl.typ.String(), Offset: -1, Err: errNoWriter}
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	w := getWriter((*buf)[:0], 0)
	defer w.put()
	w.configure(o)
	w.x.dst = dst
	w.st |= wFlush
	w.guarded(pl, func() {
		if !w.short(pl, v, p, false) {
			w.message(pl, w.program(pl), p, idOf(pl, p))
		}
	})
	err := w.Flush()
	if cap(w.b) <= poolBuffer {
		*buf = w.b[:0]
	}
	return err
}

// Size returns the number of bytes that [Append] appends for v, or the error
// that it gives.
func Size(v any) (int, error) { return sizeOf(v, nil) }

// sizeOf is Size under options.
func sizeOf(v any, o *Options) (int, error) {
	pl := planOf(v)
	if pl == nil || pl.err != nil {
		return 0, noPlan("size", pl)
	}
	p, ok := rootOf(pl, v)
	if !ok {
		return 0, nilRoot("size", pl.typ)
	}
	var w Writer
	c := w.hidden().counter()
	defer c.release()
	c.configure(o)
	c.guarded(pl, func() { c.message(pl, c.program(pl), p, idOf(pl, p)) })
	if err := c.x.err; err != nil {
		err.Op = "size"
		return 0, err.done()
	}
	return int(c.offset()), nil
}

// AppendMarked appends v behind the mark that NewLife's SpanWriter.Write<T>
// puts before an object: 0 for nil, 1 for an object that follows. Types whose
// messages do not tell where they end are ErrNotSelfDelimiting. On an error it
// returns dst as it was given.
func AppendMarked(dst []byte, v any) ([]byte, error) { return appendMarked(dst, v, nil) }

// appendMarked is AppendMarked under options.
func appendMarked(dst []byte, v any, o *Options) ([]byte, error) {
	pl := planOf(v)
	if pl == nil {
		return append(dst, 0), nil
	}
	if pl.err == nil {
		if !pl.ends {
			return dst, notSelfDelimiting("marshal", pl)
		}
		if _, ok := rootOf(pl, v); !ok {
			return append(dst, 0), nil
		}
	}
	b, err := appendTo(append(dst, 1), v, o)
	if err != nil {
		if e := err.(*Error); e.Offset >= 0 {
			e.Offset++
		}
		return dst, err
	}
	return b, nil
}
