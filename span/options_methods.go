package span

import "io"

// The entry points under options. Each does what the function of its name does
// under the default.

// Marshal returns v as one message; see [Marshal].
func (o Options) Marshal(v any) ([]byte, error) { return marshal(v, o.given()) }

// Append appends v as one message to dst; see [Append].
func (o Options) Append(dst []byte, v any) ([]byte, error) { return appendTo(dst, v, o.given()) }

// MarshalWrite writes v as one message to dst; see [MarshalWrite].
func (o Options) MarshalWrite(dst io.Writer, v any) error { return marshalWrite(dst, v, &o) }

// Size returns the number of bytes that [Options.Append] appends for v; see
// [Size].
func (o Options) Size(v any) (int, error) { return sizeOf(v, &o) }

// AppendMarked appends a mark and v to dst; see [AppendMarked].
func (o Options) AppendMarked(dst []byte, v any) ([]byte, error) {
	return appendMarked(dst, v, o.given())
}

// Unmarshal reads the one message that b is into the value that v points to;
// see [Unmarshal].
func (o Options) Unmarshal(b []byte, v any) error { return unmarshal(b, v, &o) }

// UnmarshalFirst reads the message that b begins with and returns the bytes
// after it; see [UnmarshalFirst].
func (o Options) UnmarshalFirst(b []byte, v any) (rest []byte, err error) {
	return unmarshalFirst(b, v, &o)
}

// UnmarshalRead reads the one message that src holds up to its end; see
// [UnmarshalRead].
func (o Options) UnmarshalRead(src io.Reader, v any) error { return unmarshalRead(src, v, &o) }

// ConsumeMarked reads a mark and the message after it; see [ConsumeMarked].
func (o Options) ConsumeMarked(b []byte, v any) (n int, present bool, err error) {
	return consumeMarked(b, v, &o)
}

// NewEncoder returns an Encoder that writes to dst; see [NewEncoder].
func (o Options) NewEncoder(dst io.Writer) *Encoder { return &Encoder{dst: dst, opts: o} }

// NewDecoder returns a Decoder that reads from src; see [NewDecoder].
func (o Options) NewDecoder(src io.Reader) *Decoder { return newDecoder(src, &o) }

// NewReader returns a Reader of b; see [NewReader].
func (o Options) NewReader(b []byte) *Reader {
	r := NewReader(b)
	r.configure(&o)
	return r
}

// NewStreamReader returns a Reader of src; see [NewStreamReader].
func (o Options) NewStreamReader(src io.Reader) *Reader { return newStreamReader(src, &o) }

// NewWriter returns a Writer that appends to buf; see [NewWriter].
func (o Options) NewWriter(buf []byte) *Writer {
	w := NewWriter(buf)
	w.configure(&o)
	return w
}

// NewStreamWriter returns a Writer that hands its bytes to dst; see
// [NewStreamWriter].
func (o Options) NewStreamWriter(dst io.Writer) *Writer {
	w := NewStreamWriter(dst)
	w.configure(&o)
	return w
}

// NewFixedWriter returns a Writer into buf's capacity; see [NewFixedWriter].
func (o Options) NewFixedWriter(buf []byte) *Writer {
	w := NewFixedWriter(buf)
	w.configure(&o)
	return w
}
