package layout

import "strings"

// form is how a type is laid out.
type form uint8

const (
	formKind   form = iota // as its kind asks; structs see formFields
	formFields             // a struct by its fields
	formTime
	formGUID
	formDecimal
	formChar
	formSelf // by its own WriteSpan and ReadSpan
	formBinary
	formText
	formJSON
	formGob
)

// form decides between a type's methods and its kind. asked is what the tag of
// the field says; it goes before the type's own option. home is the package
// of the struct that holds the value, "" for a root.
//
// A generated pair counts as absent, since it writes what the plan says, and
// so does one promoted from an embedded generated type. Where methods may be
// promoted from an embedded type and nothing says what is meant, it is a fault.
func (c *Compiler) form(ref Ref, asked ask, home string) (form, *Fault) {
	sh := c.shape(ref)
	if b := builtinForm(sh.Builtin); b != formKind && b != formTime {
		if f := sh.asked(asked); f != formKind {
			return f, nil
		}
		return b, nil
	}
	if isC(sh) {
		return formKind, &Fault{
			CodeUnsupported, "the C type " + sh.Name + " is not the same on all platforms",
			"copy the value into a Go type, or skip the field with `span:\"-\"`",
		}
	}
	if sh.Kind == Interface {
		return formKind, nil
	}
	by, own := asked, false
	if sh.Kind == StructKind {
		in := c.info(ref)
		own = in.ask.marshals()
		if by == askNothing {
			by = in.ask
		}
	}
	if sh.Methods.AnySpan && !sh.Methods.Span && by != askFields {
		return formKind, &Fault{
			CodeMethods, sh.Name + " has one of the methods WriteSpan and ReadSpan but not the other",
			"add the other one, or choose the fields: _ struct{} `span:\"fields\"`",
		}
	}
	if m := sh.Methods; m.Span && !m.Generated && (!m.Promoted || own) {
		promoted := c.embeds(sh, func(m Methods) bool { return m.AnySpan })
		switch {
		case by == askNothing && promoted:
			return formKind, ambiguous(sh, "WriteSpan and ReadSpan")
		case by != askFields:
			return formSelf, nil
		case !promoted:
			return formKind, &Fault{
				CodeTagConflict, sh.Name + " has its own WriteSpan and ReadSpan, which always take precedence over its fields",
				"remove the option fields, or the methods",
			}
		}
	}
	return c.marshaler(ref, by, home)
}

// isC reports whether sh is a type that cgo made of a C type.
func isC(sh *Shape) bool {
	return sh.Named && strings.HasPrefix(sh.Name[strings.LastIndexByte(sh.Name, '.')+1:], "_Ctype_")
}

// marshaler decides between marshaler methods and kind for a type without a
// WriteSpan and ReadSpan pair that counts.
func (c *Compiler) marshaler(ref Ref, by ask, home string) (form, *Fault) {
	sh := c.shape(ref)
	if by.marshals() {
		if f := sh.asked(by); f != formKind {
			return f, nil
		}
		if c.through(ref, by) == nil && !refused(sh.Kind) && sh.Kind != TypeParam {
			return formKind, missing(sh, by)
		}
	}
	switch {
	case by == askNothing && sh.Kind == StructKind && sh.Builtin == NotBuiltin && !c.wrapper(ref):
		return c.unasked(ref, home)
	case sh.Builtin == Time:
		return formTime, nil
	case sh.Kind == StructKind:
		return formFields, nil
	}
	return formKind, nil
}

// asked returns the form of the methods that a tag asks for, formKind where the
// type does not have them.
func (sh *Shape) asked(by ask) form {
	m := sh.Methods
	switch {
	case by == askMarshal && m.Binary:
		return formBinary
	case by == askMarshal && sh.needsGob():
		return formGob
	case (by == askMarshal || by == askText) && m.Text:
		return formText
	case by == askJSON && m.JSON:
		return formJSON
	}
	return formKind
}

