package binary

import (
	"io"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
)

// Members that take the rest of the input. What stands behind one, in its struct
// and in those around it, is its trailer: its size is known before it is read, and
// the rest ends that many bytes before the input does.

// trailerOf gives the size of what stands behind open member i in its struct.
func (s *settings) trailerOf(st *structPlan, i, hosts int) int {
	if !s.UseRef && !s.Compat && len(s.IgnoreMembers) == 0 {
		return st.fields[i].trailer
	}
	r := binaryplan.Ruler{UseRef: s.UseRef, Hosts: hosts, Compat: s.Compat, SizeWidth: s.SizeWidth, EncodeInt: s.EncodeInt, Ignores: s.ignores}
	size, _ := r.After(st.plan, i)
	return size
}

// restEnd gives where the rest of the input ends: before the trailer. A stream is
// read to its end.
func (d *Decoder) restEnd() (int, bool) {
	for d.fill(len(d.b) - d.off + 1) {
	}
	end := len(d.b) - d.trailer
	if d.err == nil && end < d.off {
		d.fail(because(io.ErrUnexpectedEOF, "%d bytes must follow what takes the rest, %d are left", d.trailer, len(d.b)-d.off))
	}
	d.whole = true // whatever follows is not lenient
	return end, d.err == nil
}

// atRest notes, when writing, where a message with an open member must end.
func (e *Encoder) atRest() {
	end := len(e.b) + e.trailer
	if e.open && e.ends != end {
		end = -1 // there are two
	}
	e.ends, e.open = end, true
}

// closed checks that what must end a message does.
func (e *Encoder) closed() {
	if e.err == nil && e.open && len(e.b) != e.ends {
		e.fail(because(ErrUnsupported, "bytes follow a member that takes the rest of the input and would be read as part of it"))
	}
}
