package binary

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// mapScratch is what iterating over a map needs.
type mapScratch struct {
	iter     reflect.MapIter
	key, val reflect.Value
}

func newMapPool(t reflect.Type) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &mapScratch{key: reflect.New(t.Key()).Elem(), val: reflect.New(t.Elem()).Elem()}
	}}
}

// free clears what would keep the map's contents alive.
func (s *mapScratch) free(pool *sync.Pool) {
	s.iter.Reset(reflect.Value{})
	s.key.SetZero()
	s.val.SetZero()
	pool.Put(s)
}

// mapping writes the entries of a map.
func (e *Encoder) mapping(n *node, p ptr, sz sizing) {
	m := valueOf(n, p)
	if m.IsNil() && e.Compat {
		e.null()
		return
	}
	switch {
	case sz.Form == binaryplan.Prefixed:
		e.size(m.Len(), sz)
	case m.Len() != sz.N && !e.Compat:
		e.fail(because(ErrRange, "%d entries, not %d", m.Len(), sz.N))
	}
	if e.err != nil || !e.enter() {
		return
	}
	s := n.pool.Get().(*mapScratch)
	defer s.free(n.pool)
	if e.Deterministic {
		e.sorted(n, m, s)
	} else {
		var seen map[string]bool
		if !e.Compat && !e.distinct(n.key) {
			seen = map[string]bool{}
		}
		s.iter.Reset(m)
		for e.err == nil && s.iter.Next() {
			s.key.SetIterKey(&s.iter)
			s.val.SetIterValue(&s.iter)
			e.entry(n, s, seen)
		}
	}
	e.level--
}

// sorted writes the entries in the order of their keys.
func (e *Encoder) sorted(n *node, m reflect.Value, s *mapScratch) {
	type entry struct{ key, val reflect.Value } // NaN can't be looked up
	entries := make([]entry, 0, m.Len())
	for s.iter.Reset(m); s.iter.Next(); {
		entries = append(entries, entry{s.iter.Key(), s.iter.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return compareKeys(a.key, b.key) })
	seen := map[string]bool{}
	for _, x := range entries {
		s.key.Set(x.key)
		s.val.Set(x.val)
		if e.entry(n, s, seen); e.err != nil {
			return
		}
	}
}

// entry writes one key, which must differ from those seen, if any are noted, and
// its value.
func (e *Encoder) entry(n *node, s *mapScratch, seen map[string]bool) {
	at := len(e.b)
	e.value(n.key, mem.Address(s.key))
	if seen != nil && e.err == nil && s.key.Equal(s.key) { // which NaN does not
		bytes := string(e.b[at:])
		if seen[bytes] {
			e.fail(because(ErrDuplicateKey, "two keys have the same bytes"))
		}
		seen[bytes] = true
	}
	e.mapped(n, s)
}

// distinct reports keys that differ in their bytes wherever they differ in Go.
func (s *settings) distinct(n *node) bool {
	switch n.op {
	case opBool, op8, opInt16, opInt32, opInt64, opInt, opUint, opFloat32, opFloat64, opByteArray,
		opChar, opGUID, opDate, opTimeOfDay, opDuration:
		return s.Handlers == nil
	case opString, opChars:
		return s.Handlers == nil && s.Encoding == nil
	case opArray:
		return s.distinct(n.elem)
	}
	return false
}

// mapped writes the value of an entry.
func (e *Encoder) mapped(n *node, s *mapScratch) {
	if e.err == nil {
		if n.elem.op == opObject || n.elem.null != binaryplan.Flagged {
			e.reference(n.elem, mem.Address(s.val))
		} else {
			e.value(n.elem, mem.Address(s.val))
		}
	}
	if e.err != nil {
		e.at(keyStep(s.key.Interface()))
	}
}

// compareKeys orders map keys: numbers and strings by value, false before true,
// arrays and structs part by part, other types by what they look like.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(btoi(a.Bool()), btoi(b.Bool()))
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Struct:
		return compareStructs(a, b)
	}
	return bytes.Compare(fmt.Append(nil, a), fmt.Append(nil, b))
}

// compareStructs orders structs by their fields, the unexported ones included.
func compareStructs(a, b reflect.Value) int {
	if x, ok := a.Interface().(interface{ String() string }); ok && a.NumField() > 0 && !a.Type().Field(0).IsExported() {
		return strings.Compare(x.String(), b.Interface().(interface{ String() string }).String())
	}
	for i := range a.NumField() {
		if !a.Type().Field(i).IsExported() {
			continue
		}
		if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
			return c
		}
	}
	return 0
}

func btoi(v bool) int {
	if v {
		return 1
	}
	return 0
}
