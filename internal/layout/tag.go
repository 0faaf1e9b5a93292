package layout

import (
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/nearest"
)

// tagKey is the key under which a struct tag speaks to this package.
const tagKey = "span"

// A scannedTag is what a whole struct tag says under one key.
type scannedTag struct {
	text  string // the first value under the key
	count int    // how often the key occurs
	bad   bool   // the tag does not follow the conventions
}

// scanTag reads a struct tag strictly. [reflect.StructTag.Get] answers "" for
// bad syntax, which would put a field on the wire that its author meant to
// skip; here every pair must be key:"value", separated by spaces.
func scanTag(tag, wanted string) scannedTag {
	var s scannedTag
	rest := strings.TrimLeft(tag, " ")
	for rest != "" {
		key, value, after, ok := cutPair(rest)
		if !ok {
			s.bad = true
			return s
		}
		if key == wanted {
			if s.count == 0 {
				s.text = value
			}
			s.count++
		}
		rest = strings.TrimLeft(after, " ")
		if rest != "" && len(rest) == len(after) {
			s.bad = true
			return s
		}
	}
	return s
}

// cutPair takes one key:"value" pair from the front of a tag.
func cutPair(tag string) (key, value, rest string, ok bool) {
	i := 0
	for i < len(tag) && tag[i] > ' ' && tag[i] != ':' && tag[i] != '"' && tag[i] != 0x7f {
		i++
	}
	if i == 0 || i+1 >= len(tag) || tag[i] != ':' || tag[i+1] != '"' {
		return "", "", "", false
	}
	quoted, err := strconv.QuotedPrefix(tag[i+1:])
	if err != nil {
		return "", "", "", false
	}
	value, err = strconv.Unquote(quoted)
	if err != nil {
		return "", "", "", false
	}
	return tag[:i], value, tag[i+1+len(quoted):], true
}

// parseTag scans a field's tag and splits its text into options. Faults are
// about the tag alone; whether the options fit the field's type is a later
// question. skip reports a field that is no part of the layout.
func parseTag(tag string, table []option) (text string, set optionSet, skip bool, faults []fault) {
	s := scanTag(tag, tagKey)
	switch {
	case s.bad && strings.Contains(tag, tagKey+":"):
		return "", nil, true, []fault{{
			code:   CodeTagSyntax,
			reason: "malformed struct tag " + strconv.Quote(tag),
			fix:    "write key:\"value\" pairs separated by spaces, such as `span:\"-\"`",
		}}
	case s.bad || s.count == 0:
		return "", nil, false, nil
	case s.count > 1:
		faults = append(faults, fault{
			code:   CodeTagDuplicate,
			reason: "the struct tag has the key span more than once",
			fix:    "put all options into one value, separated by commas",
		})
	}
	if s.text == "-" {
		return s.text, nil, true, faults
	}
	set, more := parseOptions(s.text, table)
	return s.text, set, false, append(faults, more...)
}

// An optionSet holds the options of one tag with their values.
type optionSet map[string]setting

// has reports whether the option is set.
func (s optionSet) has(name string) bool { _, ok := s[name]; return ok }

// parseOptions splits a tag's text by commas.
func parseOptions(text string, table []option) (optionSet, []fault) {
	if text == "" {
		return nil, nil
	}
	set := optionSet{}
	seen := map[string]bool{}
	var faults []fault
	for part := range strings.SplitSeq(text, ",") {
		name, value, hasValue := strings.Cut(part, "=")
		if seen[name] && name != "" {
			faults = append(faults, fault{
				code:   CodeTagDuplicate,
				reason: "the tag has the option " + name + " more than once",
				fix:    "keep one of them",
			})
			continue
		}
		seen[name] = true
		n, f := parseOption(name, value, hasValue, table)
		if f != nil {
			faults = append(faults, *f)
			continue
		}
		set[name] = setting{n, value}
	}
	return set, append(faults, set.conflicts()...)
}

// parseOption checks one option against the table and reads its value.
func parseOption(name, value string, hasValue bool, table []option) (int, *fault) {
	if name == "" {
		return 0, &fault{CodeTagSyntax, "the tag has an empty option", "separate options by single commas"}
	}
	if name == "-" {
		return 0, &fault{CodeTagConflict, "the tag has - beside other options", "write - alone to skip the field"}
	}
	for _, o := range table {
		if o.name != name {
			continue
		}
		n, ok := o.value(value, hasValue)
		if !ok {
			return 0, &fault{CodeTagValue, "the option " + name + " " + o.wants, "write it as " + o.example}
		}
		return n, nil
	}
	return 0, &fault{CodeTagUnknown, "unknown option " + strconv.Quote(name), unknownFix(name, value, table)}
}

// unknownFix helps with an option that is misspelt or written in the wrong place.
func unknownFix(name, value string, table []option) string {
	if o := similar(name, table); o != nil {
		return "did you mean " + o.with(value) + "?"
	}
	if o := similar(value, table); o != nil && o.takes() {
		return "did you mean " + o.with(name) + "?" // in the wrong order
	}
	if o := similar(name, fieldOptionTable); o != nil {
		return o.with(value) + " is an option of fields: put it on the field it is meant for"
	}
	if o := similar(name, typeOptionTable); o != nil {
		return o.with(value) + " is an option of types: put it on a blank field, as in _ struct{} `span:\"" + o.with(value) + "\"`"
	}
	forms := make([]string, len(table))
	for i, o := range table {
		forms[i] = o.example
	}
	return "the options here are " + strings.Join(forms, ", ")
}

// similar finds the option that a name is nearest to.
func similar(name string, table []option) *option {
	names := make([]string, len(table))
	for i, o := range table {
		names[i] = o.name
	}
	word := nearest.Of(strings.TrimSpace(name), names)
	for i := range table {
		if table[i].name == word {
			return &table[i]
		}
	}
	return nil
}

// takes reports an option that has a value.
func (o *option) takes() bool { return o.example != o.name }

// with writes the option with a value, the example where it takes another.
func (o *option) with(value string) string {
	value = strings.TrimSpace(value)
	if _, ok := o.value(value, true); ok && value != "" {
		return o.name + "=" + value
	}
	return o.example
}
