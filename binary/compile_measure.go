package binary

import (
	"math"
	"reflect"
)

func isKey(t reflect.Type) bool {
	if _, ok := builtins[t]; ok {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		return false
	case reflect.Array:
		return isKey(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !isKey(f.Type) {
				return false
			}
		}
	}
	return true
}

// measure computes the fewest bytes of a value. What leads back to a type is a
// pointer, list or map, so that sizes never depend on themselves.
func (n *node) measure() {
	switch n.op {
	case opNullable:
		if n.min = 1; n.null != notNull {
			n.min = n.elem.min
		}
	case opBool, op8, opChar:
		n.min = 1
	case opInt16, opInt32, opInt64, opInt, opUint:
		n.min = n.size
		if n.varint {
			n.min = 1
		}
		if n.bcd > 0 {
			n.min = n.bcd
		}
	case opFloat32, opFloat64:
		n.min = n.size
	case opGUID:
		n.min = 16
	case opTime, opDate, opTimeOfDay, opDuration, opDecimal, opOffset:
		n.min = 1 // of a uvarint, or what Compat writes: a lower bound will do
	case opByteArray:
		n.min = n.len
	case opString, opBytes, opChars, opSlice, opMap, opAddr, opAddrPort:
		n.min = n.sz.least(n)
	case opArray:
		n.min = int(min(int64(n.len)*int64(n.elem.min), math.MaxInt32))
	case opStruct:
		sum := int64(0)
		for i := range n.st.fields {
			sum += int64(n.st.fields[i].min)
		}
		n.min = int(min(sum, math.MaxInt32))
	}
}

// least gives the fewest bytes of what has this length.
func (s sizing) least(n *node) int {
	switch s.form {
	case sizePrefix:
		if s.varint && s.width > 1 {
			return 1
		}
		return max(int(s.width), 1)
	case sizeExact, sizeTrimmed:
		switch n.op {
		case opSlice:
			return int(min(int64(s.n)*int64(n.elem.min), math.MaxInt32))
		case opMap:
			return int(min(int64(s.n)*(int64(n.key.min)+int64(n.elem.min)), math.MaxInt32))
		}
		return s.n
	case sizeUntil:
		return 1
	}
	return 0
}

// demand makes structs need the members that are, or are made of, structs which
// need members of theirs, and reports a change.
func (n *node) demand() (changed bool) {
	if n.st == nil {
		return false
	}
	for i := len(n.st.fields) - 1; i > n.st.last; i-- {
		if f := &n.st.fields[i]; f.node != nil && (f.x == nil || f.x.cond == nil) && f.node.demands() {
			n.st.last = i
			return true
		}
	}
	return false
}

// demands reports a value with members without which it has no end.
func (n *node) demands() bool {
	switch n.op {
	case opStruct:
		return n.st.last >= 0
	case opArray:
		return n.len > 0 && n.elem.demands()
	}
	return false
}

// settle computes what follows from the parts of a node, and reports a change.
func (n *node) settle() bool {
	mutates, empty, open := n.mutates, n.empty, n.open
	switch {
	case n.st != nil:
		n.mutates = len(n.st.refs) > 0
		n.empty = !n.st.member
		for i := range n.st.fields {
			f := &n.st.fields[i]
			if f.node != nil {
				n.mutates = n.mutates || f.node.mutates
			}
			n.empty = n.empty && f.x == nil && f.node.empty
			n.open = n.open || f.isOpen()
		}
	case n.elem != nil:
		n.mutates = n.elem.mutates
		n.open = n.op == opObject && n.elem.open
		n.empty = n.op == opArray && (n.len == 0 || n.elem.empty) || n.op == opByteArray && n.len == 0
	}
	return n.mutates != mutates || n.empty != empty || n.open != open
}
