package docs_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// A member is a field of a type that changes.
type member struct {
	name string
	zero any
	tag  string
}

// before is the type as it was.
var before = []member{
	{"ID", uint32(0), ""}, {"Name", "", ""}, {"Price", int64(0), ""}, {"Count", int32(0), ""},
	{"Limit", int32(0), ""}, {"At", time.Time{}, "unixmilli"},
}

// changes are what is done to it.
var changes = []struct {
	what string
	do   func([]member) []member
}{
	{"a field is renamed", set("Count", member{"Amount", int32(0), ""})},
	{"a field is added at the end", add(6, "")},
	{"a field with `optional` is added at the end", add(6, "optional")},
	{"a field is added in the middle", add(2, "")},
	{"the last field is dropped", drop(5)},
	{"a field in the middle is dropped", drop(2)},
	{"two fields of one type change places", func(m []member) []member { m[3], m[4] = m[4], m[3]; return m }},
	{"int32 becomes int64", set("Count", member{"Count", int64(0), ""})},
	{"int64 becomes int32", set("Price", member{"Price", int32(0), ""})},
	{"int32 becomes uint32", set("Count", member{"Count", uint32(0), ""})},
	{"int32 becomes float32", set("Count", member{"Count", float32(0), ""})},
	{"int32 gets the tag `varint`", set("Count", member{"Count", int32(0), "varint"})},
	{"string becomes []byte", set("Name", member{"Name", []byte(nil), ""})},
	{"`unixmilli` becomes `unixnano`", set("At", member{"At", time.Time{}, "unixnano"})},
}

func set(name string, to member) func([]member) []member {
	return func(m []member) []member {
		m[slices.IndexFunc(m, func(m member) bool { return m.name == name })] = to
		return m
	}
}

func add(i int, tag string) func([]member) []member {
	return func(m []member) []member { return slices.Insert(m, i, member{"Note", "", tag}) }
}

func drop(i int) func([]member) []member {
	return func(m []member) []member { return slices.Delete(m, i, i+1) }
}

// TestChanges: the table of what becomes of a changed type, in
// docs/changing-a-type.md, is what comes of trying it.
func TestChanges(t *testing.T) {
	var s strings.Builder
	s.WriteString("| change | old message, new program | new message, old program | sized: old message, new program | sized: new message, old program |\n|---|---|---|---|---|\n")
	for _, c := range changes {
		after := c.do(slices.Clone(before))
		fmt.Fprintf(&s, "| %s |", c.what)
		for _, sized := range []bool{false, true} {
			fmt.Fprintf(&s, " %s | %s |", outcome(before, after, sized), outcome(after, before, sized))
		}
		s.WriteString("\n")
	}
	holdPart(t, "docs/changing-a-type.md", "changes", s.String())
}

// outcome says what becomes of values of one type that are read as another: the
// worst of some values.
func outcome(from, to []member, sized bool) string {
	worst := "**fine**"
	for seed := range 3 {
		b, err := span.Marshal(fill(from, sized, seed).Interface())
		if err != nil {
			return err.Error()
		}
		back := reflect.New(structOf(to, sized))
		if err := span.Unmarshal(b, back.Interface()); err != nil {
			worst = "error"
		} else if !sameFields(fields(fill(from, sized, seed)), fields(back)) {
			return "other values"
		}
	}
	return worst
}

// structOf makes a struct that has one of the members, sized or not.
func structOf(members []member, sized bool) reflect.Type {
	var fields []reflect.StructField
	for _, m := range members {
		f := reflect.StructField{Name: m.name, Type: reflect.TypeOf(m.zero)}
		if m.tag != "" {
			f.Tag = reflect.StructTag(fmt.Sprintf("span:%q", m.tag))
		}
		fields = append(fields, f)
	}
	if !sized {
		return reflect.StructOf(fields)
	}
	return reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.StructOf(fields), Tag: `span:"sized"`}})
}

// fields returns the struct that has the members.
func fields(p reflect.Value) reflect.Value {
	if v := p.Elem(); v.Type().Field(0).Name != "V" {
		return v
	}
	return p.Elem().Field(0)
}

// fill makes a value of a struct, which depends on the names of the members.
func fill(members []member, sized bool, seed int) reflect.Value {
	p := reflect.New(structOf(members, sized))
	v := fields(p)
	for i, m := range members {
		n := int64(seed-1)*int64(len(m.name)*5+int(m.name[0])) + 1
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(strings.Repeat("x", int(n)&7))
		case reflect.Slice:
			f.SetBytes([]byte(strings.Repeat("x", int(n)&7)))
		case reflect.Uint32:
			f.SetUint(uint64(uint32(n)))
		case reflect.Float32:
			f.SetFloat(float64(n))
		case reflect.Struct:
			f.Set(reflect.ValueOf(time.Unix(1750000000+n, 0).UTC()))
		default:
			f.SetInt(n)
		}
	}
	return p
}

// sameFields reports whether what has a name in both has the value that it had,
// and what is new none. A field that was renamed has its new name at its place.
func sameFields(from, to reflect.Value) bool {
	for i := range to.NumField() {
		name := to.Type().Field(i).Name
		got := to.Field(i)
		was := from.FieldByName(name)
		if !was.IsValid() && from.NumField() == to.NumField() {
			was = from.Field(i)
		}
		if !was.IsValid() && got.IsZero() {
			continue
		}
		if !was.IsValid() || text(was) != text(got) {
			return false
		}
	}
	return true
}

// text shows a value, whatever its type is.
func text(v reflect.Value) string {
	if b, ok := v.Interface().([]byte); ok {
		return string(b)
	}
	return fmt.Sprint(v.Interface())
}
