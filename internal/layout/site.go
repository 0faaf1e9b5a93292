package layout

import (
	"slices"
	"strings"
)

// A Site is the place of the value at hand: its path, and the deepest field.
// The path is spelled out only where something is wrong.
type Site struct {
	up    *Site
	part  string
	owner Ref
	field int
}

// At returns the site of a root type.
func At(root Ref, name string) Site { return Site{owner: root, field: -1, part: baseName(name)} }

// At returns the site of one field of a struct that stands here.
func (s Site) At(owner Ref, field int, name string) Site {
	return Site{up: &s, part: "." + name, owner: owner, field: field}
}

// In returns the site of a part of the value that is not a field.
func (s Site) In(part string) Site {
	return Site{up: &s, part: part, owner: s.owner, field: s.field}
}

// Path returns the path from the root.
func (s Site) Path() string {
	parts := []string{s.part}
	for up := s.up; up != nil; up = up.up {
		parts = append(parts, up.part)
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

// Problem returns the problem that a fault is at this place; typ is the type
// at fault.
func (s Site) Problem(typ string, f Fault) Problem {
	return Problem{
		Code: f.Code, Path: s.Path(), Owner: s.owner, Field: s.field,
		Type: typ, Reason: f.Reason, Fix: f.Fix,
	}
}

// baseName takes the package paths out of a type's name, and the fields out of
// an anonymous struct's.
func baseName(name string) string {
	if i := strings.Index(name, "struct {"); i >= 0 {
		name = name[:i] + "struct"
	}
	var b strings.Builder
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && !strings.ContainsRune("[]*,(){} ", rune(name[i])) {
			continue
		}
		word, variadic := strings.CutPrefix(name[start:i], "...")
		if variadic {
			b.WriteString("...")
		}
		b.WriteString(word[strings.LastIndexByte(word, '.')+1:])
		if i < len(name) {
			b.WriteByte(name[i])
		}
		start = i + 1
	}
	return b.String()
}
