package emit

import "github.com/spanwire/spanwire/internal/layout"

// Sizes as far as they hold wherever the file is built: a type that is declared
// under a build constraint may look different elsewhere, and then so would the
// code.

// fixed returns the size of a value if every value takes the same, else -1.
func (f *file) fixed(n *layout.Node) int {
	if f.varies(n) {
		return -1
	}
	return n.Fixed
}

// steady returns the size of a value if every value takes the same, nil
// pointers to nothing included, else -1.
func (f *file) steady(n *layout.Node) int {
	if size := f.fixed(n); size >= 0 {
		return size
	}
	switch n.Op {
	case layout.OpPointer:
		if f.fixed(n.Elem) == 0 && f.class(n).unit == nil {
			return 1
		}
	case layout.OpArray:
		if size := f.steady(n.Elem); size >= 0 && f.class(n).unit == nil {
			return n.Len * size
		}
	case layout.OpStruct:
		return f.steadyStruct(n)
	case layout.OpSized:
		if size := f.steady(n.Elem); size >= 0 && f.class(n).unit == nil {
			return uvarintSize(size) + size
		}
	}
	return -1
}

// uvarintSize is the size of a length.
func uvarintSize(n int) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}

// looksAt reports whether code that writes or reads a value mentions it: not
// where there is no byte to it, nor more than the length of a sized struct
// without bytes.
func (f *file) looksAt(n *layout.Node) bool {
	if f.class(n).unit != nil || n.Nilable {
		return true
	}
	switch n.Op {
	case layout.OpArray, layout.OpInline:
		return f.fixed(n) != 0
	case layout.OpSized:
		return f.looksAt(n.Elem)
	case layout.OpStruct:
		for i := range n.Struct.Fields {
			if f.looksAt(n.Struct.Fields[i].Node) {
				return true
			}
		}
		return false
	}
	return true
}

func (f *file) steadyStruct(n *layout.Node) int {
	if !f.class(n).fold {
		return -1
	}
	total := 0
	for i := range n.Struct.Fields {
		size := f.steady(n.Struct.Fields[i].Node)
		if size < 0 {
			return -1
		}
		total += size
	}
	return total
}

// min returns the smallest size of a value.
func (f *file) min(n *layout.Node) int {
	switch {
	case !f.varies(n):
		return n.Min
	case f.isForeignBuild(n):
		return 0
	case n.Op == layout.OpArray:
		return n.Len * f.min(n.Elem)
	case n.Op != layout.OpStruct:
		return min(n.Min, f.least(n))
	}
	total := 0
	for i := range n.Struct.Fields {
		total += f.min(n.Struct.Fields[i].Node)
	}
	return total
}

// least returns what a value takes besides its parts.
func (f *file) least(n *layout.Node) int {
	if n.Op == layout.OpInline {
		return 0
	}
	return leadOf(n)
}

// minElem returns the smallest size of an element, or of a key and its value.
func (f *file) minElem(n *layout.Node) int {
	if n.Key != nil {
		return f.leastInList(n.Key) + f.leastInList(n.Elem)
	}
	return f.leastInList(n.Elem)
}

// leastInList returns the smallest size of a value within a list.
func (f *file) leastInList(n *layout.Node) int {
	if f.varies(n) {
		return f.min(n)
	}
	return n.Least
}

// most returns the largest number of elements that the code decides about.
func (f *file) most(n *layout.Node) int {
	if n.Max == layout.Unlimited && n.Elem != nil && f.varies(n.Elem) && f.minElem(n) == 0 {
		return layout.MaxEmpty // elsewhere the elements may take no byte
	}
	return n.Max
}

// varies reports whether n is a value whose size depends on a type that is
// declared under another build constraint.
func (f *file) varies(n *layout.Node) bool {
	v, ok := f.varying[n]
	if ok {
		return v
	}
	f.varying[n] = false
	v = f.isForeignBuild(n) || n.Key != nil && f.varies(n.Key) || n.Elem != nil && f.varies(n.Elem)
	if n.Struct != nil {
		for i := range n.Struct.Fields {
			v = v || f.varies(n.Struct.Fields[i].Node)
		}
	}
	f.varying[n] = v
	return v
}
