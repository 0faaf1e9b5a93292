package layout

import (
	"math"
	"slices"
	"strconv"
)

// An option is one word of a tag.
type option struct {
	name    string
	wants   string // what it takes, to follow its name
	example string
	value   func(text string, given bool) (int, bool)
}

// A setting is what a tag says of one option.
type setting struct {
	n    int    // its number, or that of its word
	text string // all that stands behind the equals sign
}

// fieldOptionTable lists the options of fields.
var fieldOptionTable = []option{
	flag("varint"), flag("zigzag"), flag("be"),
	{"len", "takes 1, 2 or 4", "len=2", oneOf(1, 2, 4)},
	{"fixed", "takes a number of bytes from 1 to 2147483647", "fixed=16", between(1, math.MaxInt32)},
	flag("unix"), flag("unixmilli"), flag("unixnano"), flag("ticks"),
	flag("optional"), flag("sized"), flag("nilable"),
	{"max", "takes a number from 1 to 2147483647", "max=1024", between(1, math.MaxInt32)},
	flag("shared"), flag("utf8"), marshalOption, flag("fields"),
	{"omit", "takes the names of fields, such as A.B|C", "omit=A.B|C", arePaths},
}

// marshalOption asks for methods: for those a type has, or for those of a form.
var marshalOption = option{"marshal", "takes json, text or no value", "marshal=json", func(text string, given bool) (int, bool) {
	i := slices.Index(marshalWords, text)
	return i, i > 0 || i == 0 && !given
}}

var marshalWords = []string{"", "json", "text"}

// typeOptionTable lists the options that a blank field gives to its struct.
var typeOptionTable = []option{
	flag("newlife"), flag("sized"), marshalOption, flag("fields"),
	{"min", "takes 0", "min=0", oneOf(0)},
}

// exclusive lists the options of which a tag may have one.
var exclusive = [][]string{
	{"varint", "zigzag", "be"},
	{"unix", "unixmilli", "unixnano", "ticks"},
	{"fixed", "len"}, {"fixed", "max"}, {"fixed", "nilable"},
	{"sized", "shared"},
	{"marshal", "fields"}, {"marshal", "omit"},
}

// conflicts finds the options that exclude each other.
func (s optionSet) conflicts() []fault {
	var faults []fault
	for _, group := range exclusive {
		first := ""
		for _, name := range group {
			switch {
			case !s.has(name):
			case first == "":
				first = name
			default:
				faults = append(faults, fault{
					code:   CodeTagConflict,
					reason: "the options " + first + " and " + name + " exclude each other",
					fix:    "keep one of them",
				})
			}
		}
	}
	return faults
}

func flag(name string) option {
	return option{name, "takes no value", name, func(_ string, given bool) (int, bool) { return 0, !given }}
}

func oneOf(values ...int) func(string, bool) (int, bool) {
	return func(text string, _ bool) (int, bool) {
		for _, v := range values {
			if text == strconv.Itoa(v) {
				return v, true
			}
		}
		return 0, false
	}
}

func between(low, high int) func(string, bool) (int, bool) {
	return func(text string, _ bool) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= low && n <= high && text == strconv.Itoa(n)
	}
}

// ask says whether a type's marshaler methods or its fields are asked for.
type ask uint8

const (
	askNothing ask = iota
	askFields
	askMarshal // for binary or text methods, whichever there are
	askJSON
	askText
)

// marshals reports that methods are asked for.
func (a ask) marshals() bool { return a >= askMarshal }

// word gives the option that asks.
func (a ask) word() string {
	return [...]string{"", "fields", "marshal", "marshal=json", "marshal=text"}[a]
}

// leafOptions are those that go through pointers, arrays, slices and map
// values to the first other type.
type leafOptions struct {
	enc    Enc
	be     bool
	time   timeTag
	utf8   bool
	sized  bool
	shared bool
	ask    ask
	cut    cut
}

// coded reports an encoding tag of the field's own, which switches respect.
func (o leafOptions) coded() bool { return o.enc != EncFixed || o.be || o.time != timeDefault }

// timeTag is the time encoding a tag asks for.
type timeTag uint8

const (
	timeDefault timeTag = iota
	timeUnix
	timeUnixMilli
	timeUnixNano
	timeTicks
)

// lengthOptions apply to the first length behind pointers.
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

// elem gives the options that hold for the elements of a list.
func (o options) elem() options { return options{leaf: o.leaf} }

// options gives the set's meaning for the value of a field.
func (s optionSet) options() options {
	var o options
	switch {
	case s.has("varint"):
		o.leaf.enc = EncVarint
	case s.has("zigzag"):
		o.leaf.enc = EncZigZag
	}
	switch {
	case s.has("unix"):
		o.leaf.time = timeUnix
	case s.has("unixmilli"):
		o.leaf.time = timeUnixMilli
	case s.has("unixnano"):
		o.leaf.time = timeUnixNano
	case s.has("ticks"):
		o.leaf.time = timeTicks
	}
	o.leaf.be = s.has("be")
	o.leaf.utf8 = s.has("utf8")
	o.leaf.sized = s.has("sized")
	o.leaf.shared = s.has("shared")
	o.leaf.ask = s.ask()
	o.leaf.cut.paths = sortedPaths(s["omit"].text)
	o.length = lengthOptions{prefix: s["len"].n, max: s["max"].n, fixed: s["fixed"].n, nilable: s.has("nilable")}
	return o
}

// ask gives what the set says about marshaler methods.
func (s optionSet) ask() ask {
	switch {
	case s.has("marshal"):
		return [...]ask{askMarshal, askJSON, askText}[s["marshal"].n]
	case s.has("fields"):
		return askFields
	}
	return askNothing
}
