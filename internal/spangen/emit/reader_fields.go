package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// fields reads the fields from number from to to-1, leaving to the plan what
// only the plan can do.
func (r *reader) fields(from, to int) {
	all := r.unit.fields()
	r.rest = 0
	for _, fd := range all[to:] {
		if r.fixed(fd.Node) < 0 || r.rest < 0 {
			r.rest = -1
			break
		}
		r.rest += r.fixed(fd.Node)
	}
	end := r.rest
	var xs []value
	for k := from; k < to; k++ {
		if !r.class(all[k].Node).noRead {
			xs = append(xs, r.flatten(fieldOf(all, k))...)
			continue
		}
		r.rest = -1
		r.sequence(xs)
		xs = nil
		first := k
		for k+1 < to && r.class(all[k+1].Node).noRead {
			k++
		}
		r.checkNil()
		r.commit(k + 1)
		r.comment(value{name: fieldNames(all[first : k+1])})
		r.do("span.PlanOf(v).ReadFields(r, v, %d, %d)", first, k+1)
		if k+1 < len(all) || r.part {
			r.add(jen.If(r.cursor("Failed()")).Block(r.leave()...))
		}
	}
	r.rest = end
	r.sequence(xs)
}

// checkNil leaves a nil v to the plan, which has the error for it.
func (r *reader) checkNil() {
	if !r.notNil {
		r.doubt(code("v == nil"))
		r.notNil = true
	}
}

// checkEnd leaves a field to the plan where no bytes are left for it: the input
// may end before the field, though not within what is called to read it. A struct
// that is called takes the end of the bytes of a sized one around as its own.
func (r *reader) checkEnd(x value) {
	all := r.unit.fields()
	if x.isPart || len(all) == 0 {
		return
	}
	if x.node.Op != layout.OpStruct || all[x.field].Optional || r.unit.newLife() {
		r.need(1)
	}
}

// leave ends the function early.
func (r *reader) leave() []jen.Code {
	if r.part {
		return []jen.Code{code("return false")}
	}
	return []jen.Code{code("return")}
}

// failed ends the function if a call has failed, with a step of the error's
// path.
func (r *reader) failed(step jen.Code) {
	c := []jen.Code{step}
	r.add(jen.If(r.cursor("Failed()")).Block(append(c, r.leave()...)...))
}
