package binary

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/span"
)

// compiler makes plans. What one compilation has made is kept only if it
// succeeds.
type compiler struct {
	form     form
	nodes    map[nodeKey]*node
	own      []*node  // of members whose tags change their type's plan
	problems []string // those of types first
	types    int      // how many those are
	told     map[string]bool
}

// nodeKey is all that a type's plan depends on.
type nodeKey struct {
	t    reflect.Type
	form form
}

// compiled holds the nodes of all plans, for types that plans have in common.
var compiled = struct {
	sync.Mutex
	nodes map[nodeKey]*node
}{nodes: map[nodeKey]*node{}}

// compile makes the plan of a root type and keeps it.
func compile(set *planSet, t reflect.Type) *entry {
	compiled.Lock()
	defer compiled.Unlock()
	if e, ok := set.roots.Load(t); ok {
		return e.(*entry)
	}
	index := 0
	for index < formCount && &planSets[index] != set {
		index++
	}
	c := &compiler{form: formOf(index), nodes: map[nodeKey]*node{}, told: map[string]bool{}}
	e := &entry{node: c.node(t, c.form, typeName(t))}
	c.settle()
	e.err, e.tagErr = unsupportedBy(c.problems), unsupportedBy(c.problems[c.types:])
	if e.err == nil {
		for k, n := range c.nodes {
			compiled.nodes[k] = n
		}
	}
	set.roots.Store(t, e)
	return e
}

// unsupportedBy makes an error of the reasons.
func unsupportedBy(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrUnsupported, strings.Join(problems, "; "))
}

// settle computes what follows from the parts of all nodes, round cycles.
func (c *compiler) settle() {
	before := len(c.problems) - c.types
	for changed := true; changed; {
		changed = false
		for _, n := range c.nodes {
			changed = n.settle() || changed
		}
		for _, n := range c.own {
			changed = n.settle() || changed
		}
	}
	for _, n := range c.nodes {
		c.close(n)
	}
	for changed := true; changed; {
		changed = false
		for _, n := range c.nodes {
			changed = n.demand() || changed
		}
	}
	slices.Sort(c.problems[c.types:][before:])
}

// unknown keeps the reason why a type has no form of its own.
func (c *compiler) unknown(n *node, path, format string, args ...any) {
	n.op = opUnknown
	before := len(c.problems)
	c.report(path, format, args...)
	if last := len(c.problems); last > before { // to the front
		text := c.problems[last-1]
		copy(c.problems[c.types+1:], c.problems[c.types:last-1])
		c.problems[c.types] = text
		c.types++
	}
}

// report keeps a reason why the type has no plan.
func (c *compiler) report(path, format string, args ...any) {
	text := path + ": " + fmt.Sprintf(format, args...)
	if !c.told[text] {
		c.told[text] = true
		c.problems = append(c.problems, text)
	}
}

// typeName is how paths begin: the type without its package.
func typeName(t reflect.Type) string {
	switch {
	case t.Name() != "":
		return t.Name()
	case t.Kind() == reflect.Struct:
		return "struct"
	}
	return t.String()
}

// node gives the plan of a type; nodes of named types are shared, so that types
// may contain themselves.
func (c *compiler) node(t reflect.Type, f form, path string) *node {
	key := nodeKey{t, f}
	if n := compiled.nodes[key]; n != nil {
		return n
	}
	if n := c.nodes[key]; n != nil {
		return n
	}
	n := &node{typ: t, le: f.le, varint: f.varint, full: f.fullTime, sz: f.size}
	c.nodes[key] = n
	if !n.builtin(t) && !c.methods(n, t, path) {
		c.byKind(n, t, f, path)
	}
	n.measure()
	return n
}

var (
	timeType         = reflect.TypeFor[time.Time]()
	serializableType = reflect.TypeFor[span.Serializable]()
	accessorType     = reflect.TypeFor[Accessor]()
	memberType       = reflect.TypeFor[MemberAccessor]()
)

// builtins are the types with a form of their own.
var builtins = map[reflect.Type]op{
	reflect.TypeFor[span.GUID]():      opGUID,
	reflect.TypeFor[span.Decimal]():   opDecimal,
	reflect.TypeFor[span.Char]():      opChar,
	reflect.TypeFor[time.Duration]():  opDuration,
	reflect.TypeFor[netip.Addr]():     opAddr,
	reflect.TypeFor[netip.AddrPort](): opAddrPort,
	reflect.TypeFor[Chars]():          opChars,
	reflect.TypeFor[Date]():           opDate,
	reflect.TypeFor[TimeOfDay]():      opTimeOfDay,
	reflect.TypeFor[DateTimeOffset](): opOffset,
}

