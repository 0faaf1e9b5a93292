// Package check holds generated code for structs that nobody wrote for us
// against reflection.
package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/span"
)

// Generated is what spangen writes for *T.
type Generated interface {
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
	WriteSpan(*span.Writer)
	ReadSpan(*span.Reader)
}

// Holder is one struct under test: New makes a zero value with generated
// methods, Plain a zero value of a type of the same fields without methods.
type Holder struct {
	Name  string
	Omits bool // a tag leaves out a part of what it holds
	New   func() Generated
	Plain func() any
}

// Run writes and reads n random values both ways and returns the first
// difference.
func (h Holder) Run(n int) error {
	for seed := range n {
		f := randval.Filler{Rand: rand.New(rand.NewPCG(uint64(seed), 1)), MaxMap: 1, Hidden: !h.Omits}
		f.Special = quantity(f.Rand)
		if seed%4 == 3 {
			f.MaxLen, f.MaxMap, f.MaxDepth = 6, 4, 8
		}
		if seed == 0 {
			f.MaxDepth = 1
		}
		v := h.New()
		f.Fill(reflect.ValueOf(v).Elem())
		if h.Omits {
			if err := h.carried(&v); err != nil {
				return fmt.Errorf("%s, value %d: %w", h.Name, seed, err)
			}
		}
		if err := h.value(v); err != nil {
			return fmt.Errorf("%s, value %d: %w", h.Name, seed, err)
		}
	}
	return nil
}

// carried leaves of a value what its plan carries.
func (h Holder) carried(v *Generated) error {
	b, err := span.Marshal(h.plain(*v))
	if err != nil {
		return fmt.Errorf("reflection refuses to write: %w", err)
	}
	*v = h.New()
	return span.Unmarshal(b, *v)
}

// plain gives a value without its methods.
func (h Holder) plain(v Generated) any {
	plain := h.Plain()
	reflect.ValueOf(plain).Elem().Set(reflect.ValueOf(v).Elem().Convert(reflect.TypeOf(plain).Elem()))
	return plain
}

// quantity fills values of Kubernetes' resource.Quantity, which keeps its number
// to itself, from text.
func quantity(r *rand.Rand) func(reflect.Value) bool {
	return func(v reflect.Value) bool {
		if v.Type().Name() != "Quantity" || v.Type().PkgPath() != "k8s.io/apimachinery/pkg/api/resource" {
			return false
		}
		units := []string{"", "m", "k", "Mi", "Gi", "n", "E"}
		text := fmt.Appendf(nil, "%q", strconv.Itoa(r.IntN(2000)-1000)+units[r.IntN(len(units))])
		for range 3 { // until it is what its own text gives
			v.SetZero()
			err := json.Unmarshal(text, v.Addr().Interface())
			if err == nil {
				text, err = json.Marshal(v.Interface())
			}
			if err != nil {
				panic(err) // no text that Kubernetes takes
			}
		}
		return true
	}
}

// value checks one value. Hidden state counts.
func (h Holder) value(v Generated) error {
	plain := h.plain(v)
	want, err := span.Options{Deterministic: true}.Append(nil, plain)
	if err != nil {
		return fmt.Errorf("reflection refuses to write: %w", err)
	}
	got, err := v.AppendSpan(nil)
	if err != nil {
		return fmt.Errorf("generated code refuses to write: %w", err)
	}
	if len(got) != len(want) || v.SizeSpan() != len(want) {
		return fmt.Errorf("generated code writes %d bytes and tells %d, reflection writes %d", len(got), v.SizeSpan(), len(want))
	}
	// Maps of several entries have no order in generated code: compare what is
	// read back and written in order.
	for _, b := range [][]byte{got, want} {
		out := h.New()
		var r span.Reader
		r.Reset(b, span.CopyStrings)
		if out.ReadSpan(&r); r.Err() != nil || r.Offset() != int64(len(b)) {
			return fmt.Errorf("generated code reads %d of %d bytes: %w", r.Offset(), len(b), r.Err())
		}
		if d := randval.DiffAll(v, out); d != "" {
			return fmt.Errorf("generated code reads another value%s", d)
		}
		again := h.Plain()
		if err := span.Unmarshal(b, again); err != nil {
			return fmt.Errorf("reflection refuses to read: %w", err)
		}
		if d := randval.DiffAll(plain, again); d != "" {
			return fmt.Errorf("reflection reads another value%s", d)
		}
		if back, err := (span.Options{Deterministic: true}).Append(nil, again); err != nil || !bytes.Equal(back, want) {
			return fmt.Errorf("reflection writes other bytes after reading: %v", err)
		}
	}
	return h.truncated(v, want)
}

// truncated checks that a few prefixes are refused by both, in the same way.
func (h Holder) truncated(v Generated, b []byte) error {
	for _, n := range []int{0, 1, len(b) / 3, len(b) / 2, len(b) - 1} {
		if n < 0 || n >= len(b) {
			continue
		}
		var r span.Reader
		r.Reset(b[:n], span.CopyStrings)
		h.New().ReadSpan(&r)
		err := span.Unmarshal(b[:n], h.Plain())
		if r.Err() == nil || err == nil {
			return fmt.Errorf("%d of %d bytes are accepted: %v, %v", n, len(b), r.Err(), err)
		}
	}
	return nil
}

// Values is the environment variable with the number of values a holder.
const Values = "REALWORLD_VALUES"

// All runs every holder, each as a subtest.
func All(t *testing.T, holders []Holder) {
	n, err := strconv.Atoi(os.Getenv(Values))
	if err != nil {
		n = 20
	}
	for _, h := range holders {
		t.Run(h.Name, func(t *testing.T) {
			if err := h.Run(n); err != nil {
				t.Error(err)
			}
		})
	}
}
