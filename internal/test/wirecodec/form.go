package wirecodec

import (
	"encoding"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// options are what a field's tag says of its value.
type options struct {
	// Of the outermost length.
	prefix, max, fixed int
	nilable            bool

	leaf leaf
}

// leaf is what a tag says of what lies behind pointers and in lists.
type leaf struct {
	varint, zigzag, be  bool
	time                string // unix, unixmilli, unixnano or ticks
	utf8, sized, shared bool
	ask                 string // marshal or fields
}

// below are the options of what a list holds.
func (o options) below() options { return options{leaf: o.leaf} }

// A field is a field on the wire.
type field struct {
	index    int
	opts     options
	optional bool
}

// A layout is what the tags of a struct say.
type layout struct {
	newLife, sized bool
	ask            string
	fields         []field
}

// layoutOf reads the tags of a struct.
func layoutOf(t reflect.Type) layout {
	var l layout
	for i := range t.NumField() {
		f := t.Field(i)
		tag, given := f.Tag.Lookup("span")
		if f.Name == "_" {
			l.typeOptions(tag)
			continue
		}
		if given && tag == "-" || !f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct) {
			continue
		}
		fd := field{index: i}
		for word := range strings.SplitSeq(tag, ",") {
			if word == "optional" {
				fd.optional = true
			} else if word != "" {
				fd.opts.option(word)
			}
		}
		l.fields = append(l.fields, fd)
	}
	return l
}

func (l *layout) typeOptions(tag string) {
	for word := range strings.SplitSeq(tag, ",") {
		switch word {
		case "newlife":
			l.newLife = true
		case "sized":
			l.sized = true
		case "marshal", "fields":
			l.ask = word
		}
	}
}

func (o *options) option(word string) {
	name, number, _ := strings.Cut(word, "=")
	n, _ := strconv.Atoi(number)
	switch name {
	case "varint":
		o.leaf.varint = true
	case "zigzag":
		o.leaf.zigzag = true
	case "be":
		o.leaf.be = true
	case "unix", "unixmilli", "unixnano", "ticks":
		o.leaf.time = name
	case "utf8":
		o.leaf.utf8 = true
	case "sized":
		o.leaf.sized = true
	case "shared":
		o.leaf.shared = true
	case "marshal", "fields":
		o.leaf.ask = name
	case "len":
		o.prefix = n
	case "max":
		o.max = n
	case "fixed":
		o.fixed = n
	case "nilable":
		o.nilable = true
	default:
		panic("wirecodec: no tag " + word)
	}
}

// A form is the way a type is written, where its kind does not say it.
type form int

const (
	byKind form = iota
	bySelf
	byBinary
	byText
	asTime
	asGUID
	asDecimal
	asChar
)

const spanPath = "github.com/spanwire/spanwire/span"

var timeType = reflect.TypeFor[time.Time]()

// formOf decides between a type's methods and its kind.
func formOf(t reflect.Type, ask string) form {
	if t.PkgPath() == spanPath {
		switch t.Name() {
		case "GUID":
			return asGUID
		case "Decimal":
			return asDecimal
		case "Char":
			return asChar
		}
	}
	if has[Own](t) {
		return bySelf
	}
	if t.Kind() == reflect.Struct {
		if t.ConvertibleTo(timeType) {
			return asTime
		}
		if ask == "" {
			ask = layoutOf(t).ask
		}
		if ask == "" {
			ask = "marshal"
		}
	}
	switch {
	case ask != "marshal":
	case has[encoding.BinaryUnmarshaler](t) && (has[encoding.BinaryAppender](t) || has[encoding.BinaryMarshaler](t)):
		return byBinary
	case has[encoding.TextUnmarshaler](t) && (has[encoding.TextAppender](t) || has[encoding.TextMarshaler](t)):
		return byText
	}
	return byKind
}

// has reports a type that has the methods, on its own and not by an embedded
// field.
func has[M any](t reflect.Type) bool {
	want := reflect.TypeFor[M]()
	if !reflect.PointerTo(t).Implements(want) {
		return false
	}
	if t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(want) || reflect.PointerTo(f.Type).Implements(want)) {
			return false
		}
	}
	return true
}

// isBytes reports a slice that is written as bytes.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && formOf(t.Elem(), "") == byKind
}

// isInline reports a pointer that the NewLife profile writes without a mark.
func isInline(t reflect.Type, ask string) bool {
	f := formOf(t.Elem(), ask)
	return f == bySelf || f == byKind && t.Elem().Kind() == reflect.Struct
}

// takes reports whether some value of a type takes a byte.
func takes(t reflect.Type, o options, newLife bool) bool {
	return taking(t, o, newLife, map[reflect.Type]bool{})
}

func taking(t reflect.Type, o options, newLife bool, open map[reflect.Type]bool) bool {
	if formOf(t, o.leaf.ask) != byKind {
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && taking(t.Elem(), o.below(), newLife, open)
	case reflect.Pointer:
		if !newLife || o.leaf.shared || !isInline(t, o.leaf.ask) {
			return true
		}
		return taking(t.Elem(), o, newLife, open)
	case reflect.Struct:
		l := layoutOf(t)
		if l.sized || o.leaf.sized {
			return true
		}
		if open[t] {
			return false
		}
		open[t] = true
		defer delete(open, t)
		for _, f := range l.fields {
			if taking(t.Field(f.index).Type, f.opts, profile(t, l, newLife), open) {
				return true
			}
		}
		return false
	}
	return true
}

// profile tells whether the fields of a struct are NewLife's: an anonymous
// struct has its parent's profile.
func profile(t reflect.Type, l layout, parent bool) bool {
	return l.newLife || t.Name() == "" && parent
}

// sharesRoot reports a type that a shared pointer below it leads to.
func sharesRoot(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	var reaches func(u reflect.Type, o options) bool
	reaches = func(u reflect.Type, o options) bool {
		switch u.Kind() {
		case reflect.Pointer:
			if o.leaf.shared && u.Elem() == t {
				return true
			}
			return reaches(u.Elem(), o)
		case reflect.Slice, reflect.Array, reflect.Map:
			if u.Kind() == reflect.Map && reaches(u.Key(), options{}) {
				return true
			}
			return reaches(u.Elem(), o)
		case reflect.Struct:
			if seen[u] || formOf(u, o.leaf.ask) != byKind || u != t && (layoutOf(u).sized || o.leaf.sized) {
				return false
			}
			seen[u] = true
			for _, f := range layoutOf(u).fields {
				if reaches(u.Field(f.index).Type, f.opts) {
					return true
				}
			}
		}
		return false
	}
	return t.Kind() == reflect.Struct && reaches(t, options{})
}
