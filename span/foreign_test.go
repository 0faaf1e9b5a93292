package span_test

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	foreign "github.com/spanwire/spanwire/internal/layout/corpus/other"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// jsonInt is no struct and has JSON methods.
type jsonInt int16

var errOdd = errors.New("odd")

func (v jsonInt) MarshalJSON() ([]byte, error) {
	if v%2 != 0 {
		return nil, errOdd
	}
	return strconv.AppendInt(nil, int64(v), 10), nil
}

func (v *jsonInt) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(string(b), 10, 16)
	*v += jsonInt(n) // a used value must be zero
	return err
}

type foreignStates struct {
	A foreign.Quantity
	P *foreign.Quantity
	L []foreign.Quantity
	M map[string]foreign.Quantity
	K map[foreign.Quantity]int8
	I jsonInt          `span:"marshal=json"`
	F foreign.Quantity `span:"fields"`
	X foreign.Quantity `span:"max=20"`
}

// TestForeignState: what a type of another package hides is carried by its JSON,
// in every form of writing and reading, into fresh and used values (G16).
func TestForeignState(t *testing.T) {
	q := func(n int64) foreign.Quantity { return foreign.New("m", n) }
	p := q(-3)
	sent := foreignStates{
		A: q(250), P: &p, L: []foreign.Quantity{q(1), q(2)}, M: map[string]foreign.Quantity{"cpu": q(3)},
		K: map[foreign.Quantity]int8{q(9): 9}, I: -8, F: q(77), X: q(5),
	}
	want := sent
	want.F = foreign.New("m", 0) // its exported fields
	b, err := span.Marshal(&sent)
	require.NoError(t, err)
	require.Equal(t, byte(len(`{"format":"m","n":250}`)), b[0])
	require.Equal(t, `{"format":"m","n":250}`, string(b[1:1+b[0]]))

	var fresh foreignStates
	require.NoError(t, span.Unmarshal(b, &fresh))
	require.Equal(t, want, fresh)
	require.NoError(t, span.Unmarshal(b, &fresh)) // used
	require.Equal(t, want, fresh)
	for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
		got := foreignStates{I: 3}
		require.NoError(t, span.UnmarshalRead(r, &got))
		require.Equal(t, want, got)
	}
	var out bytes.Buffer
	require.NoError(t, span.MarshalWrite(&out, sent))
	require.Equal(t, b, out.Bytes())

	sent.I = 1
	_, err = span.Marshal(&sent)
	require.ErrorIs(t, err, errOdd)
	require.ErrorContains(t, err, "I")
	sent.I, sent.X = 0, q(1e9)
	_, err = span.Marshal(&sent)
	require.ErrorIs(t, err, span.ErrLimit)
	for n := range len(b) {
		require.Error(t, span.Unmarshal(b[:n], new(foreignStates)), "%d bytes", n)
	}
}

// TestForeignStateRefused: state without methods, at any depth.
func TestForeignStateRefused(t *testing.T) {
	for _, test := range []struct {
		name, says string
		v          any
	}{
		{"direct", "(x, cache)", &struct{ V foreign.Stateful }{}},
		{"in a list", "span:\"fields\"", &struct{ V []*foreign.Stateful }{}},
		{"below a struct of its own package", "", &struct{ V foreign.Holds }{}},
		{"JSON below a struct of its own package", "", &struct{ V map[int8]foreign.HoldsQ }{}},
		{"nothing but state", "", &struct{ V foreign.Attr }{}},
	} {
		_, err := span.Marshal(test.v)
		require.ErrorIs(t, err, span.ErrUnsupported, test.name)
		require.ErrorContains(t, err, "unexported fields", test.name)
		require.ErrorContains(t, err, test.says, test.name)
	}
	v := struct {
		A foreign.Stateful `span:"fields"`
		B foreign.Guarded
		C foreign.Said
	}{A: foreign.Stateful{A: 1}, B: foreign.Guarded{A: 2}, C: foreign.Said{A: 3}}
	b, err := span.Marshal(&v)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, b)
}

// TestWrappedField: a struct that only embeds a type with methods is that field,
// whatever its own methods say (G17).
func TestWrappedField(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)
	timed := foreign.Timed{Time: now}
	type times struct {
		A foreign.Timed
		P *foreign.Timed
		L []foreign.Twice
		M map[string]*foreign.Timed
		K map[foreign.Timed]foreign.TimedPtr
		N struct{ V struct{ foreign.Twice } }
	}
	sent := times{
		A: timed, P: &timed, L: []foreign.Twice{{Timed: timed}}, M: map[string]*foreign.Timed{"a": {}},
		K: map[foreign.Timed]foreign.TimedPtr{timed: {Time: &now}},
	}
	sent.N.V.Timed = timed
	b, err := span.Marshal(&sent)
	require.NoError(t, err)
	var got times
	require.NoError(t, span.Unmarshal(b, &got))
	require.Equal(t, sent, got)
	one, err := span.Marshal(&timed)
	require.NoError(t, err)
	require.Equal(t, wire.AppendTime(nil, now), one)
}

// TestOmit: a tag leaves out fields of other people's types (G18).
func TestOmit(t *testing.T) {
	type carried struct {
		V *foreign.Fault  `span:"omit=Err|Data|Base.Fetch|Ops.Keys"`
		L []foreign.Fault `span:"omit=Err|Data|Base|Ops|Cause"`
		I int32
	}
	sent := carried{
		V: &foreign.Fault{
			Code: 1, Err: errOdd, Data: map[string]any{"a": 1}, Base: foreign.Base{ID: "id", Fetch: func() error { return nil }},
			Cause: &foreign.Fault{Code: 2, Err: errOdd, Base: foreign.Base{ID: "cause"}, Ops: []foreign.Op{{Name: "deep"}}},
			Ops:   []foreign.Op{{Name: "op", Keys: map[foreign.Key]int8{{}: 1}}},
		},
		L: []foreign.Fault{{Code: 3, Cause: &foreign.Fault{}}}, I: 4,
	}
	b, err := span.Marshal(&sent)
	require.NoError(t, err)
	got := carried{L: []foreign.Fault{{Err: errOdd}}} // what is left out stays out
	require.NoError(t, span.Unmarshal(b, &got))
	want := carried{
		V: &foreign.Fault{
			Code: 1, Base: foreign.Base{ID: "id"}, Ops: []foreign.Op{{Name: "op"}},
			Cause: &foreign.Fault{Code: 2, Base: foreign.Base{ID: "cause"}, Ops: []foreign.Op{{Name: "deep"}}},
		},
		L: []foreign.Fault{{Code: 3}}, I: 4,
	}
	require.Equal(t, want.V, got.V)
	require.Equal(t, want.L[0].Code, got.L[0].Code)
	require.Equal(t, want.I, got.I)

	_, err = span.Marshal(&struct {
		V foreign.Fault `span:"omit=Er|Data|Base|Ops|Err"`
	}{})
	require.ErrorContains(t, err, "no field Er")
	require.ErrorContains(t, err, "the nearest is Err")
	_, err = span.Marshal(&struct{ V []foreign.Fault }{})
	require.ErrorContains(t, err, "leave it out with `span:\"omit=Base.Fetch\"` on ")
}
