package span

import "strings"

// A trail is the path of an error in the making. Steps come from the fault
// outward, while calls return: the first ones and the last ones are kept, so that
// a path costs the same for each level however deep the fault is, and is no longer
// than people read.
type trail struct {
	inner [keepSteps + 1]string // those next to the fault, the fault's own first
	outer [keepSteps + 1]string // the latest, as a ring
	count int
	dirty bool // there are steps that Error.Path does not have
}

const (
	keepSteps = 16  // steps at either end of a long path
	keepBytes = 400 // of these, as many bytes at most, but for the first
)

// add takes a step: a field or an index.
func (t *trail) add(step string) {
	if t.count < len(t.inner) {
		t.inner[t.count] = step
	}
	t.outer[t.count%len(t.outer)] = step
	t.count++
	t.dirty = true
}

// at gives a step, numbered from the fault, that has been kept.
func (t *trail) at(i int) string {
	if i < len(t.inner) {
		return t.inner[i]
	}
	return t.outer[i%len(t.outer)]
}

// index reports a step that belongs to the field before it.
func (t *trail) index(i int) bool { return t.at(i)[0] == '[' }

// String gives the path from the root, with … for what is left out: never a field
// without its index or the other way round.
func (t *trail) String() string {
	last, size := 0, 0 // steps at the fault's end
	for last < min(t.count, keepSteps) && (last == 0 || size+len(t.at(last)) < keepBytes) {
		size += len(t.at(last)) + 1
		last++
	}
	first, size := t.count, 0 // first of those at the root's end
	least := max(last, t.count-keepSteps)
	if t.count <= keepSteps {
		least = last
	}
	for first > least && (first == t.count || size+len(t.at(first-1)) < keepBytes) {
		first--
		size += len(t.at(first)) + 1
	}
	if first > last {
		for first < t.count && !t.index(first) && t.index(first-1) {
			first++
		}
		for last > 1 && t.index(last-1) && !t.index(last) {
			last--
		}
	}
	var b strings.Builder
	for i := t.count - 1; i >= first; i-- {
		writeStep(&b, t.at(i))
	}
	if first > last {
		writeStep(&b, "…")
	}
	for i := last - 1; i >= 0; i-- {
		writeStep(&b, t.at(i))
	}
	return b.String()
}

func writeStep(b *strings.Builder, step string) {
	if b.Len() > 0 && step[0] != '[' {
		b.WriteByte('.')
	}
	b.WriteString(step)
}

// within puts fields or an index in front of the path: "Lines", "Head.Name", "[3]"
// or "Lines[3]"; an empty step changes nothing.
func (e *Error) within(step string) {
	if step == "" {
		return
	}
	if e.trail == nil {
		e.trail = new(trail)
		if e.Path != "" {
			e.trail.add(e.Path)
		}
	}
	names := step
	if i := strings.IndexByte(step, '['); i >= 0 {
		names = step[:i]
		e.trail.add(step[i:])
	}
	for names != "" {
		i := strings.LastIndexByte(names, '.')
		e.trail.add(names[i+1:])
		names = names[:max(i, 0)]
	}
}

// settle makes Path what the steps say.
func (e *Error) settle() *Error {
	if e.trail != nil && e.trail.dirty {
		e.Path, e.trail.dirty = e.trail.String(), false
	}
	return e
}

// done is settle for an error that gets no more steps.
func (e *Error) done() *Error {
	e.settle().trail = nil
	return e
}
