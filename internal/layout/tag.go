package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/nearest"
)

// A Dialect is what the struct tags under one key may say. How tags are read,
// and what is reported about malformed ones, is the same in all dialects.
type Dialect struct {
	Key       string
	Skip      string     // a whole tag that takes the field out of the layout
	Fields    []Option   // of fields
	Types     []Option   // of structs, in the tag of a blank field
	Exclusive [][]string // options of which a list may have one
}

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

// Text returns what a struct tag says under the dialect's key, "" where it
// says nothing. ok is false where the tag can't be read.
func (d *Dialect) Text(tag string) (text string, ok bool, faults []Fault) {
	s := scanTag(tag, d.Key)
	switch {
	case s.bad && strings.Contains(tag, d.Key+":"):
		return "", false, []Fault{{
			Code:   CodeTagSyntax,
			Reason: "malformed struct tag " + strconv.Quote(tag),
			Fix:    "write key:\"value\" pairs separated by spaces, such as `" + d.Key + ":\"" + d.Skip + "\"`",
		}}
	case s.bad:
		return "", true, nil
	case s.count > 1:
		faults = append(faults, Fault{
			Code:   CodeTagDuplicate,
			Reason: "the struct tag has the key " + d.Key + " more than once",
			Fix:    "put all options in one value, separated by commas",
		})
	}
	return s.text, true, faults
}

// Says returns the options that a tag has, of fields or of types, as far as
// they are known; Skip is one of them. It serves to look for an option: what is
// wrong with a tag is reported by Compile.
func (d *Dialect) Says(tag string) OptionSet {
	switch text, _, _ := d.Text(tag); text {
	case "":
		return nil
	case d.Skip:
		return OptionSet{d.Skip: {}}
	default:
		set, _ := d.Options(text, slices.Concat(d.Fields, d.Types))
		return set
	}
}

// parseTag scans a field's tag and splits its text into options. Faults are
// about the tag alone; whether the options fit the field's type is a later
// question. skip reports a field that is not part of the layout.
func (d *Dialect) parseTag(tag string, table []Option) (text string, set OptionSet, skip bool, faults []Fault) {
	text, ok, faults := d.Text(tag)
	switch {
	case !ok, text == d.Skip:
		return text, nil, true, faults
	case text == "":
		return "", nil, false, faults
	}
	set, more := d.Options(text, table)
	return text, set, false, append(faults, more...)
}

// An OptionSet holds the options of one tag with their values.
type OptionSet map[string]Setting

// Has reports whether the option is set.
func (s OptionSet) Has(name string) bool { _, ok := s[name]; return ok }

// Options splits a list of options by commas; table has those that may be in it.
func (d *Dialect) Options(text string, table []Option) (OptionSet, []Fault) {
	set := OptionSet{}
	seen := map[string]bool{}
	var faults []Fault
	for part := range strings.SplitSeq(text, ",") {
		name, value, hasValue := strings.Cut(part, "=")
		if seen[name] && name != "" {
			faults = append(faults, Twice(name))
			continue
		}
		seen[name] = true
		n, f := d.option(name, value, hasValue, table)
		if f != nil {
			faults = append(faults, *f)
			continue
		}
		set[name] = Setting{n, value}
	}
	return set, append(faults, set.Conflicts(d.Exclusive)...)
}

// Twice is the fault of a tag that has an option more than once.
func Twice(name string) Fault {
	return Fault{CodeTagDuplicate, "the tag has the option " + name + " more than once", "keep one of them"}
}

// option checks one option against the table and reads its value.
func (d *Dialect) option(name, value string, hasValue bool, table []Option) (int, *Fault) {
	if name == "" {
		return 0, &Fault{CodeTagSyntax, "the tag has an empty option", "separate options by single commas"}
	}
	if name == "-" {
		return 0, &Fault{CodeTagConflict, "the tag combines - with other options", "write - alone to skip the field"}
	}
	for _, o := range table {
		if o.Name != name {
			continue
		}
		n, ok := o.Value(value, hasValue)
		if !ok {
			return 0, &Fault{CodeTagValue, "the option " + name + " " + o.Wants, "write it as " + o.Example}
		}
		return n, nil
	}
	return 0, &Fault{CodeTagUnknown, "unknown option " + strconv.Quote(name), d.unknownFix(name, value, table)}
}

// unknownFix helps with an option that is misspelt or written in the wrong place.
func (d *Dialect) unknownFix(name, value string, table []Option) string {
	if o := similar(name, table); o != nil {
		return "did you mean " + o.with(value) + "?"
	}
	if o := similar(value, table); o != nil && o.Name == value && o.takes() {
		return "did you mean " + o.with(name) + "?" // in the wrong order
	}
	if o := similar(name, d.Fields); o != nil {
		return o.with(value) + " is a field option: put it on the field it is meant for"
	}
	if o := similar(name, d.Types); o != nil {
		return o.with(value) + " is a type option: put it on a blank field, as in _ struct{} `" + d.Key + ":\"" + o.with(value) + "\"`"
	}
	forms := make([]string, len(table))
	for i, o := range table {
		forms[i] = o.Example
	}
	return "the options here are " + strings.Join(forms, ", ")
}

// similar finds the option that a name is nearest to.
func similar(name string, table []Option) *Option {
	names := make([]string, len(table))
	for i, o := range table {
		names[i] = o.Name
	}
	word := nearest.Of(strings.TrimSpace(name), names)
	for i := range table {
		if table[i].Name == word {
			return &table[i]
		}
	}
	return nil
}
