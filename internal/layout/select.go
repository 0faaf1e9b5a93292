package layout

import (
	"fmt"
	"strconv"
	"strings"
)

// What other formats share with this one: which fields of a struct count, and
// how a struct tag is read under a key of their own.

// Membership says whether a field of a struct has a value on the wire.
type Membership uint8

const (
	// Outside is unexported or blank.
	Outside Membership = iota
	// Member is exported, or an embedded value of an unexported struct type,
	// whose exported fields count.
	Member
	// Unsettable is an embedded pointer to an unexported struct type, which can't
	// be set when reading.
	Unsettable
)

// MembershipOf applies the rule of fields: kind is that of the field's type,
// elem that of what it points to if it is a pointer.
func MembershipOf(f FieldShape, kind, elem Kind) Membership {
	switch {
	case f.Name == "_":
		return Outside
	case f.Exported:
		return Member
	case f.Embedded && kind == StructKind:
		return Member
	case f.Embedded && kind == Pointer && elem == StructKind:
		return Unsettable
	}
	return Outside
}

// TagText gives what a struct tag says under key, "" where it says nothing. The
// tag is read as strictly as this package reads its own: where it is malformed
// and speaks of key, or has the key twice, that is an error.
func TagText(tag, key string) (string, error) {
	s := scanTag(tag, key)
	switch {
	case s.bad && strings.Contains(tag, key+":"):
		return "", fmt.Errorf("malformed struct tag %s; write key:\"value\" pairs separated by spaces", strconv.Quote(tag))
	case s.bad:
		return "", nil
	case s.count > 1:
		return "", fmt.Errorf("the struct tag has the key %s more than once; put all options into one value", key)
	}
	return s.text, nil
}
