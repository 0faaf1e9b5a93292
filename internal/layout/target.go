package layout

// checkTargets reports the options of a field that find nothing to apply to.
// Types that have no wire form are left to the walk.
func (w *walk) checkTargets(ref Ref, o options, sc scope, at site) {
	if o == (options{}) {
		return
	}
	w.checkLength(ref, o, at)
	leaf, behind, ok := w.c.leaf(ref, o.leaf.ask)
	sh := w.c.shape(leaf)
	f, fl := w.c.form(leaf, o.leaf.ask)
	if ok && (fl != nil || f == formKind && (refused(sh.Kind) || sh.Kind == TypeParam)) {
		return
	}
	miss := func(fits bool, name, wants string) {
		if !fits || !ok {
			w.report(at, w.c.shape(ref).Name, fault{
				CodeTagTarget, "the option " + name + " finds " + wants + " in " + w.c.shape(ref).Name,
				"remove the option or change the type",
			})
		}
	}
	l := o.leaf
	isNumber := f == formKind && sh.Kind >= Int && sh.Kind <= Complex128 && sh.Kind != Uintptr
	size, signed, _ := intSize(sh.Kind)
	isInt := f == formKind && sh.Kind >= Int && sh.Kind <= Uint64 && size > 1
	switch l.enc {
	case EncVarint:
		miss(isInt || f == formTime && timeEnc(l.time, sc) != TimeFull, "varint", "no integer of 16 or more bits")
	case EncZigZag:
		miss(isInt && signed, "zigzag", "no signed integer of 16 or more bits")
	}
	if l.be {
		miss(f == formTime || isNumber && (isInt || sh.Kind >= Float32), "be", "no number of 16 or more bits")
	}
	if l.time != timeDefault {
		miss(f == formTime, l.time.String(), "no time")
	}
	if l.utf8 {
		miss(f == formText || f == formKind && sh.Kind == String, "utf8", "no string")
	}
	if l.sized {
		miss(f == formFields, "sized", "no struct laid out by its fields")
	}
	if l.ask == askFields {
		miss(f == formFields, "fields", "no struct")
	}
	if l.ask == askMarshal {
		miss(true, "marshal", "no type with methods")
	}
	if l.shared {
		w.checkShared(ref, leaf, behind, f, miss, at)
	}
}

// checkShared reports a field tagged shared that leads to no shareable struct.
func (w *walk) checkShared(ref, leaf Ref, behind bool, f form, miss func(bool, string, string), at site) {
	fits := behind && f == formFields
	miss(fits, "shared", "no pointer to a struct laid out by its fields")
	if !fits {
		return
	}
	if w.c.info(leaf).sized {
		w.report(at, w.c.shape(ref).Name, fault{
			CodeTagConflict, "the option shared excludes the option sized of " + w.c.shape(leaf).Name,
			"remove one of them",
		})
	}
	if w.c.empty(leaf) {
		w.report(at, w.c.shape(ref).Name, fault{
			CodeTagTarget, "the option shared goes by addresses, which values without size do not have",
			"remove the option",
		})
	}
}

// checkLength reports options of a length where the outermost type behind
// pointers has none.
func (w *walk) checkLength(ref Ref, o options, at site) {
	if o.length == (lengthOptions{}) {
		return
	}
	outer, ok := w.c.deref(ref)
	sh := w.c.shape(outer)
	f, fl := w.c.form(outer, o.leaf.ask)
	if ok && (fl != nil || f == formKind && (refused(sh.Kind) || sh.Kind == TypeParam)) {
		return
	}
	isBytes := f == formKind && w.c.isBytes(sh, o.leaf.ask)
	isString := f == formKind && sh.Kind == String
	isList := f == formKind && (sh.Kind == Slice || sh.Kind == Map)
	methods := f == formBinary || f == formText
	check := func(given, fits bool, name, wants string) {
		if given && (!fits || !ok) {
			w.report(at, w.c.shape(ref).Name, fault{
				CodeTagTarget, "the option " + name + " needs " + wants + ", not " + w.c.shape(ref).Name,
				"remove the option or change the type",
			})
		}
	}
	check(o.length.prefix > 0, isString || isList || methods, "len", "a string, slice, map or marshaler")
	check(o.length.fixed > 0, isString || isBytes, "fixed", "a string or []byte")
	check(o.length.nilable, isList, "nilable", "a slice or map")
	check(o.length.max > 0, isString || isList || methods, "max", "a string, slice, map or marshaler")
}

// leaf follows pointers, arrays, slices and map values to the type that takes
// a field's leaf options. behind reports that a pointer leads directly to it;
// ok is false where the types lead back to themselves.
func (c *Compiler) leaf(ref Ref, asked ask) (leaf Ref, behind, ok bool) {
	seen := map[Ref]bool{}
	for !seen[ref] {
		seen[ref] = true
		f, fl := c.form(ref, asked)
		next := c.through(ref, asked)
		if f != formKind || fl != nil || next == nil {
			return ref, behind, true
		}
		behind = c.shape(ref).Kind == Pointer
		ref = next
	}
	return ref, false, false
}

// empty reports that values of the type take no memory.
func (c *Compiler) empty(ref Ref) bool {
	sh := c.shape(ref)
	switch sh.Kind {
	case Array:
		return sh.Len == 0 || c.empty(sh.Elem)
	case StructKind:
		for _, f := range sh.Fields {
			if !c.empty(f.Type) {
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
