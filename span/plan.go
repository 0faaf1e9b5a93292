package span

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
)

// A plan is what the package knows about one dynamic type of a root value, be
// it T or a pointer to it. Plans are made once per type, on first use, and kept
// for the life of the process, those of types without a wire form included.
type plan struct {
	word typeWord     // identifies the dynamic type in the table
	typ  reflect.Type // the type that is laid out: never a pointer
	err  error        // why there is no program: an *Error without Op

	levels int // pointers that lead from the root to the value

	node      *layout.Node
	programs  [swCount]atomic.Pointer[program]
	user      bool         // methods that others wrote are called on the way
	marshals  bool         // marshaler methods are among them
	loops     atomic.Int32 // calls to be refused, since such methods came back without end
	strings   bool         // this package makes strings when it reads
	generated bool         // *T has generated methods that write the whole message
	shares    bool         // there are shared pointers
	rooted    bool         // the root may be reached by shared pointers
	ends      bool         // self-delimiting
	plain     bool         // entry points may walk it without looking left or right
	direct    bool         // roots are a *T with generated methods
}

// planLock guards the making of plans and programs.
var planLock sync.Mutex

// made holds all programs, under planLock.
var made = map[programKey]*program{}

// plans holds all plans by their reflect.Type; the table in front of it is in
// plan_mem.go.
var plans sync.Map

// planFor gives the plan of a type, made on first use.
func planFor(t reflect.Type) *plan {
	if pl, ok := plans.Load(t); ok {
		return pl.(*plan)
	}
	planLock.Lock()
	defer planLock.Unlock()
	if pl, ok := plans.Load(t); ok {
		return pl.(*plan)
	}
	pl := makePlan(t)
	plans.Store(t, pl)
	return pl
}

// makePlan lays a type out.
func makePlan(t reflect.Type) *plan {
	pl := &plan{word: wordOf(t), typ: t}
	for pl.typ.Kind() == reflect.Pointer && pl.levels < maxDepth {
		pl.typ, pl.levels = pl.typ.Elem(), pl.levels+1
	}
	compiled, problems := fromreflect.Compile(t)
	if len(problems) > 0 {
		pl.err = &Error{Type: pl.typ.String(), Offset: -1, Err: &layout.Error{Kind: ErrUnsupported, Problems: problems}}
		return pl
	}
	n := compiled.Root
	if reaches(n, holdsHidden) {
		pl.err = &Error{Type: pl.typ.String(), Offset: -1, Err: errHidden}
		return pl
	}
	pl.node, pl.ends = n, compiled.SelfDelimiting
	pl.user, pl.marshals = callsMethods(n), reaches(n, marshals)
	pl.strings = reaches(n, func(n *layout.Node) bool { return n.Op == layout.OpString })
	pl.rooted = n.Op == layout.OpStruct && n.Struct.RootShared
	pl.shares = n.Shares || pl.rooted || n.Op == layout.OpSized && n.Elem.Shares
	pl.generated = n.Generated && isGenerated(reflect.PointerTo(pl.typ))
	pl.direct = pl.generated && pl.levels == 1
	pl.plain = !pl.user && !pl.generated && !n.Shares && !reaches(n, func(n *layout.Node) bool { return n.Op == layout.OpInline })
	if pl.program(0).incomplete() {
		pl.err = &Error{Type: pl.typ.String(), Offset: -1, Err: errNoOperation}
	}
	return pl
}

// isGenerated reports that the methods that entry points call are there.
func isGenerated(ptr reflect.Type) bool {
	return ptr.Implements(reflect.TypeFor[generatedMethods]())
}

// generatedMethods is what spangen writes for every type.
type generatedMethods interface {
	Serializable
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
}

// first gives the program without switches.
func (pl *plan) first() *program { return pl.programs[0].Load() }

// program gives the program under some switches. It needs planLock for one that
// has not been made.
func (pl *plan) program(switches int) *program {
	if pr := pl.programs[switches].Load(); pr != nil {
		return pr
	}
	c := compiler{made, switches}
	pr := c.program(pl.node)
	pl.programs[switches].Store(pr)
	return pr
}

// under gives the program for a cursor's options.
func (pl *plan) under(o *Options) *program {
	s := o.switches()
	if pr := pl.programs[s].Load(); pr != nil {
		return pr
	}
	planLock.Lock()
	defer planLock.Unlock()
	return pl.program(s)
}

// callsMethods reports whether walking a node calls methods that neither this
// package nor spangen wrote.
func callsMethods(root *layout.Node) bool {
	return reaches(root, func(n *layout.Node) bool { return n.Op == layout.OpSelf || marshals(n) })
}

// marshals reports a value that is written by a marshaler method of its type.
func marshals(n *layout.Node) bool {
	switch n.Op {
	case layout.OpBinary, layout.OpText, layout.OpJSON, layout.OpGob:
		return true
	}
	return false
}

// reaches reports whether a node for which is holds is below root.
func reaches(root *layout.Node, is func(*layout.Node) bool) bool {
	seen := map[*layout.Node]bool{}
	var visit func(*layout.Node) bool
	visit = func(n *layout.Node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		if is(n) {
			return true
		}
		if n.Struct != nil {
			for i := range n.Struct.Fields {
				if visit(n.Struct.Fields[i].Node) {
					return true
				}
			}
		}
		return visit(n.Key) || visit(n.Elem)
	}
	return visit(root)
}
