package value

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/spanwire/spanwire/internal/layout"
)

// form is how values of a type stand in lossless JSON.
type form byte

const (
	formBad form = iota
	formBool
	formInt
	formUint
	formFloat
	formComplex
	formString
	formNumber
	formBytes // []byte and [N]byte, base64
	formTime
	formText
	formBinary // what MarshalBinary gives, base64
	formJSON
	formStruct
	formSame   // a struct that is its only field
	formObject // a map whose keys are names
	formPairs  // any other map
	formOrdered
	formSlice
	formArray
	formPointer
	formAny
)

// maxLinks bounds how many pointers and interfaces are followed to a value: types and values may go round.
const maxLinks = 10_000

// steps is what a value of the form adds to links and levels.
func (f form) steps() (link, level int) {
	switch f {
	case formPointer, formAny, formSame:
		return 1, 0
	case formStruct, formObject, formPairs, formOrdered, formSlice, formArray, formComplex:
		return 0, 1
	}
	return 0, 0
}

// nullable tells that values of the form, other than lists and maps, may be null.
func (f form) nullable() bool { return f == formPointer || f == formAny || f == formJSON }

// empty is a list or map without anything in it.
func (f form) empty() string {
	switch f {
	case formBytes:
		return `""`
	case formSlice, formPairs:
		return "[]"
	}
	return "{}"
}

// exact is what is known of a type for lossless JSON.
type exact struct {
	form   form
	err    error   // formBad: why
	fields []field // formStruct
}

var exacts sync.Map // reflect.Type -> *exact: what is derived from types never changes

func exactOf(t reflect.Type) *exact {
	if x, ok := exacts.Load(t); ok {
		return x.(*exact)
	}
	x := newExact(t)
	old, _ := exacts.LoadOrStore(t, x)
	return old.(*exact)
}

var (
	errHidden  = fmt.Errorf("%w: its fields are not exported, and it has no methods for text or bytes", ErrType)
	errMethods = fmt.Errorf("%w: an interface with methods, which nobody can read back", ErrType)
	errPointer = fmt.Errorf("%w: an embedded pointer to an unexported struct", ErrType)
	errKind    = fmt.Errorf("%w: its kind", ErrType)
)

func newExact(t reflect.Type) *exact {
	switch {
	case t == numberType:
		return &exact{form: formNumber}
	case t == objectType:
		return &exact{form: formOrdered}
	case t.Kind() == reflect.Struct && t.ConvertibleTo(timeType):
		return &exact{form: formTime}
	}
	switch k := t.Kind(); k {
	case reflect.Bool:
		return &exact{form: formBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &exact{form: formInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &exact{form: formUint}
	case reflect.Float32, reflect.Float64:
		return &exact{form: formFloat}
	case reflect.Complex64, reflect.Complex128:
		return &exact{form: formComplex}
	case reflect.String:
		return &exact{form: formString}
	case reflect.Pointer:
		return &exact{form: formPointer}
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return &exact{form: formAny, err: errMethods}
		}
		return &exact{form: formAny}
	case reflect.Map:
		return &exact{form: mapForm(t.Key())}
	case reflect.Slice, reflect.Array:
		switch {
		case t.Elem().Kind() == reflect.Uint8:
			return &exact{form: formBytes}
		case k == reflect.Array:
			return &exact{form: formArray}
		}
		return &exact{form: formSlice}
	case reflect.Struct:
		return exactStruct(t)
	}
	return &exact{err: errKind}
}

func mapForm(key reflect.Type) form {
	if k := key.Kind(); k == reflect.String || k >= reflect.Int && k <= reflect.Uint64 {
		return formObject
	}
	return formPairs
}

// exactStruct chooses between a struct's fields and its methods.
func exactStruct(t reflect.Type) *exact {
	option := typeOption(t)
	if f, only := onlyField(t); only && f.Anonymous && f.IsExported() && anyGroup(f.Type) {
		if f.Type.Kind() != reflect.Pointer {
			return &exact{form: formSame}
		}
		option = "fields" // its methods are those of what may be nil
	}
	hidden := hiddenState(t)
	if option != "fields" {
		for _, k := range []struct {
			group *group
			form  form
			asked bool
		}{{&textGroup, formText, true}, {&binaryGroup, formBinary, true}, {&jsonGroup, formJSON, hidden || option == "marshal"}} {
			if !k.asked || !k.group.whole(t) {
				continue
			}
			if option != "marshal" && k.group.promoted(t) {
				return &exact{err: errUnclear(k.group)}
			}
			return &exact{form: k.form}
		}
		if hidden && !anyExported(t) {
			return &exact{err: errHidden}
		}
	}
	fields, err := exactFields(t, nil)
	if err != nil {
		return &exact{err: err}
	}
	return &exact{form: formStruct, fields: apart(t, fields)}
}

// onlyField returns a struct's field when it has one.
func onlyField(t reflect.Type) (reflect.StructField, bool) {
	if t.NumField() != 1 {
		return reflect.StructField{}, false
	}
	return t.Field(0), true
}

func anyGroup(t reflect.Type) bool {
	return t == timeType || textGroup.half(t) || binaryGroup.half(t) || jsonGroup.half(t)
}

// spanTag is what the tag of a field says to package span.
func spanTag(f reflect.StructField) layout.OptionSet { return layout.SpanTags.Says(string(f.Tag)) }

// typeOption is the option of a blank field that says whether methods or fields count.
func typeOption(t reflect.Type) string {
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == "_" {
			switch set := spanTag(f); {
			case set.Has("marshal"):
				return "marshal"
			case set.Has("fields"):
				return "fields"
			}
		}
	}
	return ""
}

