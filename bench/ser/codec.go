package ser

import (
	"fmt"
	"reflect"
)

// Enc appends the message of v to buf, whose length is 0. Dec reads all of b
// into v, which may hold the value of an earlier call.
type (
	Enc[T any] func(buf []byte, v *T) ([]byte, error)
	Dec[T any] func(b []byte, v *T) error
)

// Maker builds the codec of a model M for the values given.
type Maker[M any] func(vs []*M) Codec

// Codec is one model in one row. A codec is used by several goroutines through
// workers of their own.
type Codec interface {
	// Worker returns what one goroutine needs to encode and decode.
	Worker() (Worker, error)
	// Check encodes, decodes and compares every value.
	Check() error
}

// Worker encodes and decodes in loops, without anything else in them.
type Worker interface {
	Marshal(n int) error
	Unmarshal(n int) error
	// Size is the mean size of a message.
	Size() float64
	// Messages are the encoded values.
	Messages() [][]byte
	// Decode reads b into a value of its own and returns what encodes that value.
	Decode(b []byte) (again func() ([]byte, error), err error)
}

// Open makes a maker of stateful encoders and decoders: open is called for
// each worker.
func Open[M, T any](open func() (Enc[T], Dec[T], error)) Maker[M] {
	return func(vs []*M) Codec {
		c := &codec[M, T]{from: vs, open: open, vs: make([]*T, len(vs))}
		for i, v := range vs {
			c.vs[i] = new(T)
			if err := Convert(c.vs[i], v); err != nil {
				c.err = err
			}
		}
		return c
	}
}

// Of makes a maker of functions without state.
func Of[M, T any](enc Enc[T], dec Dec[T]) Maker[M] {
	return Open[M](func() (Enc[T], Dec[T], error) { return enc, dec, nil })
}

type codec[M, T any] struct {
	from []*M
	vs   []*T
	open func() (Enc[T], Dec[T], error)
	err  error
}

func (c *codec[M, T]) Worker() (Worker, error) {
	if c.err != nil {
		return nil, c.err
	}
	w := &worker[T]{vs: c.vs, out: new(T)}
	var err error
	if w.enc, w.dec, err = c.open(); err != nil {
		return nil, err
	}
	w.in = make([][]byte, len(c.vs))
	for i, v := range c.vs {
		b, err := w.enc(nil, v)
		if err != nil {
			return nil, err
		}
		w.in[i] = append([]byte(nil), b...)
	}
	return w, nil
}

// Check compares in the model's own types, after a second decode into a used
// value.
func (c *codec[M, T]) Check() error {
	x, err := c.Worker()
	if err != nil {
		return err
	}
	w := x.(*worker[T])
	for i, b := range w.in {
		for range 2 {
			if err := w.dec(b, w.out); err != nil {
				return fmt.Errorf("value %d: %w", i, err)
			}
			got := new(M)
			if err := Convert(got, w.out); err != nil {
				return err
			}
			if !reflect.DeepEqual(got, c.from[i]) {
				return fmt.Errorf("value %d: got %+v, want %+v", i, got, c.from[i])
			}
		}
	}
	return nil
}

type worker[T any] struct {
	vs  []*T
	in  [][]byte
	enc Enc[T]
	dec Dec[T]
	buf []byte
	out *T
}

func (w *worker[T]) Marshal(n int) (err error) {
	enc, vs, buf := w.enc, w.vs, w.buf
	for i, k := 0, 0; i < n; i++ {
		if buf, err = enc(buf[:0], vs[k]); err != nil {
			return err
		}
		if k++; k == len(vs) {
			k = 0
		}
	}
	w.buf = buf
	return nil
}

func (w *worker[T]) Unmarshal(n int) error {
	dec, in, out := w.dec, w.in, w.out
	for i, k := 0, 0; i < n; i++ {
		if err := dec(in[k], out); err != nil {
			return err
		}
		if k++; k == len(in) {
			k = 0
		}
	}
	return nil
}

func (w *worker[T]) Size() float64 {
	n := 0
	for _, b := range w.in {
		n += len(b)
	}
	return float64(n) / float64(len(w.in))
}

func (w *worker[T]) Messages() [][]byte { return w.in }

func (w *worker[T]) Decode(b []byte) (func() ([]byte, error), error) {
	out := new(T)
	if err := w.dec(b, out); err != nil {
		return nil, err
	}
	return func() ([]byte, error) { return w.enc(nil, out) }, nil
}
