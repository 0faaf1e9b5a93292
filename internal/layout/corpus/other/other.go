// Package other has types as other people write them, with no thought of this
// format.
package other

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Quantity keeps its number to itself and has JSON methods.
type Quantity struct {
	Format string
	n      int64
}

// New gives a Quantity of n.
func New(format string, n int64) Quantity { return Quantity{format, n} }

// N gives the number.
func (v Quantity) N() int64 { return v.n }

// MarshalJSON gives v as JSON.
func (v Quantity) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"format":%q,"n":%d}`, v.Format, v.n), nil
}

// UnmarshalJSON reads v. What is there already it adds to.
func (v *Quantity) UnmarshalJSON(b []byte) error {
	var format string
	var n int64
	_, err := fmt.Sscanf(string(b), `{"format":%q,"n":%d}`, &format, &n)
	v.Format, v.n = v.Format+format, v.n+n
	return err
}

// Opaque keeps all to itself and has JSON methods.
type Opaque struct{ a, b int32 }

// MarshalJSON gives v as JSON.
func (v Opaque) MarshalJSON() ([]byte, error) { return []byte{byte(v.a), byte(v.b)}, nil }

// UnmarshalJSON reads v.
func (v *Opaque) UnmarshalJSON([]byte) error { return nil }

// HalfJSON can only be written as JSON.
type HalfJSON struct{ A int8 }

// MarshalJSON gives v as JSON.
func (v HalfJSON) MarshalJSON() ([]byte, error) { return nil, nil }

// Open hides nothing, so that its JSON methods do not count.
type Open struct {
	A, B int32
	_    [0]func()
	none struct{}
}

// MarshalJSON gives v as JSON.
func (v Open) MarshalJSON() ([]byte, error) { _ = v.none; return nil, nil }

// UnmarshalJSON reads v.
func (v *Open) UnmarshalJSON([]byte) error { return nil }

// Guarded hides only what guards it.
type Guarded struct {
	A     int32
	mu    sync.Mutex
	once  *sync.Once
	locks [2]guard
	hits  atomic.Int64
}

type guard struct{ sync.RWMutex }

// Touch uses what is hidden.
func (v *Guarded) Touch() {
	v.once.Do(func() {})
	v.mu.Lock()
	v.locks[0].Lock()
	v.hits.Add(1)
}

// Stateful keeps something to itself beside its fields.
type Stateful struct {
	A     int32
	x     [3]byte
	cache map[string]int
}

// X gives what is hidden.
func (v *Stateful) X() ([3]byte, map[string]int) { return v.x, v.cache }

// Said keeps something to itself that its author gives up.
type Said struct {
	_ struct{} `span:"fields"`
	A int32
	x int32
}

// Tagged gives up a single field.
type Tagged struct {
	A int32
	x int32 `span:"-"`
}

// X gives what is hidden.
func (v Tagged) X(s Said) int32 { return v.x + s.x }

// Holds has types of its own package that hide something.
type (
	Holds    struct{ S *Stateful }
	HoldsQ   struct{ Q []Quantity }
	WrapsQ   struct{ Quantity }
	WrapsO   struct{ *Open }
	Attr     struct{ Value Value }
	Value    struct{ v uint64 }
	Timed    struct{ time.Time }
	Twice    struct{ Timed }
	TimedPtr struct{ *time.Time }
)

// V gives what is hidden.
func (v Value) V() uint64 { return v.v }

// MarshalJSON writes a time in a way of its own.
func (v Timed) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON reads v.
func (v *Timed) UnmarshalJSON([]byte) error { return nil }

// MarshalText writes a time in a way of its own.
func (v Timed) MarshalText() ([]byte, error) { return nil, nil }

// Fault can't be carried as it is, and leads back to itself.
type Fault struct {
	Code  int32
	Err   error
	Data  map[string]any
	Cause *Fault
	Base
	Ops []Op
}

// Base is what a Fault embeds.
type Base struct {
	ID    string
	Fetch func() error
}

// Op leads back to Fault.
type Op struct {
	Name string
	On   struct{ Last *Fault }
	Keys map[Key]int8
}

// Key is no key.
type Key struct{ V any }