// hiddenState tells that t has unexported fields that hold something.
func hiddenState(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() || f.Name == "_" || f.Type.Size() == 0 || spanTag(f).Has("-") {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct { // its exported fields are members
			continue
		}
		if p := f.Type.PkgPath(); p != "sync" && p != "sync/atomic" {
			return true
		}
	}
	return false
}

// foreignState tells that a field of t holds structs of another package with hidden state and no methods that give it.
func foreignState(t reflect.Type, f reflect.StructField) bool {
	e := f.Type
	for range hops {
		if k := e.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Array && k != reflect.Map {
			break
		}
		e = e.Elem()
	}
	if e.Kind() != reflect.Struct || e.PkgPath() == t.PkgPath() || e.PkgPath() == "" || e.ConvertibleTo(timeType) || !hiddenState(e) {
		return false
	}
	asked := spanTag(f).Has("fields") || typeOption(e) == "fields"
	return !asked && !textGroup.whole(e) && !binaryGroup.whole(e) && !jsonGroup.whole(e)
}

func anyExported(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
			return true
		}
	}
	return false
}

// exactFields lists the members of struct t, those of embedded structs at their place.
func exactFields(t reflect.Type, at []int) (fs []field, err error) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(append([]int(nil), at...), i)
		if spanTag(f).Has("-") || f.Name == "_" {
			continue
		}
		if f.Anonymous && !f.IsExported() && f.Type.Kind() == reflect.Pointer {
			return nil, under(&Error{Type: f.Type.String(), Reason: errPointer}, f.Name)
		}
		flat := f.Anonymous && (name == "" || !f.IsExported()) && f.Type.Kind() == reflect.Struct && exactOf(f.Type).form == formStruct
		switch {
		case flat:
			inner, err := exactFields(f.Type, index)
			if err != nil {
				return nil, under(err, f.Name)
			}
			fs = append(fs, inner...)
		case !f.IsExported():
		case foreignState(t, f):
			return nil, under(&Error{Type: f.Type.String(), Reason: errHidden}, f.Name)
		case name == "-" && exactOf(f.Type).form == formBad:
		default:
			if name == "" || name == "-" {
				name = f.Name
			}
			fs = append(fs, newField(name, index))
		}
	}
	return fs, nil
}

func newField(name string, index []int) field {
	return field{name: name, quoted: string(appendString(nil, name)) + ":", index: index}
}

// apart gives members of equal names the path to them as their name: none may hide another.
func apart(t reflect.Type, fs []field) []field {
	count := make(map[string]int, len(fs))
	for i := range fs {
		count[fs[i].name]++
	}
	for i := range fs {
		if count[fs[i].name] > 1 && len(fs[i].index) > 1 {
			fs[i] = newField(pathOf(t, fs[i].index), fs[i].index)
		}
	}
	return fs
}

// pathOf is the names of the fields that lead to one, with dots between.
func pathOf(t reflect.Type, index []int) string {
	names := make([]string, len(index))
	for i, n := range index {
		f := t.Field(n)
		names[i], t = f.Name, f.Type
	}
	return strings.Join(names, ".")
}

// place is the number of the member of that name, in any case of its ASCII letters when there is no exact one; -1 without.
func (x *exact) place(name []byte) int {
	other := -1
	for i := range x.fields {
		if x.fields[i].name == string(name) {
			return i
		}
		if other < 0 && sameName(x.fields[i].name, name) {
			other = i
		}
	}
	return other
}
