package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// An Option is one word of a tag.
type Option struct {
	Name    string
	Wants   string // what it takes, to follow its name
	Example string
	Value   func(text string, given bool) (int, bool)
}

// takes reports whether o is an option that has a value.
func (o *Option) takes() bool { return o.Example != o.Name }

// with writes the option with a value, the example where it takes another.
func (o *Option) with(value string) string {
	value = strings.TrimSpace(value)
	if _, ok := o.Value(value, true); ok && value != "" {
		return o.Name + "=" + value
	}
	return o.Example
}

// A Setting is what a tag says of one option.
type Setting struct {
	N    int    // its number, or that of its word
	Text string // all that follows the equals sign
}

// SpanTags is the dialect of package span.
var SpanTags = &Dialect{Key: "span", Skip: "-", Fields: fieldOptionTable, Types: typeOptionTable, Exclusive: exclusive}

// fieldOptionTable lists the options of fields.
var fieldOptionTable = []Option{
	Flag("varint"), Flag("zigzag"), Flag("be"),
	{"len", "takes 1, 2 or 4", "len=2", OneOf(1, 2, 4)},
	{"fixed", "takes a number of bytes from 1 to 2147483647", "fixed=16", Between(1, MaxLength)},
	Flag("unix"), Flag("unixmilli"), Flag("unixnano"), Flag("ticks"),
	Flag("optional"), Flag("sized"), Flag("nilable"),
	{"max", "takes a number from 1 to 2147483647", "max=1024", Between(1, MaxLength)},
	Flag("shared"), Flag("utf8"), marshalOption, Flag("fields"),
	{"omit", "takes the names of fields, such as A.B|C", "omit=A.B|C", arePaths},
}

// marshalOption asks for methods: for those a type has, or for those of a form.
var marshalOption = Option{"marshal", "takes json, text or no value", "marshal=json", func(text string, given bool) (int, bool) {
	i := slices.Index(marshalWords, text)
	return i, i > 0 || i == 0 && !given
}}

var marshalWords = []string{"", "json", "text"}

// typeOptionTable lists the options that a blank field sets on its struct.
var typeOptionTable = []Option{
	Flag("newlife"), Flag("sized"), marshalOption, Flag("fields"),
	{"min", "takes 0", "min=0", OneOf(0)},
}

// exclusive lists the options of which a tag may have one.
var exclusive = [][]string{
	{"varint", "zigzag", "be"},
	{"unix", "unixmilli", "unixnano", "ticks"},
	{"fixed", "len"}, {"fixed", "max"}, {"fixed", "nilable"},
	{"sized", "shared"},
	{"marshal", "fields"}, {"marshal", "omit"},
}

// Conflicts finds options that exclude each other: a set may have one of each
// group.
func (s OptionSet) Conflicts(groups [][]string) []Fault {
	var faults []Fault
	for _, group := range groups {
		first := ""
		for _, name := range group {
			switch {
			case !s.Has(name):
			case first == "":
				first = name
			default:
				faults = append(faults, Fault{
					CodeTagConflict, "the options " + first + " and " + name + " exclude each other", "keep one of them",
				})
			}
		}
	}
	return faults
}

// Flag returns an option without a value.
func Flag(name string) Option {
	return Option{name, "takes no value", name, func(_ string, given bool) (int, bool) { return 0, !given }}
}

// OneOf returns a Value function that takes one of the values.
func OneOf(values ...int) func(string, bool) (int, bool) {
	return func(text string, _ bool) (int, bool) {
		for _, v := range values {
			if text == strconv.Itoa(v) {
				return v, true
			}
		}
		return 0, false
	}
}

// Between returns a Value function that takes a number from low to high.
func Between(low, high int) func(string, bool) (int, bool) {
	return func(text string, _ bool) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= low && n <= high && text == strconv.Itoa(n)
	}
}

// ask records whether a type's marshaler methods or its fields are asked for.
type ask uint8

const (
	askNothing ask = iota
	askFields
	askMarshal // for binary or text methods, whichever there are
	askJSON
	askText
)

// marshals reports whether methods are asked for.
func (a ask) marshals() bool { return a >= askMarshal }

// word returns the option that asks.
func (a ask) word() string {
	return [...]string{"", "fields", "marshal", "marshal=json", "marshal=text"}[a]
}

// leafOptions are those that go through pointers, arrays, slices and map
// values to the first other type.
type leafOptions struct {
	enc    Enc // EncNone without a tag
	be     bool
	time   timeTag
	utf8   bool
	sized  bool
	shared bool
	ask    ask
	cut    cut
}

// coded reports whether o is an encoding tag of the field's own, which switches
// respect.
func (o leafOptions) coded() bool { return o.enc != EncNone || o.be || o.time != timeDefault }

// integer returns the encoding of an integer.
func (o leafOptions) integer() Enc { return cmp.Or(o.enc, EncFixed) }

// timeTag is the time encoding a tag asks for.
type timeTag uint8

const (
	timeDefault timeTag = iota
	timeUnix
	timeUnixMilli
	timeUnixNano
	timeTicks
)

// lengthOptions apply to the first length reached through pointers.
type lengthOptions struct {
	prefix  int
	max     int // 0 without
	fixed   int
	nilable bool
}

// options is what a tag says about a field's value.
type options struct {
	leaf   leafOptions
	length lengthOptions
}

// elem returns the options that hold for the elements of a list.
func (o options) elem() options { return options{leaf: o.leaf} }

// options returns the set's meaning for the value of a field.
func (s OptionSet) options() options {
	var o options
	switch {
	case s.Has("varint"):
		o.leaf.enc = EncVarint
	case s.Has("zigzag"):
		o.leaf.enc = EncZigZag
	}
	switch {
	case s.Has("unix"):
		o.leaf.time = timeUnix
	case s.Has("unixmilli"):
		o.leaf.time = timeUnixMilli
	case s.Has("unixnano"):
		o.leaf.time = timeUnixNano
	case s.Has("ticks"):
		o.leaf.time = timeTicks
	}
	o.leaf.be = s.Has("be")
	o.leaf.utf8 = s.Has("utf8")
	o.leaf.sized = s.Has("sized")
	o.leaf.shared = s.Has("shared")
	o.leaf.ask = s.ask()
	o.leaf.cut.paths = sortedPaths(s["omit"].Text)
	o.length = lengthOptions{prefix: s["len"].N, max: s["max"].N, fixed: s["fixed"].N, nilable: s.Has("nilable")}
	return o
}

// ask returns what the set says about marshaler methods.
func (s OptionSet) ask() ask {
	switch {
	case s.Has("marshal"):
		return [...]ask{askMarshal, askJSON, askText}[s["marshal"].N]
	case s.Has("fields"):
		return askFields
	}
	return askNothing
}
