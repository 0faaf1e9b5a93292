// Package span writes Go values as compact bytes and reads them back.
//
// The format is positional: the fields of a struct one after the other in the
// order of their declaration, with no names, numbers or padding between. It is
// the format of NewLife.Core's SpanSerializer, SpanWriter and SpanReader (.NET),
// so that structs marked for NewLife's profile are exchanged with .NET programs
// byte for byte, and it goes on to what Go has and that format has not: lists,
// maps, exact times, optional fields, object graphs.
//
//	b, err := span.Marshal(&order)
//	err = span.Unmarshal(b, &order)
//
// Any struct works as it is, by reflection. The command spangen generates
// methods for the types it is pointed at, which make the same bytes as fast as
// code written by hand; nothing else changes.
//
// # Vocabulary
//
//	message     the bytes of one value that was passed to Marshal
//	root        the type of that value
//	field       a field of a struct that is on the wire
//	profile     the set of defaults that a struct's fields have: Go's or NewLife's
//	tag         the options of one field, in its struct tag under the key span
//	type option an option of a whole struct, in the tag of a blank field
//	uvarint     an unsigned number in groups of 7 bits, lowest first, each in a
//	            byte whose high bit says that more follow
//	padded      a uvarint with more bytes than its number needs
//	prefix      the length or count in front of strings, lists and maps
//	switch      one of the options BigEndian, EncodeInt and FullTime
//	plan        the layout of a type as compiled once, and kept
//	cursor      a Writer or a Reader
//
// # Format
//
// Numbers are little-endian. The bytes of a value follow from its type:
//
//	bool                1 byte, 0 or 1
//	int8 uint8          1 byte
//	int16 ... uint64    2, 4 or 8 bytes
//	int uint            8 bytes on every platform; reading one that the platform
//	                    does not hold is an error
//	float32 float64     IEEE 754; every bit is kept, those of a NaN too
//	complex64 and 128   real part, imaginary part
//	string              uvarint number of bytes, the bytes
//	[]byte              the same
//	[N]T                N elements, no count
//	[]T                 uvarint count, the elements
//	map[K]V             uvarint count, then key and value of each entry
//	struct              its fields
//	*T                  1 byte, 0 for nil and 1 before a value
//	time.Time           int64 Unix seconds, uint32 nanoseconds of that second;
//	                    reads as UTC; the zero time stays the zero time
//	time.Duration       int64 nanoseconds
//	GUID                16 bytes in .NET's order
//	Decimal             four uint32: the 96 bits of the integer, lowest first, then
//	                    scale (0 to 28) in bits 16..23 and sign in bit 31
//	Char                1 byte, U+0000 to U+00FF
//	other named types   as their kind: net.IP as bytes, an enum as its integer;
//	                    types convertible to time.Time as a time
//
// A type with methods WriteSpan and ReadSpan ([Serializable]) is what these write,
// wherever it stands. A struct with marshaler methods of the standard library is
// what they give, behind its length: those of encoding.BinaryMarshaler and its
// kin (url.URL, netip.Addr), else those of encoding.TextMarshaler (big.Int).
// AppendBinary and AppendText are used where they exist. Other kinds use such
// methods only under the tag marshal. A big.Float is what its GobEncode gives,
// since its text leaves out the precision; a regexp.Regexp that prefers the
// longest match is refused, since its text does not say so, and so is a url.URL
// that its text reads back as another one, such as one with the path //a.
//
// A struct whose single field is embedded and has marshaler methods is that field,
// in its place: struct{ time.Time } takes the 12 bytes of a time. Its own and
// promoted marshaler methods are not asked.
//
// A struct of another package than the one that holds it with state, and with
// neither binary nor text methods, but MarshalJSON and UnmarshalJSON, is what
// these give, behind its length; spangen notes it. State is what is in unexported
// fields, save for those that take no memory, those of types from sync and
// sync/atomic, and those with the tag "-". Without such methods state would be
// lost, so the struct is refused; where the root is of another package, so is one
// that a struct of its own package holds. The tag or type option fields gives the
// state up, and so do generated methods. A dependency that begins or ceases to hide
// something changes the bytes, and the fingerprint.
//
// Channels, functions, interfaces, uintptr, unsafe.Pointer, and map keys that
// are or hold pointers or interfaces, or fields that are not on the wire, have no
// bytes. A type that has one of them
// in a field is refused with the paths of all such fields, which the tag "-" leaves
// out.
//
// Pointers at the root are followed, without a byte; a nil root is an error.
//
// # Fields
//
// Exported fields are on the wire, in the order of their declaration; unexported
// and blank ones are not. An embedded field is a field like any other, written
// whole at its place even where Go's rules hide some of its names; one of an
// unexported struct type counts as well, while an embedded pointer to such a
// type is an error, since it could not be set. A struct whose fields are all
// unexported takes no bytes, but if they belong to another package than the
// struct that holds it, it is refused: what is private there would be lost.
//
// Promoted methods do not count. Those that spangen generates can be told apart:
// a struct that embeds a generated type is written field by field. Where a struct
// has hand-written or marshaler methods and embeds a type with such methods
// beside other fields nobody can tell whose they are: it is refused until a type option, marshal or
// fields, says what is meant.
//
// # Tags
//
// A field's tag under the key span is a list of options separated by commas:
//
//	varint     an integer of 16, 32 or 64 bits as the uvarint of its bits: -1 as an
//	           int16 takes 3 bytes, as an int64 10
//	zigzag     a signed integer as a uvarint that is small near zero
//	be         this number big-endian
//	len=N      the prefix as 1, 2 or 4 bytes, little-endian, instead of a uvarint
//	fixed=N    a string or []byte in exactly N bytes, zeros behind it, which
//	           reading cuts; one that is longer or ends in a zero is an error
//	unix       a time as uint32 Unix seconds, 0 for the zero time
//	unixmilli  a time as int64 Unix milliseconds, the least int64 for the zero time;
//	           fractions are cut, here and in the forms below
//	unixnano   a time as int64 Unix nanoseconds, the least int64 for the zero time
//	ticks      a time as .NET's DateTime.ToBinary; see wire.TimeTicks
//	optional   the field may be missing at the end of the input; all fields after
//	           it are optional as well
//	sized      a struct behind its length in bytes: readers skip what they do not
//	           know, and any field may be the last
//	nilable    a slice or map behind a byte, 0 for nil and 1 for the rest
//	max=N      at most N bytes or elements, writing and reading
//	shared     pointers keep their identity; see below
//	utf8       a string that is not valid UTF-8 is an error
//	marshal    use binary or text methods though the kind has bytes of its own;
//	           marshal=json and marshal=text ask for those for JSON or text
//	fields     use the fields of a struct though it has marshaler methods or hides
//	           something
//	omit=A.B|C leave out fields of the struct below, C and B in A; see below
//	"-"        alone, without the quotes: the field is not on the wire
//
// The options len, max, nilable and fixed are about the outermost length that the
// field has, behind its pointers. All others look through pointers, arrays,
// slices and the values of maps for the values they change; finding none is an
// error. These exclude each other: varint, zigzag and be; the time options;
// fixed and len, max or nilable; sized and shared; marshal and fields or omit. On
// the wire a pointer's byte comes first, then nilable's, the length of sized, the
// prefix.
//
// Under omit, paths name fields of a struct that others declared, as its own tags
// would with "-"; they go through pointers, lists and the values of maps. What is
// left out stays as it is when reading. Since types lead back to themselves, a
// field that could not be carried is left out of its type wherever that stands
// below. A name without a field is an error.
//
// Times under the options are cut to their unit toward minus infinity. A time
// that does not fit, or that would get the number of the zero time, is an error.
//
// Options of a whole type stand in the tag of a blank field:
//
//	type Order struct {
//		_ struct{} `span:"newlife,sized"`
//		...
//	}
//
//	newlife    the fields have NewLife's profile
//	sized      as the tag, for every use of the type and at the root
//	marshal    use the methods that the type has, promoted or not; =json, =text
//	fields     use the fields though the type has marshaler or promoted methods
//	min=0      values of this type, which writes itself, may take no byte
//
// The blank field takes no memory where it stands first; at the end of a struct
// it would. Comparison with ==, package encoding/json and copies pass it by.
// Composite literals need field names, since one without would have to give it a
// value, and that only within the package; the verbs %v and %+v print it as {}
// and _:{}, which a String method or a Format method avoids. What sized, marshal
// and fields ask for can be said by the tag of the field that holds the type
// instead.
//
// Options nobody knows, given twice, without sense for the type or in
// contradiction are errors.
//
// Under shared, pointers to structs of which several point to the same object
// read back as such, cycles included. A pointer is a uvarint: 0 for nil, the
// next number not yet given for a new object, which follows, or the number of an
// object already begun. The root is number 1, without a byte, if it can be
// reached from itself. Each sized struct numbers anew, and has no number itself:
// an object that is reached from inside as well as from outside, or that is the
// struct, reads back as one of its own inside.
//
// # Maps, nil, reuse
//
// A map's entries come in no certain order unless Options.Deterministic asks for
// that of the keys: numbers and strings by value, false before true, NaN first,
// arrays and structs part by part, sized ones as others, all else by the bytes it
// has. When a key comes
// twice the last value stays; Options.Strict refuses it. Keys that differ in Go but
// have the same bytes, such as one instant in two time zones, read back as one:
// under Deterministic, which sees them side by side, writing them is an error.
//
// Nil and empty slices and maps have the same bytes. They read as nil into a
// fresh value; one that is used again keeps its storage, cut to length 0. The
// option nilable keeps the difference. The elements that a slice has are read into
// again, with the slices and pointees that they have; what lies between its length
// and its capacity may be somebody else's, and is made new. What it held beyond
// its new length is let go. Reading overwrites the value whole: it
// does not matter what was in it, except that its memory is used again (unless
// Options.Fresh is set), so no two parts of a destination may share memory.
//
// # NewLife's profile
//
// A struct with the type option newlife has the members of a .NET class. Its
// profile is about the fields that it declares itself: a struct in one of them
// has its own, an anonymous one that of the struct around. It differs in this:
//
//   - A time is 4 bytes, uint32 Unix seconds; 0 is the zero time and, in .NET as
//     here, also the first second of 1970. Times before 1970 and after
//     2106-02-07T06:28:14Z are errors.
//   - A pointer to a struct has no byte in front: the fields stand inline, and nil
//     writes nothing at all. That can be read only where nothing follows in the
//     whole message, so anywhere else nil is an error. Pointers to other types are
//     Nullable<T>, with their byte.
//   - Input that ends between two fields leaves the others zero, as long as the
//     struct is not inside a slice, array or map.
//   - Bytes other than 0 and 1 are true, or present, and padded uvarints are
//     accepted. Options.Strict refuses all that, and the missing fields too.
//
// .NET types and what they are in Go:
//
//	Boolean Byte SByte       bool uint8 int8
//	Int16 ... UInt64         int16 ... uint64 (an Int32 is no int)
//	Single Double            float32 float64
//	String Byte[]            string []byte; null is empty
//	DateTime Guid Decimal    time.Time GUID Decimal
//	Char                     Char, which has only the first 256
//	an enum                  a named integer of its size
//	Nullable<T>              *T
//	a class, a struct        a *struct, a struct, both marked newlife
//	a base class             an embedded struct, as the first field
//	ISpanSerializable        a type with WriteSpan and ReadSpan
//
// SpanSerializer has no lists or dictionaries. Slices and maps under this profile
// have the form that Binary gives lists.
//
// The switches are those of SpanWriter. They change the fields of this profile
// that have no option for their encoding, and the methods of Writer and Reader:
// BigEndian turns integers and floats round, EncodeInt makes uvarints of the
// integers of 16 bits and more (those in a Decimal and of times too; never
// floats), FullTime writes times as DateTime.ToBinary. Both sides must set the
// same.
//
// Write<T> and Read<T>, which put a byte for null before an object, are
// [AppendMarked] and [ConsumeMarked].
//
// Where NewLife's own behavior loses data this package differs by default.
// Options.Compat gives NewLife's bytes instead:
//
//	NewLife                             here                    under Compat
//	a time out of range saturates       error, reading the      the same bytes, and
//	                                    last number as well     reads them
//	a DateTime of local kind is         its instant, in UTC     the clock reading of
//	written as its clock shows                                  a time in time.Local
//	null in the middle writes nothing   error                   nothing is written
//	a length above its width wraps      error                   wraps
//	Guid? can't be written              flag byte, 16 bytes     as here
//	a Char above U+00FF can't           error                   as here
//	a byte[] length below 0 is null     error                   as here
//	bits beyond an integer's are cut    error                   as here
//	strings are decoded as UTF-8        bytes are kept          as here
//	Write(String, n) cuts what is       cuts                    cuts
//	longer, within a character too
//
// # Fingerprints
//
// Bytes without names or types can't tell that another program lays a type out
// in another way. [Fingerprint] gives a number for the whole layout - kinds,
// tags, profiles and the names of fields, of the type and all it reaches - that
// two programs can compare, or that stands in front of stored messages.
//
// # Limits
//
// Lengths and counts are at most 2^31-1. None may exceed what the rest of the
// input can hold, a count times the least size of an element. A type that writes
// itself counts 1 byte unless its option min=0 says that it may take none.
//
// Elements that may take no byte but have memory would cost what no input pays
// for: a list of them is refused unless its max is 1,024 or less. Those without
// memory are merely counted, or at most 65,536 in a message where they write
// themselves. A map whose keys have no bytes has one entry at most.
//
// Where types contain themselves, each element of their lists and maps claims the
// bytes that it takes at least, and all claims of a message together may not
// exceed what it has. In a stream a claim may run ahead of the bytes that have
// come by then. All open lists together then take at most 64 KiB ahead of them,
// and one element each.
//
// Types that contain themselves may nest 1,000 deep, writing and reading, or as
// Options.MaxDepth says: a cycle of pointers is an error, not a crash. As many
// methods written by hand may call each other by way of this package. What such a
// method begins anew, by AppendSpan or with a Reader or Writer of its own handed to
// generated methods, is not counted: use the cursor that it is given. A message
// from an io.Reader has at most 256 MiB, or Options.MaxBytes.
//
// # Errors
//
// Every error is an [*Error]: operation, type, path of the field, offset of the
// byte, and a reason for errors.Is. The reasons are the Err variables of this
// package, io.ErrUnexpectedEOF where the input ends within a value, and whatever
// a type's own method or an io.Reader or io.Writer returned. A length or count that
// the input does not hold is io.ErrUnexpectedEOF; in a stream that goes on for 64
// KiB it is ErrLimit if MaxBytes does not allow it, and where a shorter stream
// ends before so many bytes it is both. A path of more than some 32 steps has "…"
// in its middle. A destination that is
// no pointer, or nil, is a mistake of the caller with no reason to test for. After
// an error in reading the destination holds parts of both values.
//
// # Strings
//
// Options.Strings says how strings come into memory. CopyStrings, the default,
// makes each for itself. SharedStrings makes one copy of the message for all, so
// that one of them keeps it all alive. AliasStrings copies nothing: the strings
// are the input, which must then never change as long as one is in use. Byte
// slices are always copied, and keys of maps never alias the input. Streams
// always copy.
//
// # Writing methods by hand
//
// A type that wants other bytes than its fields has implements [Serializable]
// with the methods of [Writer] and [Reader]: see the example of Serializable.
// They keep the first error, so there is none to check between the calls. The
// functions AppendX, ConsumeX and SizeX of package wire are the same forms without
// a cursor.
// A type with only one of the two methods is refused. Methods of these names with
// another signature, such as one that returns an error, are never called: the
// fields are written, and spangen generates no methods for the type.
//
// # For generated code
//
// The code that spangen generates is made of the functions of package spanrt, the
// cursors that [Reader.Fast] and [Writer.Fast] return, and [Plan]. They trust
// their caller to have compared lengths before; programs have no use for them.
//
// # Security
//
// Input may come from anywhere. Reading neither panics nor runs away on any
// bytes: every length is compared, as an unsigned number, with what is there
// before memory is taken for it; memory grows with the bytes that have come, at
// most 64 KiB ahead of the elements that were read; what open lists of a recursive
// type have claimed none below them can claim again; depth is limited, save what
// methods written by hand begin anew, see Limits; numbers that do not fit, bytes
// that no writer makes and bytes behind the message are errors. How much more
// memory than input a message may take follows from the type: a []struct whose
// elements may be one byte on the wire takes their size in memory for each byte.
// Set max where that matters. The input is only read, but unmarshaler methods are
// given the part of it that is theirs, not a copy: they must not change it.
// Strings may hold any bytes unless tagged utf8.
// NewLife's profile tolerates more than Go's, so that several messages may mean
// one value: set Options.Strict where bytes are compared or signed, and
// Options.Deterministic where they are made.
//
// The build tag purego leaves package unsafe out of this package; strings are
// copies then, whatever the mode.
//
// # Concurrency
//
// The functions of this package may be called from any number of goroutines. A
// Writer, Reader, Encoder or Decoder belongs to one at a time. A value must not
// change while it is written, nor be used while it is read into.
package span
