package span

import (
	"reflect"
	"slices"
	"sync"

	"github.com/spanwire/spanwire/internal/layout"
)

// A mapPool has what walking maps of one type takes: iterators, and a key and a
// value that package reflect can copy into, since those in a map have no address.
type mapPool struct {
	typ  reflect.Type
	lent bool // keys and values may be kept by methods, so each gets memory of its own
	pool sync.Pool
}

// mapScratch is one item of a mapPool.
type mapScratch struct {
	iter           reflect.MapIter
	m              reflect.Value // a variable of the map type
	key, val       reflect.Value // variables of its parts
	keyAt, valueAt ptr
}

func newMapPool(n *layout.Node) *mapPool {
	return &mapPool{
		typ:  n.Type.(reflect.Type),
		lent: callsMethods(n),
	}
}

// get lends a scratch, all zero.
func (mp *mapPool) get() *mapScratch {
	if s, ok := mp.pool.Get().(*mapScratch); ok {
		return s
	}
	s := &mapScratch{m: reflect.New(mp.typ).Elem()}
	s.renew(mp)
	return s
}

// renew gives the scratch new variables.
func (s *mapScratch) renew(mp *mapPool) {
	key, val := reflect.New(mp.typ.Key()), reflect.New(mp.typ.Elem())
	s.key, s.val = key.Elem(), val.Elem()
	s.keyAt, s.valueAt = valueAddress(key), valueAddress(val)
}

// clear makes the variables zero for the next entry.
func (s *mapScratch) clear(mp *mapPool) {
	if mp.lent {
		s.renew(mp)
		return
	}
	s.key.SetZero()
	s.val.SetZero()
}

// put takes a scratch back. Nothing of the map stays in it.
func (mp *mapPool) put(s *mapScratch) {
	s.clear(mp)
	s.iter.Reset(reflect.Value{})
	s.m.SetZero()
	mp.pool.Put(s)
}

// mapping writes a map: the byte that tells nil, the count, the entries.
func (w *Writer) mapping(o *op, p ptr) {
	if o.flags&fNilable != 0 && !w.presence(!isNil(p, o)) {
		return
	}
	s := o.maps.get()
	s.m.Set(typed(p, o))
	n := s.m.Len()
	if !w.length(o, n) || n == 0 {
		o.maps.put(s)
		return
	}
	was := w.st & wElems
	w.st |= wElems
	if w.st&wSlow != 0 && w.x.opts.Deterministic {
		w.sorted(o, s)
	} else {
		w.unsorted(o, s)
	}
	w.st = w.st&^wElems | was
	o.maps.put(s)
}

// unsorted writes the entries as the iterator gives them.
func (w *Writer) unsorted(o *op, s *mapScratch) {
	s.iter.Reset(s.m)
	for s.iter.Next() {
		if o.maps.lent {
			s.renew(o.maps)
		}
		s.key.SetIterKey(&s.iter)
		s.val.SetIterValue(&s.iter)
		if !w.entry(o, s.keyAt, s.valueAt) {
			return
		}
	}
}

// entry writes one entry and reports whether it could.
func (w *Writer) entry(o *op, key, val ptr) bool {
	if w.enter(o.key, key); w.st&wFailed != 0 {
		w.At(badKey)
		return false
	}
	if w.enter(o.sub, val); w.st&wFailed != 0 {
		w.At(keyStep(o.key, key))
		return false
	}
	return true
}

// sorted writes the entries in the order of their keys.
func (w *Writer) sorted(o *op, s *mapScratch) {
	type entry struct{ key, val ptr }
	entries := make([]entry, 0, s.m.Len())
	s.iter.Reset(s.m)
	for s.iter.Next() {
		s.renew(o.maps)
		s.key.SetIterKey(&s.iter)
		s.val.SetIterValue(&s.iter)
		entries = append(entries, entry{s.keyAt, s.valueAt})
	}
	order := keyOrder{w: w}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if c := order.compare(o.key, a.key, b.key); c != 0 {
			return c
		}
		return order.encoded(o.sub, a.val, b.val) // NaNs of the same bits
	})
	for i := range entries {
		if i > 0 && order.same(o.key, entries[i-1].key, entries[i].key) {
			w.Fail(because(ErrDuplicateKey, "two keys have the same bytes"))
			w.At(keyStep(o.key, entries[i].key))
			return
		}
		if !w.entry(o, entries[i].key, entries[i].val) {
			return
		}
	}
}

// mapping reads a map into the old one, emptied, or a new one.
func (r *Reader) mapping(o *op, p ptr) {
	m, nilable := typed(p, o), o.flags&fNilable != 0
	if nilable && !r.present(o) {
		if r.st&rFailed == 0 {
			m.SetZero()
		}
		return
	}
	least := o.key.least + o.sub.least
	n, at, ok := r.count(o, least)
	if !ok {
		return
	}
	reuse := !m.IsNil() && !r.fresh()
	if reuse {
		m.Clear()
	}
	if n == 0 {
		if !reuse && nilable {
			m.Set(reflect.MakeMap(o.typ))
		} else if !reuse {
			m.SetZero()
		}
		return
	}
	keys := r.keyMaker(o, n)
	first, ahead := r.begin(o, at, n, int(o.key.size+o.sub.size)+1, least)
	if first == 0 {
		return
	}
	if !reuse {
		m.Set(reflect.MakeMapWithSize(o.typ, min(n, first)))
	}
	was := r.enterElems()
	s := o.maps.get()
	r.entries(o, m, s, n, keys)
	o.maps.put(s)
	r.leaveElems(was)
	if r.st&rFailed == 0 {
		r.came(ahead)
	}
}

// entries reads n entries. A key that comes twice keeps its last value.
func (r *Reader) entries(o *op, m reflect.Value, s *mapScratch, n int, keys keyMaker) {
	strict := r.strict()
	for i := range n {
		at := r.Offset()
		if i > 0 {
			s.clear(o.maps)
		}
		if keys.read(r, s.keyAt, n-i); r.st&rFailed != 0 {
			r.At(badKey)
			return
		}
		if r.enter(o.sub, s.valueAt); r.st&rFailed != 0 {
			r.At(keyStep(o.key, s.keyAt))
			return
		}
		have := -1
		if strict {
			have = m.Len()
		}
		m.SetMapIndex(s.key, s.val)
		if m.Len() == have {
			r.failBack(at, ErrDuplicateKey)
			r.At(keyStep(o.key, s.keyAt))
			return
		}
	}
}
