package span

import "github.com/spanwire/spanwire/internal/trail"

// within puts a step, a field or an index, in front of the path.
func (e *Error) within(step string) { e.trail = trail.Add(e.trail, e.Path, step) }

// settle makes Path what the steps say.
func (e *Error) settle() *Error {
	e.Path = e.trail.Path(e.Path)
	return e
}

// done is settle for an error that gets no more steps.
func (e *Error) done() *Error {
	e.settle().trail = nil
	return e
}
