// Package ctx has what contexts are made of that many connections have one of each: they are small, and a channel exists only when
// somebody asks for one.
package ctx

import "sync"

// Ending is the part of a context that ends. The zero value has not; it is not to be copied.
type Ending struct {
	mu    sync.Mutex
	done  chan struct{}
	err   error
	after *[]*func() // nil while there are none
}

// Done returns a channel that is closed when the context ends.
func (e *Ending) Done() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done == nil {
		e.done = make(chan struct{})
		if e.err != nil {
			close(e.done)
		}
	}
	return e.done
}

// Err returns why the context has ended, nil before.
func (e *Ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// AfterFunc runs f when the context has ended. Package context uses it for contexts made from this one, so that they need no
// goroutine.
func (e *Ending) AfterFunc(f func()) (stop func() bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		go f()
		return func() bool { return false }
	}
	if e.after == nil {
		e.after = new([]*func())
	}
	*e.after = append(*e.after, &f)
	return func() bool { return e.forget(&f) }
}

func (e *Ending) forget(f *func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.after == nil {
		return false
	}
	for i, g := range *e.after {
		if g == f {
			*e.after = append((*e.after)[:i], (*e.after)[i+1:]...)
			return true
		}
	}
	return false
}

// End ends the context, once, and runs what waits for that, each on a goroutine of its own.
func (e *Ending) End(reason error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return
	}
	e.err = reason
	if e.done != nil {
		close(e.done)
	}
	if e.after != nil {
		for _, f := range *e.after {
			go (*f)()
		}
		e.after = nil
	}
}
