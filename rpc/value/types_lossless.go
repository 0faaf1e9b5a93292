package value

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
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

// losslessType is what is known of a type for lossless JSON.
type losslessType struct {
	form   form
	err    error   // formBad: why
	fields []field // formStruct
}

var losslessTypes sync.Map // reflect.Type -> *losslessType: what is derived from types never changes

func losslessOf(t reflect.Type) *losslessType {
	if x, ok := losslessTypes.Load(t); ok {
		return x.(*losslessType)
	}
	x := newLosslessType(t)
	old, _ := losslessTypes.LoadOrStore(t, x)
	return old.(*losslessType)
}

var (
	errHidden  = fmt.Errorf("%w: its fields are not exported, and it has no methods for text or bytes", ErrType)
	errMethods = fmt.Errorf("%w: an interface with methods, which cannot be read back", ErrType)
	errPointer = fmt.Errorf("%w: an embedded pointer to an unexported struct", ErrType)
	errKind    = fmt.Errorf("%w: unsupported kind", ErrType)
)

func newLosslessType(t reflect.Type) *losslessType {
	switch {
	case t == numberType:
		return &losslessType{form: formNumber}
	case t == objectType:
		return &losslessType{form: formOrdered}
	case t.Kind() == reflect.Struct && t.ConvertibleTo(timeType):
		return &losslessType{form: formTime}
	}
	switch k := t.Kind(); k {
	case reflect.Bool:
		return &losslessType{form: formBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &losslessType{form: formInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &losslessType{form: formUint}
	case reflect.Float32, reflect.Float64:
		return &losslessType{form: formFloat}
	case reflect.Complex64, reflect.Complex128:
		return &losslessType{form: formComplex}
	case reflect.String:
		return &losslessType{form: formString}
	case reflect.Pointer:
		return &losslessType{form: formPointer}
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return &losslessType{form: formAny, err: errMethods}
		}
		return &losslessType{form: formAny}
	case reflect.Map:
		return &losslessType{form: mapForm(t.Key())}
	case reflect.Slice, reflect.Array:
		switch {
		case t.Elem().Kind() == reflect.Uint8:
			return &losslessType{form: formBytes}
		case k == reflect.Array:
			return &losslessType{form: formArray}
		}
		return &losslessType{form: formSlice}
	case reflect.Struct:
		return losslessStruct(t)
	}
	return &losslessType{err: errKind}
}

func mapForm(key reflect.Type) form {
	if k := key.Kind(); k == reflect.String || k >= reflect.Int && k <= reflect.Uint64 {
		return formObject
	}
	return formPairs
}

// losslessStruct chooses between a struct's fields and its methods.
func losslessStruct(t reflect.Type) *losslessType {
	option := typeOption(t)
	if f, only := onlyField(t); only && f.Anonymous && f.IsExported() && anyGroup(f.Type) {
		if f.Type.Kind() != reflect.Pointer {
			return &losslessType{form: formSame}
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
				return &losslessType{err: errUnclear(k.group)}
			}
			return &losslessType{form: k.form}
		}
		if hidden && !anyExported(t) {
			return &losslessType{err: errHidden}
		}
	}
	fields, err := losslessFields(t, nil)
	if err != nil {
		return &losslessType{err: err}
	}
	return &losslessType{form: formStruct, fields: apart(t, fields)}
}

// onlyField returns a struct's field when it has one.
func onlyField(t reflect.Type) (reflect.StructField, bool) {
	if t.NumField() != 1 {
		return reflect.StructField{}, false
	}
	return t.Field(0), true
}

// losslessFields lists the members of struct t, those of embedded structs at their place.
func losslessFields(t reflect.Type, at []int) (fs []field, err error) {
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
		flat := f.Anonymous && (name == "" || !f.IsExported()) && f.Type.Kind() == reflect.Struct && losslessOf(f.Type).form == formStruct
		switch {
		case flat:
			inner, err := losslessFields(f.Type, index)
			if err != nil {
				return nil, under(err, f.Name)
			}
			fs = append(fs, inner...)
		case !f.IsExported():
		case foreignState(t, f):
			return nil, under(&Error{Type: f.Type.String(), Reason: errHidden}, f.Name)
		case name == "-" && losslessOf(f.Type).form == formBad:
		default:
			if name == "" || name == "-" {
				name = f.Name
			}
			fs = append(fs, newField(name, index))
		}
	}
	return fs, nil
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
func (x *losslessType) place(name []byte) int {
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
