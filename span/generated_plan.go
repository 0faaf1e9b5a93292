package span

// What generated code calls when something is out of the ordinary: the type's
// plan takes over, for a whole value or for some of its fields. T is the type
// that the generated methods belong to; fields are numbered as on the wire, in
// the order of the plan's fields, those that the format skips not counted.
//
// None of these functions lets its pointers escape: a caller's Reader, Writer or
// value on the stack stays there.
//
// Depth: a type that lies on a type cycle counts one level. AppendPlan,
// WritePlan and SizePlan count it for v, as the methods of T that they stand for
// do; AppendFields, ReadPlan and ReadFields work inside a value that has been
// entered already, so they count levels below it only.

// AppendPlan appends v as its plan writes it, depth levels having been entered
// around it. On an error it returns dst as it was given. A nil v is ErrNil.
func AppendPlan[T any](dst []byte, v *T, depth int) ([]byte, error) {
	return dst, ErrUnsupported
}

// AppendFields appends the fields from to to-1 of the struct v, which has been
// entered as level depth. On an error it returns b as it was given.
func AppendFields[T any](b []byte, v *T, from, to, depth int) ([]byte, error) {
	return b, ErrUnsupported
}

// SizePlan returns the number of bytes that AppendPlan appends; unspecified for
// values that it refuses.
func SizePlan[T any](v *T) int { return 0 }

// SizeFields returns the number of bytes that AppendFields appends; unspecified
// for values that it refuses.
func SizeFields[T any](v *T, from, to int) int { return 0 }

// WritePlan writes v as its plan does, under all options of w.
func WritePlan[T any](w *Writer, v *T) { w.Fail(ErrUnsupported) }

// ReadPlan reads the fields of v from number from to the last, from the cursor
// on, under all options of r. Where T is no struct, from is 0 and v is read.
func ReadPlan[T any](r *Reader, v *T, from int) { r.Fail(ErrUnsupported) }

// ReadFields reads the fields from to to-1 of the struct v.
func ReadFields[T any](r *Reader, v *T, from, to int) { r.Fail(ErrUnsupported) }

// AtIndex puts field[i] in front of the error's path, and does nothing while
// there is no error.
func (r *Reader) AtIndex(field string, i int) {
	if r.st&rFailed != 0 {
		r.x.err.within(field + Index(i))
	}
}

// WithinIndex is Within for element i of a field.
func WithinIndex(err error, field string, i, before int) error {
	return Within(err, field+Index(i), before)
}

// PutSize completes a sized struct that was appended behind one byte reserved at
// b[start]: it stores the number of bytes behind that byte as a uvarint, moving
// them when it takes more than one. It reports false where they are more than
// MaxLength.
func PutSize(b []byte, start int) ([]byte, bool) {
	n := len(b) - start - 1
	if uint(n) < 0x80 {
		b[start] = byte(n)
		return b, true
	}
	return putLongSize(b, start, n)
}

//go:noinline
func putLongSize(b []byte, start, n int) ([]byte, bool) {
	if n < 0 || n > maxLength {
		return b, false
	}
	more := SizeLength(n) - 1
	b = Grow(b, more)
	b = b[:len(b)+more]
	copy(b[start+1+more:], b[start+1:])
	putLongLength(b, start, n)
	return b, true
}

// Sized is what EnterSized keeps for LeaveSized.
type Sized struct {
	end     int64 // absolute end of this struct
	outer   int64 // absolute end of the enclosing window, -1 without
	tail    int   // bytes of the enclosing window behind this one, in memory
	st      readerStatus
	objects []sharedObject
}

// EnterSized reads the length of a sized struct and narrows the Reader to that
// many bytes: inside, any field boundary may be the end. It reports false when
// the Reader has failed. Each EnterSized that gives true needs a LeaveSized.
func (r *Reader) EnterSized() (Sized, bool) { r.Fail(ErrUnsupported); return Sized{}, false }

// LeaveSized skips what the struct's fields left unread and restores what
// EnterSized changed.
func (r *Reader) LeaveSized(s Sized) {}

// Serializable is implemented by types that write and read themselves. Both
// methods report errors through the cursor.
//
// A type that implements it by hand is written inline, as whatever WriteSpan
// writes; ReadSpan must read exactly that. The receiver of both is a pointer.
// Neither may keep the cursor beyond the call.
type Serializable interface {
	WriteSpan(*Writer)
	ReadSpan(*Reader)
}
