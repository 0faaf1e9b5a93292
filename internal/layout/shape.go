package layout

// Ref identifies a type within one feed. It is comparable, and two refs of a
// feed are equal exactly when the types are identical.
type Ref any

// Feed describes types. Shape is shallow: the refs in its answer are described
// by further calls, so recursive types need no special care.
// A Feed is used by one goroutine at a time.
type Feed interface {
	Shape(Ref) Shape
}

// Kind is the kind of a type's underlying type.
type Kind uint8

// The kinds of Go types, and Unresolved for a type whose declaration could not
// be read (go/types only).
const (
	Unresolved Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	String
	Array
	Slice
	Map
	Pointer
	StructKind
	Interface
	Chan
	Func
	UnsafePointer
	TypeParam
)

// Builtin names the types that have a wire form of their own.
type Builtin uint8

// The built-in scalars. Time also covers every type whose underlying type is
// that of time.Time.
const (
	NotBuiltin Builtin = iota
	Time
	GUID
	Decimal
	Char
)

// Shape is what both feeds know about one type, without its components.
type Shape struct {
	Kind Kind
	// Name is the type as Go source would print it with full package paths,
	// such as "example.com/geo.Point" or "[]string": for messages and hashes.
	Name string
	// Pkg is the package path of a named (defined) type, "" for all others.
	Pkg string
	// Named reports a defined type. Predeclared types such as int32 are not.
	Named   bool
	Builtin Builtin

	Elem   Ref // Array, Slice, Map (value), Pointer
	Key    Ref // Map
	Len    int // Array: elements; Interface: methods
	Fields []FieldShape

	Methods Methods
}

// FieldShape is one field of a struct, blank and unexported ones included.
type FieldShape struct {
	Name     string
	Pkg      string // package path of the declaring package for unexported and blank names, else ""
	Type     Ref
	Tag      string // the whole tag text
	Exported bool
	Embedded bool
}

// Methods records which wire-relevant methods are in the method set of *T.
// Promotion can't be seen here (reflect does not show it): see the rules on
// embedded types with methods in [Compile].
type Methods struct {
	// Span: WriteSpan(*span.Writer) and ReadSpan(*span.Reader), both.
	Span bool
	// Generated: the marker method names this very type, so the Span pair was
	// generated for it (not promoted) and writes just what the plan says of the
	// type without the pair.
	Generated bool
	// Promoted: the marker method names another type, so the Span pair was
	// promoted from an embedded generated type and does not count.
	Promoted bool
	// Binary: AppendBinary or MarshalBinary, and UnmarshalBinary.
	Binary bool
	// Text: AppendText or MarshalText, and UnmarshalText.
	Text bool
	// JSON: MarshalJSON and UnmarshalJSON.
	JSON bool
	// Accessor and MemberAccessor: the interfaces of package binary by these
	// names. A feed for package span need not set them.
	Accessor, MemberAccessor bool
	// AnySpan, AnyBinary, AnyText and AnyJSON: at least one method of the
	// group, in case it is promoted into a type that has the others. They are
	// also set for interfaces, whose methods an embedding struct gets.
	AnySpan, AnyBinary, AnyText, AnyJSON bool
}
