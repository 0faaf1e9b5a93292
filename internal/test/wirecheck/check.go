// Package wirecheck holds generated methods, the plan that reflection makes and
// the codec of package wirecodec against each other.
package wirecheck

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/spanwire/spanwire/internal/test/wirecodec"
	"github.com/spanwire/spanwire/span"
)

// Generated is the methods of *T.
type Generated[T any] interface {
	*T
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
	ReadSpan(*span.Reader)
}

const (
	values = 24 // random values of a type
	faults = 40 // damaged messages of a value
)

// Type checks a type with random values and damaged messages.
func Type[T any, P Generated[T]](t *testing.T, seed uint64) {
	c := &checker[T, P]{T: t, Rand: rand.New(rand.NewPCG(seed, 2))}
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	good := 0
	for i := range values {
		if c.value(i%2 == 0) {
			good++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d values have a wire form", good, values)
}

type checker[T any, P Generated[T]] struct {
	*testing.T
	*rand.Rand
}

// value checks one random value, a mild one or any, and reports whether it has a wire form.
func (c *checker[T, P]) value(mild bool) bool {
	v := new(T)
	fill(c.Rand, reflect.ValueOf(v).Elem(), mild)
	want, refused := wirecodec.Marshal(v)
	plan, planErr := span.PlanOf(v).Append(nil, v, 0)
	generated, genErr := P(v).AppendSpan(nil)
	for n := 0; n < 200 && planErr != nil && genErr != nil && class(planErr) != class(genErr); n++ {
		_, planErr = span.PlanOf(v).Append(nil, v, 0) // of several faults in a map any may come first
	}
	ordered, orderErr := span.Options{Deterministic: true}.Append(nil, v)
	if class(planErr) != class(genErr) || (planErr == nil) != (refused == nil) || (orderErr == nil) != (refused == nil) {
		c.Errorf("generated: %v\nplan:      %v\nordered:   %v\ncodec:     %v\nvalue: %s", genErr, planErr, orderErr, refused, show(v))
		return false
	}
	if refused != nil {
		return false
	}
	if !bytes.Equal(ordered, want) || len(plan) != len(want) || len(generated) != len(want) || P(v).SizeSpan() != len(want) {
		c.Errorf("codec     %x\nordered   %x\nplan      %x\ngenerated %x, size %d\nvalue: %s", want, ordered, plan, generated, P(v).SizeSpan(), show(v))
		return false
	}
	for name, msg := range map[string][]byte{"codec": want, "plan": plan, "generated": generated} {
		if c.read(msg, true); c.Failed() {
			c.Logf("written by %s: %s", name, show(v))
			return true
		}
	}
	for range faults {
		c.read(c.damage(want), false)
	}
	return true
}

// damage cuts a message, or changes a byte or two.
func (c *checker[T, P]) damage(msg []byte) []byte {
	bad := bytes.Clone(msg)
	switch n := c.IntN(8); {
	case len(bad) == 0:
		return []byte{byte(c.Uint32())}
	case n == 0:
		return bad[:c.IntN(len(bad))]
	case n == 1:
		return append(bad, byte(c.Uint32()))
	}
	for range 1 + c.IntN(2) {
		bad[c.IntN(len(bad))] = []byte{0, 1, 2, 0x7f, 0x80, 0x81, 0xff, byte(c.Uint32())}[c.IntN(8)]
	}
	return bad
}

// read reads a message in all ways and compares what comes of it.
func (c *checker[T, P]) read(msg []byte, good bool) {
	if c.Failed() {
		return
	}
	want := new(T)
	refused := wirecodec.Unmarshal(msg, want)
	fresh, used := new(T), new(T)
	err := readBy(msg, P(fresh).ReadSpan)
	planErr := readBy(msg, func(r *span.Reader) { span.PlanOf(used).ReadRoot(r, used) })
	if !alike(err, planErr) || (err == nil) != (refused == nil) || good && err != nil {
		c.Errorf("generated: %v\nplan:      %v\ncodec:     %v\nmessage: %x", err, planErr, refused, msg)
		return
	}
	if err != nil {
		return
	}
	if !same(fresh, want) || !same(used, want) {
		c.Errorf("codec:     %s\ngenerated: %s\nplan:      %s\nmessage: %x", show(want), show(fresh), show(used), msg)
		return
	}
	use(c.Rand, reflect.ValueOf(fresh).Elem())
	use(c.Rand, reflect.ValueOf(used).Elem())
	err = readBy(msg, P(fresh).ReadSpan)
	planErr = readBy(msg, func(r *span.Reader) { span.PlanOf(used).ReadRoot(r, used) })
	if err != nil || planErr != nil || !same(fresh, want) || !same(used, want) {
		c.Errorf("into used values\ncodec:     %s\ngenerated: %s %v\nplan:      %s %v\nmessage: %x", show(want), show(fresh), err, show(used), planErr, msg)
	}
}

// readBy reads a message that must be used up.
func readBy(msg []byte, read func(*span.Reader)) error {
	var r span.Reader
	r.Reset(bytes.Clone(msg), span.CopyStrings)
	read(&r)
	if r.Err() == nil && r.Offset() != int64(len(msg)) {
		return span.ErrTrailing
	}
	return r.Err()
}

// alike compares errors by their class. That a count is more than the input holds
// beside what must follow is found by the plan only, on types that lead to
// themselves; the generated code then meets what is wrong later.
func alike(generated, plan error) bool {
	if generated != nil && errors.Is(plan, io.ErrUnexpectedEOF) {
		return true
	}
	return class(generated) == class(plan)
}

// class tells errors apart as users do.
func class(err error) string {
	for _, sentinel := range []error{
		io.ErrUnexpectedEOF, span.ErrTrailing, span.ErrMalformed, span.ErrLimit, span.ErrRange, span.ErrNil, span.ErrDepth, span.ErrUTF8,
	} {
		if errors.Is(err, sentinel) {
			return sentinel.Error()
		}
	}
	if err == nil {
		return ""
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err) // to what a method of the type said
	}
	return err.Error()
}