// unasked decides between the methods of a struct and its fields. JSON methods
// are the last resort: for what another package hides.
func (c *Compiler) unasked(ref Ref, home string) (form, *Fault) {
	sh := c.shape(ref)
	f, what, such := formFields, "", func(Methods) bool { return false }
	switch m := sh.Methods; {
	case m.Binary:
		f, what, such = formBinary, "binary marshaler methods", func(m Methods) bool { return m.AnyBinary }
	case sh.needsGob():
		f = formGob
	case m.Text:
		f, what, such = formText, "text marshaler methods", func(m Methods) bool { return m.AnyText }
	case m.JSON && c.foreignState(ref, home):
		f, what, such = formJSON, "JSON methods", func(m Methods) bool { return m.AnyJSON }
	}
	if c.embeds(sh, such) {
		return formKind, ambiguous(sh, what)
	}
	return f, nil
}

// needsGob reports whether sh is a type whose text loses what its GobEncode
// keeps: the text of a big.Float leaves out precision, rounding mode and
// accuracy.
func (sh *Shape) needsGob() bool { return sh.Name == "math/big.Float" }

// lossyText reports whether sh is a type whose text may read back as another
// value: that of a regexp.Regexp that prefers the longest match, which can't be
// written, and that of a big.Float where the value read into has a precision of
// its own.
func (sh *Shape) lossyText() bool { return sh.Name == "regexp.Regexp" || sh.needsGob() }

// lossyBinary reports whether sh is a type with values that read back from
// their binary form as other ones: a url.URL that no text has, such as one
// whose path begins with two slashes. These can't be written.
func (sh *Shape) lossyBinary() bool { return sh.Name == "net/url.URL" }

// missing is the fault of a type without the methods that are asked for.
func missing(sh *Shape, by ask) *Fault {
	f := &Fault{Code: CodeMarshaler, Fix: "add the methods or remove the option " + by.word()}
	switch {
	case by == askJSON:
		f.Reason = sh.Name + " does not have both MarshalJSON and UnmarshalJSON"
	case by == askText:
		f.Reason = sh.Name + " does not have text marshaler methods in both directions"
	default:
		f.Reason = sh.Name + " has neither WriteSpan and ReadSpan nor binary or text marshaler methods in both directions"
		if sh.Methods.JSON {
			f.Fix = "use its JSON with marshal=json, or remove the option marshal"
		}
	}
	return f
}

// ambiguous is the fault of a struct whose methods may not be its own.
func ambiguous(sh *Shape, what string) *Fault {
	return &Fault{
		CodeMethods, sh.Name + " has " + what + " that may be promoted from an embedded type, and would then write only that type",
		"state which is meant in the type: _ struct{} `span:\"fields\"` or `span:\"marshal\"`, or in the tag of the field that uses it",
	}
}

// embeds reports whether a struct embeds a type with such methods.
func (c *Compiler) embeds(sh *Shape, such func(Methods) bool) bool {
	if sh.Kind != StructKind {
		return false
	}
	for _, f := range sh.Fields {
		if !f.Embedded {
			continue
		}
		t := c.shape(f.Type)
		if t.Kind == Pointer {
			t = c.shape(t.Elem)
		}
		if such(t.Methods) {
			return true
		}
	}
	return false
}

// through returns the type in which the leaf options of a pointer or container
// go on, nil where they end.
func (c *Compiler) through(ref Ref, asked ask) Ref {
	sh := c.shape(ref)
	switch sh.Kind {
	case Slice:
		if c.isBytes(sh, asked) {
			return nil
		}
		return sh.Elem
	case Pointer, Array, Map:
		return sh.Elem
	}
	return nil
}

// isBytes reports whether sh is a slice that is laid out as one run of bytes.
func (c *Compiler) isBytes(sh *Shape, asked ask) bool {
	if sh.Kind != Slice || c.shape(sh.Elem).Kind != Uint8 {
		return false
	}
	f, _ := c.form(sh.Elem, asked, "")
	return f == formKind
}

func builtinForm(b Builtin) form {
	switch b {
	case Time:
		return formTime
	case GUID:
		return formGUID
	case Decimal:
		return formDecimal
	case Char:
		return formChar
	}
	return formKind
}

// refused reports whether k is a kind that has no wire form.
func refused(k Kind) bool {
	switch k {
	case Unresolved, Uintptr, Interface, Chan, Func, UnsafePointer:
		return true
	}
	return false
}
