package binary

// Accessor is NewLife's IAccessor: a value that writes and reads itself. Its
// bytes are whatever the methods write; a nil pointer to it writes nothing. The
// receivers are pointers. Options other than those the methods of the cursors
// apply have no effect inside.
//
// A method answers errors as it likes; those of the cursor need no handling.
type Accessor interface {
	WriteBinary(*Encoder) error
	ReadBinary(*Decoder) error
}

// MemberAccessor is NewLife's IMemberAccessor: a struct that writes and reads
// some of its members itself. It is asked for every member, by name and before
// its tag counts, and answers errors.ErrUnsupported for those that are written
// as usual. The receivers are pointers.
type MemberAccessor interface {
	WriteMember(e *Encoder, name string) error
	ReadMember(d *Decoder, name string) error
}
