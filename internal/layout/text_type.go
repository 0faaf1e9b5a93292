package layout

import (
	"strconv"
	"strings"
)

// typ prints a type: the name of its entry or what it is.
func (p *printer) typ(n *Node, newLife bool, indent string) {
	switch {
	case n.Op == OpSized:
		p.typ(n.Elem, newLife, indent)
	case p.named(n):
		p.b.WriteString(p.ref(n, newLife))
	default:
		p.form(n, newLife, indent)
	}
}

// form prints what a type is.
func (p *printer) form(n *Node, newLife bool, indent string) {
	switch n.Op {
	case OpStruct:
		p.anonymous(n.Struct, indent)
	case OpPointer, OpInline, OpShared:
		p.b.WriteString(pointerMarks[n.Op])
		p.typ(n.Elem, newLife, indent)
	case OpArray:
		p.b.WriteString("[" + strconv.Itoa(n.Len) + "]")
		p.typ(n.Elem, newLife, indent)
	case OpSlice:
		p.b.WriteString("[]")
		p.typ(n.Elem, newLife, indent)
	case OpMap:
		p.b.WriteString("map[")
		p.typ(n.Key, newLife, indent)
		p.b.WriteString("]")
		p.typ(n.Elem, newLife, indent)
	case OpSelf, OpBinary, OpText, OpJSON, OpGob, OpParam:
		p.b.WriteString(n.Op.String() + "(" + p.goName(n) + ")")
	default:
		p.b.WriteString(n.word())
		if newLife && n.switchable() && !n.Switched {
			p.b.WriteByte('!')
		}
	}
}

var pointerMarks = map[Op]string{OpPointer: "*", OpInline: "?", OpShared: "&"}

// anonymous prints a struct without a name.
func (p *printer) anonymous(s *Struct, indent string) {
	p.b.WriteString("struct")
	p.typeOptions(s)
	p.b.WriteByte('{')
	if len(s.Fields) > 0 {
		p.b.WriteByte('\n')
		p.fields(s, indent+"  ")
		p.b.WriteString(indent)
	}
	p.b.WriteByte('}')
}

// word returns the word for a scalar.
func (n *Node) word() string {
	switch n.Op {
	case OpInt:
		sign := "u"
		if n.Signed {
			sign = "i"
		}
		return sign + strconv.Itoa(8*n.Size)
	case OpFloat:
		return "f" + strconv.Itoa(8*n.Size)
	case OpComplex:
		return "c" + strconv.Itoa(8*n.Size)
	case OpTime:
		return timeWords[n.Time]
	}
	return n.Op.String()
}

var timeWords = [...]string{
	TimeFull: "time", TimeSeconds: "time-s", TimeUnixMilli: "time-ms", TimeUnixNano: "time-ns", TimeTicks: "time-ticks",
}

// switchable reports whether n is a form that a switch may change in the
// NewLife profile.
func (n *Node) switchable() bool {
	switch n.Op {
	case OpInt:
		return n.Size > 1
	case OpFloat, OpComplex, OpTime, OpDecimal:
		return true
	}
	return false
}

// goName returns the name of a type whose methods write it; in the canonical
// text without package and type arguments.
func (p *printer) goName(n *Node) string {
	if !p.canonical {
		if strings.Contains(n.Name, " ") {
			return strconv.Quote(n.Name)
		}
		return n.Name
	}
	if !n.named && n.Op != OpParam {
		return "struct" // methods that it embeds
	}
	bare, _, _ := strings.Cut(n.Name, "[")
	return bare[strings.LastIndexByte(bare, '.')+1:]
}
