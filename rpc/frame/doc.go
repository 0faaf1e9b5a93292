// Package frame cuts byte streams into frames and writes frames into byte slices.
//
// # Vocabulary
//
// A frame is one message of a byte stream with what surrounds it on the wire; its payload is the message. A [Codec] is one
// way to draw the border between frames. Every codec speaks the same grammar:
//
//	AppendFrame(b, f) ([]byte, error)   f written behind b
//	SizeFrame(f) int                    the bytes AppendFrame would add
//	ParseFrame(b) (f, n, err)           the first frame of b, which took n bytes
//
// ParseFrame has three outcomes: a frame (n > 0), need more (n == 0 and no error) and malformed (an [*Error] that names the codec,
// the offset of the offending byte and the reason). ParseFrame neither allocates, except for the error, nor keeps or changes b;
// the frame's slices alias b.
//
// # Codecs
//
//	Standard     flag:1 seq:1 length:2 LE payload        (SRMP; a length of FFFF is followed by an int32 LE with the real one)
//	LengthField  header:Offset length:Size payload       (1, 2, 4 bytes LE, -2, -4 BE, 0 uvarint)
//	Delimited    payload delimiter                       (CR LF unless set)
//	JSON         value [white space] value ...           (RFC 8259, each value a frame)
//
// # Receiving
//
// A [Reader] is the receive buffer of one connection. It has two forms that may be mixed: Feed takes a chunk the caller has
// read and hands out whole frames without copying them, only a cut frame is copied; Space, Wrote and Next let the caller read
// straight into the buffer. The announced length of a frame never sizes the buffer beyond 64 KiB: past that it grows with the
// bytes that are there. [Watch] tells when an unfinished frame has waited too long; time is passed in.
//
// # Security
//
// Lengths are compared as unsigned numbers against the limit before they become an int. A length over the limit is an error
// as soon as the header is there, before anything is buffered. After an error a Reader is finished: the position in the
// stream is unknown, so nothing behind a bad frame is ever given a meaning.
//
// # Concurrency
//
// Codecs are values without state and may be shared. A Reader and a Watch belong to one goroutine at a time.
package frame
