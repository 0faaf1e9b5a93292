package binary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/nearest"
)

const tagKey = "binary"

// tag is what a field's tag says.
type tag struct {
	ignore bool
	sizes  []sizeTag // of FieldSize, in order

	fixed, bcd, bits, pad, align int
	rest, lsb, be, le, null      bool
	count, from                  string
	offset                       int // of count
	until                        *int64
	constant                     *string
	cond                         string
	sum                          string

	names []string // the options that were given
}

// sizeTag is one FieldSize attribute.
type sizeTag struct {
	size    int
	ref     string
	offset  int
	width   int // -1 without
	version string
}

// parseTag reads the tag of one field.
func parseTag(text string) (*tag, error) {
	raw, err := layout.TagText(text, tagKey)
	if err != nil || raw == "" {
		return nil, err
	}
	t := &tag{}
	if raw == "-" {
		t.ignore = true
		return t, nil
	}
	for group := range strings.SplitSeq(raw, ";") {
		if err := t.parseGroup(group); err != nil {
			return nil, err
		}
	}
	return t, t.conflict()
}

// parseGroup reads the options between two semicolons. The size options in it
// form one FieldSize attribute.
func (t *tag) parseGroup(group string) error {
	size := sizeTag{width: -1}
	seen := map[string]bool{}
	sized := false
	for part := range strings.SplitSeq(group, ",") {
		name, value, has := strings.Cut(part, "=")
		isSize, err := size.parse(name, value)
		if !isSize {
			err = t.parse(name, value, has)
		}
		if err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("the tag has the option %s more than once", name)
		}
		seen[name] = true
		sized = sized || isSize
	}
	if seen["offset"] {
		switch {
		case seen["count"]:
			t.offset, sized = size.offset, false
		case !seen["ref"]:
			return fmt.Errorf("the option offset needs ref or count beside it")
		}
	}
	if seen["count"] && sized {
		return fmt.Errorf("the option count excludes size, ref, width and version")
	}
	if !sized {
		return nil
	}
	if size.size == 0 && size.ref == "" && size.width < 0 {
		return fmt.Errorf("the option version needs size, ref or width beside it")
	}
	if size.width >= 0 && (size.size > 0 || size.ref != "") || size.size > 0 && size.ref != "" {
		return fmt.Errorf("the options size, ref and width exclude each other")
	}
	t.sizes = append(t.sizes, size)
	return nil
}

// parse reads an option of FieldSize, or says that it is none.
func (s *sizeTag) parse(name, value string) (bool, error) {
	var err error
	switch name {
	case "size":
		s.size, err = number(name, value, 1, maxLength)
	case "ref":
		s.ref, err = word(name, value)
	case "offset":
		s.offset, err = number(name, value, -maxLength, maxLength)
	case "width":
		s.width, err = number(name, value, 0, 4)
		if s.width == 3 {
			err = fmt.Errorf("the option width takes 0, 1, 2 or 4")
		}
	case "version":
		s.version, err = word(name, value)
	default:
		return false, nil
	}
	return true, err
}

// parse reads any other option.
func (t *tag) parse(name, value string, has bool) error {
	for _, n := range t.names {
		if n == name {
			return fmt.Errorf("the tag has the option %s more than once", name)
		}
	}
	t.names = append(t.names, name)
	if flag := t.flag(name); flag != nil {
		*flag = true
		if has {
			return fmt.Errorf("the option %s takes no value", name)
		}
		return nil
	}
	var err error
	switch name {
	case "fixed":
		t.fixed, err = number(name, value, 1, maxLength)
	case "bcd":
		t.bcd, err = number(name, value, 1, maxLength/2)
	case "bits":
		t.bits, err = number(name, value, 1, 64)
	case "pad":
		t.pad, err = number(name, value, 1, 1<<20)
	case "align":
		t.align, err = number(name, value, 2, 4096)
	case "count":
		t.count, err = word(name, value)
	case "from":
		t.from, err = word(name, value)
	case "if":
		t.cond, err = word(name, value)
	case "sum":
		t.sum, err = word(name, value)
	case "const":
		t.constant = &value
		_, err = word(name, value)
	case "until":
		n, e := strconv.ParseInt(value, 0, 64)
		if t.until, err = &n, e; e != nil {
			err = fmt.Errorf("the option until takes a number, not %q", value)
		}
	case "":
		err = fmt.Errorf("the tag has an empty option")
	case "-":
		err = fmt.Errorf("the tag has - beside other options")
	default:
		err = unknownOption(name)
	}
	return err
}

var optionNames = []string{
	"size", "ref", "offset", "width", "version", "fixed", "rest", "count", "until", "bcd", "be", "le", "bits", "lsb",
	"null", "pad", "align", "const", "if", "sum", "from", "ignore",
}

// unknownOption names the option that may be meant, or all.
func unknownOption(name string) error {
	if near := nearest.Of(name, optionNames); near != "" {
		return fmt.Errorf("unknown option %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown option %q; the options are %s", name, strings.Join(optionNames, ", "))
}

// flag gives the flag of a name.
func (t *tag) flag(name string) *bool {
	switch name {
	case "ignore":
		return &t.ignore
	case "rest":
		return &t.rest
	case "lsb":
		return &t.lsb
	case "be":
		return &t.be
	case "le":
		return &t.le
	case "null":
		return &t.null
	}
	return nil
}

// conflict reports options that exclude each other or miss one.
func (t *tag) conflict() error {
	var lengths []string
	for name, given := range map[string]bool{
		"size": len(t.sizes) > 0, "fixed": t.fixed > 0, "bcd": t.bcd > 0, "rest": t.rest,
		"count": t.count != "", "until": t.until != nil, "bits": t.bits > 0, "sum": t.sum != "",
	} {
		if given {
			lengths = append(lengths, name)
		}
	}
	switch {
	case t.ignore && (len(t.names) > 1 || len(t.sizes) > 0):
		return fmt.Errorf("the tag has ignore beside other options")
	case t.be && t.le:
		return fmt.Errorf("the options be and le exclude each other")
	case len(lengths) > 1:
		return fmt.Errorf("the options size, fixed, bcd, rest, count, until, bits and sum exclude each other")
	case t.constant != nil && (t.sum != "" || t.cond != "" || t.count != "" || t.rest || t.until != nil || t.bcd > 0):
		return fmt.Errorf("the option const goes with be, le, bits, pad, align, size and fixed only")
	case t.constant != nil && slices.ContainsFunc(t.sizes, func(s sizeTag) bool { return s.size == 0 || s.version != "" }):
		return fmt.Errorf("the option const has the length of its value: ref, width and version exclude it")
	case t.null && (len(lengths) > 0 || t.constant != nil):
		return fmt.Errorf("the option null goes with be, le, if, pad and align only")
	case t.bits > 0 && (t.cond != "" || t.pad > 0 || t.align > 0 || t.be || t.le):
		return fmt.Errorf("the option bits goes with lsb and const only")
	case t.lsb && t.bits == 0:
		return fmt.Errorf("the option lsb needs bits beside it")
	case t.from != "" && t.sum == "":
		return fmt.Errorf("the option from needs sum beside it")
	}
	return nil
}

func number(name, value string, low, high int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("the option %s takes a number from %d to %d, not %q", name, low, high, value)
	}
	return n, nil
}

func word(name, value string) (string, error) {
	if value == "" {
		return "", fmt.Errorf("the option %s takes a value", name)
	}
	return value, nil
}
