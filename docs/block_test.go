package docs_test

import (
	"fmt"
	"regexp"
	"strings"
)

// A block is a fenced piece of Go of a page, or a prelude.
type block struct {
	page  string
	line  int    // of its first line of code
	unit  string // the package that it is part of
	code  string
	alone bool // it is a whole file
}

func (b block) at() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

var (
	packageClause = regexp.MustCompile(`(?m)^package (\w+)$`)
	unitComment   = regexp.MustCompile(`^<!-- go: package (\w+) -->$`)
)

// blocks returns the Go blocks of a page.
//
// All fragments of a page are one package, so that one declares what the next
// uses; a block with a package clause is a package of its own. A comment line
//
//	<!-- go: package NAME -->
//
// puts the block after it, whole or not, into another package, with all other
// blocks under that name. What the reader need not see stands in a prelude:
//
//	<!-- go: prelude
//	var order Order
//	-->
func blocks(page, text string) ([]block, error) {
	var all []block
	var open *block // the block or prelude whose end is to come
	end, unit := "", ""
	for i, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case open != nil && trimmed == end:
			if m := packageClause.FindStringSubmatch(open.code); m != nil {
				if open.alone = true; open.unit == "" {
					open.unit = fmt.Sprintf("at%d", open.line)
				}
			}
			all, open, unit = append(all, *open), nil, ""
		case open != nil:
			open.code += line + "\n"
		case strings.HasPrefix(trimmed, "```go"):
			open, end = &block{page: page, line: i + 2, unit: unit}, "```"
		case trimmed == "<!-- go: prelude":
			open, end = &block{page: page, line: i + 2, unit: unit}, "-->"
		case unitComment.MatchString(trimmed):
			unit = unitComment.FindStringSubmatch(trimmed)[1]
		case strings.HasPrefix(trimmed, "<!-- go"):
			return nil, fmt.Errorf("%s:%d: %s is not a comment that this test knows", page, i+1, trimmed)
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s: the block has no end", open.at())
	}
	return all, nil
}
