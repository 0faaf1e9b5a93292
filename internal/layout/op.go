package layout

import "strconv"

// The names of the forms and encodings. They are what there is: a value without
// a name is not known to this module.
var (
	opNames = [...]string{
		OpInvalid: "invalid", OpBool: "bool", OpInt: "int", OpFloat: "float", OpComplex: "complex", OpString: "string", OpBytes: "bytes",
		OpArray: "array", OpSlice: "slice", OpMap: "map", OpStruct: "struct", OpPointer: "pointer", OpInline: "inline", OpShared: "shared",
		OpSized: "sized", OpTime: "time", OpGUID: "guid", OpDecimal: "decimal", OpChar: "char", OpBinary: "binary", OpText: "text",
		OpJSON: "json", OpGob: "gob", OpSelf: "self", OpParam: "param",
	}
	encNames  = [...]string{EncNone: "none", EncFixed: "fixed", EncVarint: "varint", EncZigZag: "zigzag"}
	timeNames = [...]string{
		TimeNone: "none", TimeFull: "full", TimeSeconds: "seconds", TimeUnixMilli: "milli", TimeUnixNano: "nano", TimeTicks: "ticks",
	}
)

// Known reports whether o is a form that there is.
func (o Op) Known() bool { return o != OpInvalid && int(o) < len(opNames) }

// Known reports whether e is an encoding that there is.
func (e Enc) Known() bool { return e != EncNone && int(e) < len(encNames) }

// Known reports whether t is an encoding that there is.
func (t TimeEnc) Known() bool { return t != TimeNone && int(t) < len(timeNames) }

// String returns the form's name.
func (o Op) String() string { return nameOf(opNames[:], "op", int(o)) }

// String returns the encoding's name.
func (e Enc) String() string { return nameOf(encNames[:], "enc", int(e)) }

// String returns the encoding's name.
func (t TimeEnc) String() string { return nameOf(timeNames[:], "time", int(t)) }

func nameOf(names []string, kind string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return kind + "(" + strconv.Itoa(i) + ")"
}

// Unknown names what of a node's form is not known, "" for nothing: a form without
// a name, an encoding that is missing or that no value of the form has.
func (n *Node) Unknown() string {
	number, instant := n.Op == OpInt || n.Op == OpTime, n.Op == OpTime
	switch {
	case !n.Op.Known():
		return "the form " + n.Op.String()
	case n.Enc.Known() != number || !number && n.Enc != EncNone:
		return "the encoding " + n.Enc.String() + " of the form " + n.Op.String()
	case n.Time.Known() != instant || !instant && n.Time != TimeNone:
		return "the encoding " + n.Time.String() + " of the form " + n.Op.String()
	}
	return ""
}

// checkForms reports the new nodes of unknown form. There are none: a form that is
// added to this package and not everywhere is found here, or by its tests.
func (w *walk) checkForms(at Site) {
	if len(w.problems) > 0 {
		return // forms at fault are not known
	}
	for _, n := range w.order {
		if what := n.Unknown(); what != "" {
			w.report(at, n.Name, Fault{CodeUnsupported, "there is no operation for " + what, "report it as a bug in this module"})
		}
	}
}
