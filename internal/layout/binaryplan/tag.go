package binaryplan

import (
	"slices"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
)

// A tag is what a field's tag says.
type tag struct {
	layout.OptionSet           // all that were given; of those with versions the last
	sizes            []sizeTag // the FieldSize attributes, in order
	offset           int       // of count
}

// number and text return what was given with an option.
func (t *tag) number(name string) int  { return t.OptionSet[name].N }
func (t *tag) text(name string) string { return t.OptionSet[name].Text }

// sizeTag is one FieldSize attribute.
type sizeTag struct {
	size    int
	ref     string
	offset  int
	width   int // -1 without
	version string
}

// parseTag reads the tag of one field, nil where it says nothing.
func parseTag(text string) (*tag, []layout.Fault) {
	raw, ok, faults := dialect.Text(text)
	switch {
	case !ok || raw == "":
		return nil, faults
	case raw == dialect.Skip:
		return &tag{OptionSet: layout.OptionSet{"ignore": {}}}, faults
	}
	t := &tag{OptionSet: layout.OptionSet{}}
	for group := range strings.SplitSeq(raw, ";") {
		set, more := dialect.Options(group, dialect.Fields)
		if faults = append(faults, more...); len(faults) == 0 {
			faults = append(faults, t.addGroup(set)...)
		}
	}
	if len(faults) == 0 {
		faults = t.conflicts()
	}
	return t, faults
}

// addGroup adds the options between two semicolons. Those with versions in it
// form one FieldSize attribute.
func (t *tag) addGroup(set layout.OptionSet) (faults []layout.Fault) {
	sized := false
	for i := range table {
		o := &table[i]
		if !set.Has(o.Name) {
			continue
		}
		switch {
		case o.version:
			sized = sized || o.Name != "offset" || !set.Has("count")
			if o.lacks(set) {
				faults = append(faults, o.lonely())
			}
		case t.Has(o.Name):
			faults = append(faults, layout.Twice(o.Name))
		}
		t.OptionSet[o.Name] = set[o.Name]
	}
	switch {
	case set.Has("count") && !sized:
		t.offset = set["offset"].N
	case sized:
		s := sizeTag{size: set["size"].N, ref: set["ref"].Text, offset: set["offset"].N, width: -1, version: set["version"].Text}
		if set.Has("width") {
			s.width = set["width"].N
		}
		t.sizes = append(t.sizes, s)
	}
	return faults
}

// conflicts reports options that exclude each other or miss one.
func (t *tag) conflicts() []layout.Fault {
	row := lengths
	for i := range table {
		if o := &table[i]; o.version && o.Name != "offset" && t.Has(o.Name) {
			row = append([]string{o.Name}, lengths...)
			break
		}
	}
	faults := t.Conflicts([][]string{row, {"be", "le"}})
	for i := range table {
		o := &table[i]
		switch {
		case !t.Has(o.Name):
		case !o.version && o.lacks(t.OptionSet):
			faults = append(faults, o.lonely())
		case o.beside != nil && len(faults) == 0 && !t.only(o):
			faults = append(faults, o.crowded())
		}
	}
	if len(faults) == 0 && t.Has("const") && slices.ContainsFunc(t.sizes, func(s sizeTag) bool { return s.size == 0 || s.version != "" }) {
		faults = append(faults, rowOf("const").crowded())
	}
	return faults
}

// only reports whether an option is combined only with those that it allows.
func (t *tag) only(o *option) bool {
	for name := range t.OptionSet {
		if name != o.Name && !slices.Contains(o.beside, name) {
			return false
		}
	}
	return true
}

// lacks reports whether set is without the options that o needs.
func (o *option) lacks(set layout.OptionSet) bool {
	return o.needs != nil && !slices.ContainsFunc(o.needs, set.Has)
}

func (o *option) lonely() layout.Fault {
	return layout.Fault{
		Code:   layout.CodeTagConflict,
		Reason: "the option " + o.Name + " requires " + list(o.needs, "or"),
		Fix:    "add it or remove " + o.Name,
	}
}

func (o *option) crowded() layout.Fault {
	reason := "the option " + o.Name + " can be combined only with " + list(o.beside, "and")
	if len(o.beside) == 0 {
		reason = "the tag combines " + o.Name + " with other options"
	}
	return layout.Fault{Code: layout.CodeTagConflict, Reason: reason, Fix: "remove the other options, or " + o.Name}
}
