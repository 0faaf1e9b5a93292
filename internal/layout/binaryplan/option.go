package binaryplan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
)

// tagKey is the key under which a struct tag speaks to this package.
const tagKey = "binary"

// maxLength is the most bytes or elements that anything has.
const maxLength = layout.MaxLength

// An option is one row of the table.
type option struct {
	layout.Option
	of      string           // what it is for, to follow "is for"; "" for any member
	fits    func(*Node) bool // reports a member that it is for
	instead string           // what to do where it does not fit; "" to remove it or change the type
	version bool             // part of a FieldSize attribute, of which a tag may have one for each version
	needs   []string         // one of these is required with it
	beside  []string         // only these may be combined with it; nil for any
}

// table lists the options of fields.
var table = []option{
	{
		Option: count("size", 1, maxLength, "size=6"),
		of:     sizable, fits: (*Node).isSizable,
		version: true,
	},
	{
		Option: word("ref", integerBefore, "ref=Head.Len"),
		of:     sizable, fits: (*Node).isSizable,
		version: true,
	},
	{
		Option:  count("offset", -maxLength, maxLength, "offset=-2"),
		version: true, needs: []string{"ref", "count"},
	},
	{
		Option: layout.Option{Name: "width", Wants: "takes 0, 1, 2 or 4", Example: "width=2", Value: layout.OneOf(0, 1, 2, 4)},
		of:     sizable, fits: (*Node).isSizable,
		version: true,
	},
	{
		Option:  word("version", "the version that the sizes in the same tag are for", "version=2019"),
		version: true, needs: []string{"size", "ref", "width"},
	},
	{
		Option: count("fixed", 1, maxLength, "fixed=8"),
		of:     "strings and []byte", fits: (*Node).isText,
		instead: "use size for lists and maps",
	},
	{
		Option: layout.Flag("rest"),
		of:     "strings, []byte and slices", fits: (*Node).isList,
	},
	{
		Option: word("count", integerBefore, "count=Head.Len"),
		of:     sizable, fits: (*Node).isSizable,
	},
	{
		Option: integer("until", "until=0"),
		of:     "strings, []byte and slices of integers", fits: (*Node).isEnded,
	},
	{
		Option: count("bcd", 1, maxLength/2, "bcd=6"),
		of:     "strings and unsigned integers", fits: (*Node).isDigits,
	},
	{
		Option: layout.Flag("be"),
		of:     "numbers of 16 or more bits", fits: (*Node).hasNumber,
		instead: "remove it: there is no byte order",
	},
	{
		Option: layout.Flag("le"),
		of:     "numbers of 16 or more bits", fits: (*Node).hasNumber,
		instead: "remove it: there is no byte order",
	},
	{
		Option: count("bits", 1, 64, "bits=3"),
		of:     "integers and bools", fits: (*Node).isBits,
		beside: []string{"lsb", "const"},
	},
	{
		Option: layout.Flag("lsb"),
		needs:  []string{"bits"},
	},
	{
		Option: layout.Flag("null"),
		of:     "pointers to what can be null in .NET, and lists and maps of them", fits: (*Node).isNullable,
		instead: "remove it: only what can be null there goes without a flag",
		beside:  []string{"be", "le", "if", "pad", "align"},
	},
	{Option: count("pad", 1, 1<<20, "pad=2")},
	{Option: count("align", 2, 4096, "align=4")},
	{
		Option: word("const", "a number, text, or 0x and hex digits", "const=0x7e"),
		of:     "integers, strings, []byte and arrays of bytes", fits: (*Node).isConst,
		instead: "use the integer, text or bytes that stand there",
		beside:  []string{"be", "le", "bits", "lsb", "pad", "align", "size", "fixed"},
	},
	{Option: word("if", "a bool, or a bit of an integer, in a member before this one", "if=Flags.3")},
	{
		Option: layout.Option{Name: "sum", Wants: "takes " + sumWords(), Example: "sum=crc32", Value: sumIndex},
		of:     "unsigned integers", fits: (*Node).isUnsigned,
	},
	{
		Option: word("from", "a member before this one", "from=Kind"),
		needs:  []string{"sum"},
	},
	{
		Option: layout.Flag("ignore"),
		beside: []string{},
	},
}

const (
	sizable       = "strings, []byte, slices and maps"
	integerBefore = "an integer in a member before this one"
)

// dialect is the table as package layout reads it.
var dialect = layout.Dialect{
	Key:       tagKey,
	Skip:      "-",
	Fields:    fieldOptions(),
	Types:     []layout.Option{layout.Flag("fields"), layout.Flag("methods")},
	Exclusive: [][]string{{"size", "ref", "width"}},
}

func fieldOptions() []layout.Option {
	all := make([]layout.Option, len(table))
	for i, o := range table {
		all[i] = o.Option
	}
	return all
}

// lengths are the options of which a member may have one, after those of a
// FieldSize attribute.
var lengths = []string{"fixed", "bcd", "rest", "count", "until", "bits", "sum"}

// count is an option that takes a number of a range.
func count(name string, low, high int, example string) layout.Option {
	wants := "takes a number from " + strconv.Itoa(low) + " to " + strconv.Itoa(high)
	return layout.Option{Name: name, Wants: wants, Example: example, Value: func(text string, _ bool) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= low && n <= high
	}}
}

// integer is an option that takes any integer, as Go writes it.
func integer(name, example string) layout.Option {
	return layout.Option{Name: name, Wants: "takes a number", Example: example, Value: func(text string, _ bool) (int, bool) {
		_, err := strconv.ParseInt(text, 0, 64)
		return 0, err == nil
	}}
}

// word is an option that takes any text.
func word(name, what, example string) layout.Option {
	return layout.Option{Name: name, Wants: "takes " + what, Example: example, Value: func(text string, _ bool) (int, bool) {
		return 0, text != ""
	}}
}

// Sums lists the checksums by name, with the bytes that they take.
var Sums = []struct {
	Name string
	Size int
}{{"crc32", 4}, {"crc16-modbus", 2}, {"xor", 1}, {"sum8", 1}}

func sumIndex(text string, _ bool) (int, bool) {
	for i, s := range Sums {
		if s.Name == text {
			return i, true
		}
	}
	return 0, false
}

func sumWords() string {
	names := make([]string, len(Sums))
	for i, s := range Sums {
		names[i] = s.Name
	}
	return list(names, "or")
}

// list joins words as people do: "a, b or c".
func list(words []string, last string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
	}
	return strings.Join(words, "")
}

// rowOf returns the row of an option.
func rowOf(name string) *option {
	i := slices.IndexFunc(table, func(o option) bool { return o.Name == name })
	return &table[i]
}
