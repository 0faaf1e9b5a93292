// Package value turns Go values into the bytes of a Remoting message and back: text, JSON in NewLife's dialect, raw bytes and
// span bodies, and binds the arguments of an action to its parameters.
//
// # Writing
//
// At the top of a message ([Dialect.Append]) stand
//
//	nil, nil pointer, slice or map      nothing: the data is absent
//	integer, float, bool                text: 42, 1E+300, 1.5E-07, True
//	named integer with names            its name (a String method, or Dialect.Enums)
//	string, error, json.Number          text as it is
//	time.Time                           text: 2006-01-02 15:04:05
//	[]byte, Packet, RawAppender         those bytes
//	everything else                     JSON
//
// JSON is compact, names stand as declared (a json tag renames or, with "-", skips a field; fields of embedded structs are the
// outer struct's). Members that are nil, 0, false, "" or the zero time are left out unless Keep; a named integer with names
// stays, as its number, and so do durations, empty slices and the elements of slices. Maps are sorted by key. Times are
// 2006-01-02T15:04:05, with Z unless their location is [Unspecified]; a fraction is dropped. Bytes are base64, durations
// [-][d.]hh:mm:ss[.fffffff], types with MarshalText strings, types with MarshalJSON what they say. Strings escape " \ and
// control characters only. Values with neither form (channels, NaN inside JSON) are an error.
//
// # Reading
//
// Text that begins with { or [ is JSON, anything else a scalar. The JSON reader accepts more than is written: names without
// quotes, comments, text behind the value, names in any case, the last of equal names; nulls in lists of scalars are dropped.
// Scalars convert: a number from a string, a bool from 1 or yes, a time from the forms that NewLife reads. What does not convert
// is an [*Error] with the path of names and what has come, which a server answers with code 400; under Compat it becomes 0 or false, as with
// NewLife.
//
// # Lossless JSON
//
// [Dialect.AppendLossless], [Dialect.ReadLossless] and [Dialect.BindLossless] are another JSON, for peers of package rpc: one value, scalars
// too, from which the reader gets exactly what the writer had, or an error.
//
//   - Every member is written, zero or nil; nil pointers, slices, maps and interfaces are null.
//   - Times are RFC 3339 with nanoseconds and offset, durations and all named integers plain integers, bytes base64, complex numbers
//     arrays of two. Maps whose keys are neither strings nor integers are arrays of pairs.
//   - Structs with methods for text, else for bytes, are what these give; those with hidden state and neither what MarshalJSON gives.
//     Other types are written by their kind, whatever methods they have, as in package span. Methods that may be an embedded field's
//     are an error, until a type option, marshal or fields, says what is meant.
//   - Members have the names of json tags, else of the fields. A reader takes one that differs in the case of ASCII letters when there is
//     no exact one. The tag span:"-" leaves a field out; json:"-" does not.
//   - Strings that are not UTF-8, NaN and infinities, years outside 0 to 9999, interfaces with methods, and types of nothing but hidden
//     state are errors when writing.
//   - Nothing is guessed from text: a string is never a number or a bool, nor the other way round. Numbers that the reader's type does
//     not hold exactly, names that come twice, and null where there is no nil are errors. Into an interface come map[string]any,
//     []any, string, bool, int64 or uint64, float64, and json.Number for a number that none of these holds.
//
// # What NewLife would change
//
// [Dialect.AppendArgument] refuses values that NewLife's dialect would change, with [ErrLossy]; [Dialect.AppendCut] tells of them.
//
// # Span bodies
//
// A body in the span format is announced by the extension tail (package remoting), not by this package. [Dialect.AppendBody]
// and [Dialect.ReadBody] choose between it and the rest; Dialect.ReadSpan is where a reader plugs in.
//
// Everything here is safe for concurrent use as long as the values are.
package value
