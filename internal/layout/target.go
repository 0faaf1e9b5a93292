package layout

// A target is one option of a tag and whether it applies to something.
type target struct {
	name  string
	given bool
	fits  bool
	wants string // what it is for
}

// checkTargets reports the options of a field that find nothing to apply to.
// Types that have no wire form are left to the walk.
func (w *walk) checkTargets(ref Ref, o options, sc scope, at Site) {
	if o == (options{}) {
		return
	}
	if o.length != (lengthOptions{}) {
		outer, ok := w.c.deref(ref)
		w.missed(ref, outer, o, ok, w.c.lengthTargets(outer, o, sc), sc, at)
	}
	if o.leaf == (leafOptions{}) {
		return
	}
	leaf, behind, ok := w.c.leaf(ref, o.leaf.ask, sc.pkg)
	w.missed(ref, leaf, o, ok, w.c.leafTargets(leaf, behind, o.leaf, sc), sc, at)
	if o.leaf.shared && ok && behind {
		w.checkShared(ref, leaf, o, sc, at)
	}
}

// missed reports the options given that do not fit the type they arrive at;
// none does where ok is false, since the types lead back to themselves.
func (w *walk) missed(ref, arrived Ref, o options, ok bool, targets []target, sc scope, at Site) {
	sh := w.c.shape(arrived)
	f, fl := w.c.form(arrived, o.leaf.ask, sc.pkg)
	if ok && (fl != nil || f == formKind && (refused(sh.Kind) || sh.Kind == TypeParam)) {
		return
	}
	name := w.c.shape(ref).Name
	for _, t := range targets {
		if t.given && (!t.fits || !ok) {
			w.report(at, name, Fault{
				CodeTagTarget, "the option " + t.name + " is for " + t.wants + ", but " + name + " has none",
				"remove the option or change the type",
			})
		}
	}
}

// leafTargets returns which options of a leaf fit the type.
func (c *Compiler) leafTargets(leaf Ref, behind bool, o leafOptions, sc scope) []target {
	f, _ := c.form(leaf, o.ask, sc.pkg)
	kind := c.shape(leaf).Kind
	if f != formKind {
		kind = Unresolved
	}
	size, signed, _ := intSize(kind)
	isInt := kind >= Int && kind <= Uint64 && size > 1
	isFloat := kind >= Float32 && kind <= Complex128
	isTime, isStruct := f == formTime, f == formFields
	coded := isTime && timeEnc(o.time, sc) != TimeFull
	return []target{
		{"varint", o.enc == EncVarint, isInt || coded, "integers of 16 or more bits and times of one number"},
		{"zigzag", o.enc == EncZigZag, isInt && signed, "signed integers of 16 or more bits"},
		{"be", o.be, isInt || isFloat || isTime, "numbers of 16 or more bits"},
		{o.time.String(), o.time != timeDefault, isTime, "times"},
		{"utf8", o.utf8, f == formText || kind == String, "strings"},
		{"sized", o.sized, isStruct, "structs laid out by their fields"},
		{"shared", o.shared, isStruct && behind, "pointers to structs laid out by their fields"},
		{"fields", o.ask == askFields, isStruct, "structs"},
		{o.ask.word(), o.ask.marshals(), true, "types with marshaler methods"},
		{"omit", o.cut.paths != "", isStruct, "structs laid out by their fields"},
	}
}

// lengthTargets returns which options of a length fit the outermost type.
func (c *Compiler) lengthTargets(outer Ref, o options, sc scope) []target {
	f, _ := c.form(outer, o.leaf.ask, sc.pkg)
	sh := c.shape(outer)
	isBytes := f == formKind && c.isBytes(sh, o.leaf.ask)
	isString := f == formKind && sh.Kind == String
	isList := f == formKind && (sh.Kind == Slice || sh.Kind == Map)
	isAny := isString || isList || f == formBinary || f == formText || f == formJSON || f == formGob
	return []target{
		{"len", o.length.prefix > 0, isAny, "an outermost string, slice, map or marshaler"},
		{"fixed", o.length.fixed > 0, isString || isBytes, "an outermost string or []byte"},
		{"nilable", o.length.nilable, isList, "an outermost slice or map"},
		{"max", o.length.max > 0, isAny, "an outermost string, slice, map or marshaler"},
	}
}

// checkShared reports structs reached through pointers that can't be
// distinguished by their address or that have a length of their own.
func (w *walk) checkShared(ref, leaf Ref, o options, sc scope, at Site) {
	if f, _ := w.c.form(leaf, o.leaf.ask, sc.pkg); f != formFields {
		return
	}
	name := w.c.shape(ref).Name
	if w.c.info(leaf).sized {
		w.report(at, name, Fault{
			CodeTagConflict, "the option shared excludes the option sized of " + w.c.shape(leaf).Name,
			"remove one of them",
		})
	}
	if w.c.empty(leaf) {
		w.report(at, name, Fault{
			CodeTagTarget, "the option shared identifies values by their addresses, which values of size zero do not have",
			"remove the option",
		})
	}
}

// leaf follows pointers, arrays, slices and map values to the type that takes
// a field's leaf options. behind reports that a pointer leads directly to it;
// ok is false where the types lead back to themselves.
func (c *Compiler) leaf(ref Ref, asked ask, home string) (leaf Ref, behind, ok bool) {
	seen := map[Ref]bool{}
	for !seen[ref] {
		seen[ref] = true
		f, fl := c.form(ref, asked, home)
		next := c.through(ref, asked)
		if f != formKind || fl != nil || next == nil {
			return ref, behind, true
		}
		behind = c.shape(ref).Kind == Pointer
		ref = next
	}
	return ref, false, false
}

// empty reports whether values of the type take no memory.
func (c *Compiler) empty(ref Ref) bool { return IsEmpty(c.shape, ref) }

// IsEmpty reports whether values of a type take no memory.
func IsEmpty(shape func(Ref) *Shape, ref Ref) bool {
	sh := shape(ref)
	switch sh.Kind {
	case Array:
		return sh.Len == 0 || IsEmpty(shape, sh.Elem)
	case StructKind:
		for _, f := range sh.Fields {
			if !IsEmpty(shape, f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

func (t timeTag) String() string {
	return [...]string{"time", "unix", "unixmilli", "unixnano", "ticks"}[t]
}
