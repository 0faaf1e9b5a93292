package layout

// Membership is whether a field of a struct has a value on the wire.
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

// MembershipOf applies the rule of fields, which all dialects have in common.
func MembershipOf(shape func(Ref) *Shape, f *FieldShape) Membership {
	switch {
	case f.Name == "_":
		return Outside
	case f.Exported:
		return Member
	case !f.Embedded:
		return Outside
	}
	switch sh := shape(f.Type); {
	case sh.Kind == StructKind:
		return Member
	case sh.Kind == Pointer && shape(sh.Elem).Kind == StructKind:
		return Unsettable
	}
	return Outside
}
