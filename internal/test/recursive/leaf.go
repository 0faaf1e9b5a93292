package recursive

import (
	"errors"

	"github.com/spanwire/spanwire/span"
)

// ErrLeaf is why a bad [Leaf] can't be written.
var ErrLeaf = errors.New("a bad leaf")

// Asked counts the leaves that were asked for their bytes.
var Asked int

// Leaf writes itself by a marshaler method.
type Leaf struct{ Bad bool }

func (l *Leaf) MarshalBinary() ([]byte, error) {
	Asked++
	if l.Bad {
		return nil, ErrLeaf
	}
	return nil, nil
}

// UnmarshalBinary reads nothing.
func (l *Leaf) UnmarshalBinary([]byte) error { return nil }

// Grove holds itself behind maps and nested lists, and a leaf.
//
//span:generate
type Grove struct {
	Leaf  Leaf
	Named map[string]Grove
	Byte  map[[2]uint8]*Grove
	Deep  [][]Grove
	Fixed [][1][]Grove
	Pairs []struct {
		Key  string
		Tree *Grove
	}
	Own []Handmade
}

// Forest is so large that its methods are several.
//
//span:generate
type Forest struct {
	A, B, C, D, E, F, G, H [][]Leaf
	I, J, K, L, M, N, O, P map[string][]Grove
	Kids                   map[int16]Forest
	Q, R, S, T, U, V, W, X [][]Leaf
}

// Handmade writes by hand what it holds.
type Handmade struct{ Tree *Grove }

// WriteSpan writes the tree.
func (h *Handmade) WriteSpan(w *span.Writer) { h.Tree.WriteSpan(w) }

// ReadSpan reads the tree.
func (h *Handmade) ReadSpan(r *span.Reader) {
	h.Tree = new(Grove)
	h.Tree.ReadSpan(r)
}

// Unfound has values that can't be found by their keys where these are not equal to
// themselves.
//
//span:generate
type Unfound struct {
	Texts map[float64]string   `span:"utf8"`
	Pairs map[complex64]string `span:"utf8,len=1"`
}

// Levels is lists within lists, as deep as its type says.
//
//span:generate
type Levels struct{ Names [][][][]string }
