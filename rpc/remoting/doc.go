// Package remoting reads and writes the message inside a Standard frame: NewLife.Remoting's envelope.
//
//	request, one-way, response   uvarint length, action   [int32 LE length, data]
//	error response               uvarint length, action   int32 LE code   [int32 LE length, data]
//
// # Absent and empty
//
// A value that is absent (null, void, no arguments) leaves out the data and its length; NewLife reads empty data as null, too.
// Message.Data is nil for absent and not nil for empty.
//
// # Extension tail
//
// NewLife ignores bytes behind the data, and reads a length of -1 as none. Between peers of this package a [Tail] stands there:
//
//	F5 58   uvarint n   n bytes of (uvarint key, uvarint length, value)
//
// with the time left, the encoding of the body, trace, metadata, stream credit, error details, the layouts of argument and
// result, a refusal of the library itself, and the mark of the last frame. A tail that does not end the
// payload exactly, or is malformed anywhere, is ignored as a whole; unknown keys are skipped.
//
// # Control messages
//
// Actions that begin with $ are reserved: $cancel, $credit and $alive go in response mode, which NewLife ignores; $goaway
// is one-way; $ping is a request that anything answers, $layout one that asks whether a span body would be read.
//
// # Errors and safety
//
// What cannot be read is a [*SyntaxError] with the offset in the payload and the reason. [Parse] then still returns the action
// if that could be read, for the answer with code 400. Parse does not allocate; its slices alias the payload. Functions are
// safe for concurrent use.
package remoting
