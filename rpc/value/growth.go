package value

import "reflect"

// growth counts the memory that values take while they are read.
type growth struct {
	tell func(bytes int) error // nil: nobody asks
	n    int                   // what was not told
	told int
}

const (
	leastStep = 1 << 10  // what is told at once, at first; then an eighth of what was told
	mostStep  = 64 << 10 // and no more than this
	emptyMap  = 48       // what a map without entries takes
	mapSlots  = 8        // how many entries the least map has room for
	boxed     = 16       // a value in an interface
)

// take counts n bytes.
func (g *growth) take(n int) error {
	if g.tell == nil {
		return nil
	}
	if g.n += n; g.n < min(leastStep+g.told/8, mostStep) {
		return nil
	}
	n, g.n = g.n, 0
	g.told += n
	return g.tell(n)
}

// element counts another element of a slice: when that grows, the old one is there beside the new one.
func (g *growth) element(t reflect.Type) error {
	if g.tell == nil {
		return nil
	}
	return g.take(2 * int(t.Elem().Size()))
}

// entry counts another entry of a map, which has n.
func (g *growth) entry(t reflect.Type, n int) error {
	if g.tell == nil {
		return nil
	}
	size := int(t.Key().Size()+t.Elem().Size()) + 1
	if n == 0 {
		return g.take(mapSlots * size)
	} else if n < mapSlots {
		return nil
	}
	return g.take(3 * size)
}

// pointed counts what pointers of type t point to.
func (g *growth) pointed(t reflect.Type) error {
	if g.tell == nil {
		return nil
	}
	n := 0
	for i := 0; i < hops && t.Kind() == reflect.Pointer; i++ {
		t = t.Elem()
		n += int(t.Size())
	}
	return g.take(n)
}
