// Package trail makes the paths of errors.
package trail

import "strings"

// A Trail is the path of an error in the making. Steps come from the fault
// outward, while calls return: the first ones and the last ones are kept, so that
// a path costs the same for each level however deep the fault is, and is no longer
// than people read.
type Trail struct {
	inner [keepSteps + 1]string // those next to the fault, the fault's own first
	outer [keepSteps + 1]string // the latest, as a ring
	count int
	added bool // since Path was asked
}

const (
	keepSteps = 16  // steps at either end of a long path
	keepBytes = 400 // of these, as many bytes at most, but for the first
)

// Add puts fields or an index in front of the path: "Lines", "Head.Name", "[3]" or
// "Lines[3]"; an empty step changes nothing. In a new Trail, whole is the path of
// an error found elsewhere, which counts as one step.
func Add(t *Trail, whole, step string) *Trail {
	if step == "" {
		return t
	}
	if t == nil {
		t = new(Trail)
		if whole != "" {
			t.add(whole)
		}
	}
	names := step
	if i := strings.IndexByte(step, '['); i >= 0 {
		names = step[:i]
		t.add(step[i:])
	}
	for names != "" {
		i := strings.LastIndexByte(names, '.')
		t.add(names[i+1:])
		names = names[:max(i, 0)]
	}
	return t
}

// Path gives the path with the steps that were added since it was last asked for,
// or else path.
func (t *Trail) Path(path string) string {
	if t == nil || !t.added {
		return path
	}
	t.added = false
	return t.String()
}

// add takes one step.
func (t *Trail) add(step string) {
	if t.count < len(t.inner) {
		t.inner[t.count] = step
	}
	t.outer[t.count%len(t.outer)] = step
	t.count++
	t.added = true
}

// at gives a step, numbered from the fault, that has been kept.
func (t *Trail) at(i int) string {
	if i < len(t.inner) {
		return t.inner[i]
	}
	return t.outer[i%len(t.outer)]
}

// index reports a step that belongs to the field before it.
func (t *Trail) index(i int) bool { return t.at(i)[0] == '[' }

// String gives the path from the root, with … for what is left out: never a field
// without its index or the other way round.
func (t *Trail) String() string {
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