func (n *node) builtin(t reflect.Type) bool {
	n.op = builtins[t]
	if n.op == opNone && t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) {
		n.op = opTime
	}
	return n.op != opNone
}

// methods plans types that write themselves.
func (c *compiler) methods(n *node, t reflect.Type, path string) bool {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return false
	}
	p := reflect.PointerTo(t)
	if p.Implements(accessorType) && c.owns(t, accessorType, path, "WriteBinary and ReadBinary") {
		n.op = opAccessor
		return true
	}
	if m := (fromreflect.Feed{}).Shape(t).Methods; m.Span && !m.Generated && !m.Promoted &&
		c.owns(t, serializableType, path, "WriteSpan and ReadSpan") {
		n.op = opSpan
		return true
	}
	return false
}

// owns reports whether methods are a struct's own; where they may be promoted
// from an embedded field the type must say what is meant.
func (c *compiler) owns(t, methods reflect.Type, path, names string) bool {
	switch c.typeOption(t, path) {
	case "fields":
		return false
	case "methods":
		return true
	}
	if t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(methods) || reflect.PointerTo(f.Type).Implements(methods)) {
			c.report(path, "%s has %s that may be promoted from %s; say what is meant with a field _ struct{} `binary:\"fields\"` or `binary:\"methods\"`", t, names, f.Name)
			return true
		}
	}
	return true
}

// typeOption gives what a blank field of type struct{} says about its struct.
func (c *compiler) typeOption(t reflect.Type, path string) string {
	if t.Kind() != reflect.Struct {
		return ""
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == "_" && f.Type.Size() == 0 {
			text, err := layout.TagText(string(f.Tag), tagKey)
			if err != nil {
				c.report(path, "%v", err)
			}
			if text == "fields" || text == "methods" {
				return text
			}
		}
	}
	return ""
}

// byKind plans a type by its kind.
func (c *compiler) byKind(n *node, t reflect.Type, f form, path string) {
	switch t.Kind() {
	case reflect.Slice:
		n.op = opSlice
		if t.Elem().Kind() == reflect.Uint8 && !c.selfWriting(t.Elem()) {
			n.op = opBytes
			return
		}
		c.elem(n, t.Elem(), f, path+"[]")
	case reflect.Array:
		n.op, n.len = opArray, t.Len()
		c.elem(n, t.Elem(), f, path+"[]")
		if n.elem.op == op8 && !n.elem.signed && !c.selfWriting(t.Elem()) {
			n.op = opByteArray
		}
	case reflect.Map:
		n.op = opMap
		n.key = c.node(t.Key(), f, path+"[key]")
		if !isKey(t.Key()) {
			c.report(path, "map keys that are or hold pointers or interfaces have no form")
		}
		c.elem(n, t.Elem(), f, path+"[]")
		n.pool = newMapPool(t)
	case reflect.Pointer:
		c.elem(n, t.Elem(), f, path)
		n.op = opNullable
		switch n.elem.op {
		case opStruct, opAccessor, opSpan:
			n.op = opObject
		}
	case reflect.Struct:
		n.op = opStruct
		n.st = &structPlan{last: -1}
		c.structOf(n, t, f, path)
	case reflect.Interface:
		n.op = opAny
		if t.NumMethod() > 0 {
			c.unknown(n, path, "the interface %s has no form; []any is written by the types of its elements", t)
		}
	default:
		n.scalar(t)
		if n.op == opNone {
			c.unknown(n, path, "the type %s has no form; leave it out with `binary:\"ignore\"`", t)
		}
	}
}

// selfWriting reports a type whose pointer has methods that count.
func (c *compiler) selfWriting(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(accessorType) || p.Implements(serializableType)
}

func (c *compiler) elem(n *node, t reflect.Type, f form, path string) {
	n.elem = c.node(t, f, path)
	n.stride = t.Size()
}

// scalar plans numbers, bools and strings.
func (n *node) scalar(t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		n.op = opBool
	case reflect.Int8, reflect.Uint8:
		n.op, n.size = op8, 1
	case reflect.Int16, reflect.Uint16:
		n.op, n.size = opInt16, 2
	case reflect.Int32, reflect.Uint32:
		n.op, n.size = opInt32, 4
	case reflect.Int64, reflect.Uint64:
		n.op, n.size = opInt64, 8
	case reflect.Int:
		n.op, n.size = opInt, 8
	case reflect.Uint:
		n.op, n.size = opUint, 8
	case reflect.Float32:
		n.op, n.size = opFloat32, 4
	case reflect.Float64:
		n.op, n.size = opFloat64, 8
	case reflect.String:
		n.op = opString
	}
	n.signed = t.Kind() <= reflect.Int64 && t.Kind() >= reflect.Int
}

// isInt reports an integer.
func (n *node) isInt() bool { return n.op >= op8 && n.op <= opUint }
