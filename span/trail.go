package span

import "github.com/spanwire/spanwire/internal/trail"

// within puts a step, a field or an index, in front of the path.
func (e *Error) within(step string) { e.trail = trail.Add(e.trail, e.Path, step) }

// settle makes Path what the steps say.
func (e *Error) settle() *Error {
	e.Path = e.trail.Path(e.Path)
	return e
}

// done is settle for an error that most often gets no more steps. Where a method
// of others hands it back to this package, level by level, a long path goes on.
func (e *Error) done() *Error {
	const long = 400
	if e.settle(); len(e.Path) < long {
		e.trail = nil
	}
	return e
}
