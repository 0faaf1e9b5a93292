// Package binary reads and writes the bytes of NewLife.Core's stream serializer
// Binary, and any device protocol that a Go struct can describe.
//
// A value is written member after member, without names: what a member looks
// like follows from its Go type, its tag under the key binary, and the [Options].
// The zero Options are NewLife's defaults: numbers big-endian, lengths as
// uvarints, times as seconds.
//
//	type Header struct {
//		Magic  uint16 `binary:"const=0x7e7e"`
//		Kind   uint8
//		Length uint16
//	}
//	type Frame struct {
//		Header
//		Body  []byte `binary:"count=Length"`
//		Check uint16 `binary:"sum=crc16-modbus,from=Kind,le"`
//	}
//	b, err := binary.Marshal(&Frame{Header: Header{Kind: 1}, Body: body})
//
// # Types
//
//	Go                              bytes                                   .NET
//	bool                            1 byte                                  Boolean
//	int8 uint8                      1 byte                                  SByte Byte
//	int16..int64, uint16..uint64    2, 4, 8 bytes or uvarint (EncodeInt)    Int16..UInt64
//	int, uint                       as int64 and uint64                     Int64 UInt64
//	float32 float64                 4, 8 bytes                              Single Double
//	span.Char                       1 byte, U+0000..U+00FF                  Char
//	string                          size, then bytes in Options.Encoding    String
//	[]byte and its like             size, then bytes                        Byte[], IPacket
//	[N]T                            N elements, no count                    -
//	[]T                             count, then elements                    IList
//	map[K]V                         count, then keys and values             IDictionary
//	struct                          its members                             class or struct
//	*T, T a struct with members     its members, nothing when nil           class
//	*T, any other T                 1 byte (0 nil, 1 present), then T       Nullable<T>
//	*T with the tag null            T, the empty one for nil                String, IPAddress
//	time.Time                       uint32 seconds, or int64 (FullTime)     DateTime
//	time.Duration                   int64, units of 100 ns                  TimeSpan
//	span.GUID                       16 bytes                                Guid
//	span.Decimal                    4 integers of 32 bits                   Decimal
//	netip.Addr                      size, then 4 or 16 bytes                IPAddress
//	netip.AddrPort                  address, then uint16                    IPEndPoint
//	Chars, Date, TimeOfDay, DateTimeOffset                                  see there
//	[]any                           each by its own type; write-only        IList of Object
//	Accessor                        what its methods write                  IAccessor
//	span.Serializable               what its methods write                  ISpanSerializable
//
// Exported fields count, in the order of their declaration; a struct that is
// embedded by value is the base class, whose members stand at its place. Methods
// that spangen has generated for package span do not count here: such types are
// laid out by their fields.
//
// # Tags
//
// The tag is a plain comma list under the key binary. The options of NewLife's
// FieldSize attribute work only with Options.UseFieldSize, as there; several of
// them are separated by semicolons and the first whose version fits counts:
//
//	size=6          exactly 6 bytes (string, []byte: padded with zeros), elements or entries
//	ref=Head.Len    the length is in an earlier member, set before writing
//	offset=-2       with ref: length = member + offset
//	width=2         the width of this member's length: 0 (uvarint), 1, 2 or 4
//	version=2019    only for this Options.Version
//
// All others always work:
//
//	fixed=8         FixedString: 8 bytes, padded with zeros; when read, text loses
//	                code units of 00 or FF alone at both ends, bytes the zeros
//	                at the end
//	rest            FullString: what is left of the input, no length; what stands
//	                behind, here and in the structs around, must have a fixed size
//	count=Len       as ref, independent of UseFieldSize; offset applies; a length
//	                in a member with const must be that
//	until=0         ends with this byte or number, which is not part of the value
//	bcd=6           6 bytes of two decimal digits each: a string of exactly 12
//	                digits, or an unsigned integer
//	be, le          byte order of the numbers in this member, never as uvarints
//	bits=3          3 bits of a run of such members, from the highest bit of the
//	                first byte on; with lsb from the lowest
//	null            a pointer has no flag: nil is what NewLife writes for null, in
//	                a member what the empty value is; also in a list or map
//	pad=2           2 zero bytes behind the member
//	align=4         zero bytes before the member, to a multiple of 4 in the message
//	const=0x7e      this value, checked when read (also text, or 0x and hex digits)
//	if=Flags.3      present only if a bool, or bit 3 of a number, is set; ! negates
//	sum=crc32       crc32, crc16-modbus, xor or sum8 of the bytes from the start of
//	                its struct, or from=Member, to here
//	ignore          no part of the layout
//
// A blank field may carry const, bits (reserved: written as 0), pad or align.
// Where a tag or a type makes no sense, every use of the type fails with all
// reasons. The command spangen -check tells them before a program runs, with
// their places in the source.
//
// A struct that embeds one with methods of [Accessor] or [span.Serializable] has
// them too, and may not mean that. It must say so: a field _ struct{} tagged
// `binary:"fields"` lays it out by its fields, `binary:"methods"` by the methods.
//
// Keys of a map that have the same bytes, which would read back as one, are
// ErrDuplicateKey; an object that writes nothing at the end of a message, which
// would read back as nil, is ErrNil; neither under Options.Compat.
//
// # Differences from NewLife
//
// Where NewLife cuts, wraps or shifts silently this package returns an error that
// names the member and the reason, and where it writes what nobody can read the
// bytes are those that NewLife can read. Options.Compat gives NewLife's own bytes.
// Bytes below zero (SByte), which NewLife can't write, are written.
//
// Input that ends exactly where a member would begin leaves the remaining members
// at their zero values, as in NewLife, except in lists and maps, before a member
// with const or sum, or a struct that has one, or behind one with rest, and where
// a member that is missing was promised: a length in another member (lenient under
// Compat) is not 0, or its if holds. A length with nothing behind it is an error,
// too, and so is empty input, save for a type that takes no byte. Input that ends
// inside a member is an error, wrapping io.ErrUnexpectedEOF; what was read until
// then stays in the destination.
//
// # Concurrency
//
// All functions may be called by many goroutines at a time, on different values.
// Marshalling a value whose type has ref or count tags sets those members: in
// the value itself when a pointer is given, so that it must not be in use
// elsewhere, and otherwise in a copy (what the value points to is not copied).
// Encoders and Decoders are for one goroutine at a time. Plans are compiled once
// per type and set of options; nothing else is shared.
//
// # Security
//
// Lengths are compared with what is left of the input before anything is
// allocated, memory for a stream is at most 16 KiB or twice what it has delivered,
// nesting ends at Options.MaxDepth and messages at Options.MaxSize. Elements that
// take no byte are at most 65,536 in a message, or 64 KiB in memory.
package binary
