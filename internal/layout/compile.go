package layout

// Compiler compiles any number of root types of one feed. It keeps what it has
// compiled, so that later roots share it; a root that fails leaves no trace.
// It is used by one goroutine at a time; the plans may be used by many.
type Compiler struct {
	feed    Feed
	shapes  map[Ref]*Shape
	infos   map[Ref]*structInfo
	nodes   map[nodeKey]*Node
	structs map[structKey]*Struct
	byType  map[Ref][]*Node // of named types, for those that differ in options
	round   int             // counts the plans, to stamp the structs of each
}

// NewCompiler returns a Compiler for the types of the feed.
func NewCompiler(feed Feed) *Compiler {
	return &Compiler{
		feed:    feed,
		shapes:  map[Ref]*Shape{},
		infos:   map[Ref]*structInfo{},
		nodes:   map[nodeKey]*Node{},
		structs: map[structKey]*Struct{},
		byType:  map[Ref][]*Node{},
	}
}

// Compile compiles a single root type; see [Compiler.Compile].
func Compile(feed Feed, root Ref) (*Plan, []Problem) {
	return NewCompiler(feed).Compile(root)
}

// Compile returns the plan of a type as a message, or every problem that keeps
// it from having one, in the order of a walk along the fields. A fault of a
// named struct is reported once, with the first path that leads to it.
//
// Pointers at the root are dereferenced. Whether a method is declared or
// promoted can't be seen by reflection, so a struct whose marshaler methods or
// WriteSpan and ReadSpan pair may come from an embedded type needs a type
// option that says what is meant: marshal or fields.
func (c *Compiler) Compile(root Ref) (*Plan, []Problem) {
	w := newWalk(c, "")
	at := At(root, c.shape(root).Name)
	root, ok := c.deref(root)
	if !ok {
		w.report(at, c.shape(root).Name, pointless)
		return nil, w.problems
	}
	at, w.own = At(root, c.shape(root).Name), c.shape(root).Pkg
	n := w.node(root, options{}, scope{root: true}, at)
	w.analyze(n)
	w.keepState(n, at)
	w.refuseEndless(n, at)
	w.checkForms(at)
	if len(w.problems) > 0 {
		return nil, w.problems
	}
	w.commit()
	return c.newPlan(n), nil
}

// pointless is the fault of a pointer that leads to pointers only.
var pointless = Fault{CodeRecursive, "the type points to itself and to nothing else", "use a struct"}

// deref follows pointers to the type they lead to; false when they lead back.
func (c *Compiler) deref(ref Ref) (Ref, bool) {
	seen := map[Ref]bool{}
	for !seen[ref] {
		sh := c.shape(ref)
		if sh.Kind != Pointer {
			return ref, true
		}
		seen[ref] = true
		ref = sh.Elem
	}
	return ref, false
}

// shape asks the feed once for each type.
func (c *Compiler) shape(ref Ref) *Shape {
	sh := c.shapes[ref]
	if sh == nil {
		s := c.feed.Shape(ref)
		sh = &s
		c.shapes[ref] = sh
	}
	return sh
}

// A walk compiles one root. What it adds is kept apart until it has succeeded.
type walk struct {
	c        *Compiler
	nodes    map[nodeKey]*Node
	structs  map[structKey]*Struct
	order    []*Node
	lists    []listSite
	problems []Problem
	told     map[Problem]bool
	own      string         // the package of the root
	trying   map[Ref]bool   // types that are tried out, to see whether they could be carried
	open     map[string]int // how many instances of a generic type the walk is in
}

func newWalk(c *Compiler, own string) *walk {
	return &walk{
		c:       c,
		nodes:   map[nodeKey]*Node{},
		structs: map[structKey]*Struct{},
		told:    map[Problem]bool{},
		open:    map[string]int{},
		own:     own,
	}
}

// nodeKey is all that a node's form depends on.
type nodeKey struct {
	ref   Ref
	form  form
	opts  options
	scope scope
	bare  bool // without the length of a sized struct
}

// structKey is all that a struct's layout depends on: for a named type just
// the type.
type structKey struct {
	ref   Ref
	cut   cut
	scope scope
}

// scope is what a field hands down to its type: the profile of the struct that
// declares it, and the package of that struct (of the nearest named one).
type scope struct {
	root    bool // no struct holds the value
	newLife bool
	pkg     string
}

// report adds a problem unless it is known.
func (w *walk) report(at Site, typ string, f Fault) {
	if fix := w.omission(at); fix != "" && f.Code != CodeUnresolved {
		f.Fix = fix
	}
	p := at.Problem(typ, f)
	if !w.told[p] {
		w.told[p] = true
		w.problems = append(w.problems, p)
	}
}

// commit hands what the walk has compiled to the compiler.
func (w *walk) commit() {
	for k, n := range w.nodes {
		w.c.nodes[k] = n
	}
	for k, s := range w.structs {
		w.c.structs[k] = s
	}
	for _, n := range w.order {
		if n.named {
			w.c.byType[n.Type] = append(w.c.byType[n.Type], n)
		}
	}
}
