package rpc_test

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
	"github.com/spanwire/spanwire/span"
)

type (
	fromTo struct{ From, To int32 }
	toFrom struct{ To, From int32 }
	dryRun struct {
		Name   string
		DryRun bool
	}
	named struct{ Name string }
	wider struct{ From, To, More int32 }
)

// A handler takes the place of one with its fields the other way round, while calls are under way: no call gets them wrong.
func TestHandlerReplacedUnderLoadGetsNoFieldWrong(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	first := func() {
		rpc.Handle(x, "A/Sub", func(_ context.Context, a fromTo) (fromTo, error) { return fromTo{a.From, a.To - a.From}, nil })
	}
	second := func() {
		rpc.Handle(x, "A/Sub", func(_ context.Context, a *toFrom) (*toFrom, error) { return &toFrom{a.To - a.From, a.From}, nil })
	}
	first()
	s, cl := both(t, x, rpc.Dialer{Log: quiet})
	var wg sync.WaitGroup
	for g := range int32(8) {
		wg.Go(func() {
			for i := range int32(100) {
				var got fromTo
				if err := cl.Invoke(t.Context(), "A/Sub", fromTo{g, i}, &got); err != nil || got != (fromTo{g, i - g}) {
					t.Error(got, err)
				}
			}
		})
	}
	for range 10 {
		second()
		first()
	}
	second()
	wg.Wait()
	var got fromTo
	require.NoError(t, cl.Invoke(t.Context(), "A/Sub", fromTo{1, 3}, &got))
	require.Equal(t, fromTo{1, 2}, got)
	require.NotZero(t, cl.Stats().Mismatches)
	n := s.Stats().Mismatches
	require.NoError(t, cl.Invoke(t.Context(), "A/Sub", fromTo{1, 3}, &got), "the verdict is kept")
	require.Equal(t, n, s.Stats().Mismatches)
	require.Zero(t, s.Stats().Unplaced)
}

// A member without a place is not dropped from an argument, and it is from a result unless the dialect is strict.
func TestMembersWithoutAPlaceAreNotDroppedFromArguments(t *testing.T) {
	base(t)
	ran := 0
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Old", func(_ context.Context, a named) (string, error) { ran++; return a.Name, nil })
	rpc.Handle(x, "A/Params", func(_ context.Context, a named) (string, error) { ran++; return a.Name, nil }, rpc.Params())
	rpc.Handle(x, "A/New", func(_ context.Context, _ struct{}) (wider, error) { return wider{1, 2, 3}, nil })
	rpc.Handle(x, "A/NewZero", func(_ context.Context, _ struct{}) (wider, error) { return wider{1, 2, 0}, nil })
	s, cl := both(t, x, rpc.Dialer{Log: quiet})
	for _, action := range []string{"A/Old", "A/Params"} {
		ran = 0
		var got string
		require.NoError(t, cl.Invoke(t.Context(), action, dryRun{"a", false}, &got))
		require.Equal(t, "a", got)
		for range 2 {
			err := cl.Invoke(t.Context(), action, dryRun{"a", true}, &got)
			require.Equal(t, rpc.CodeMismatch, rpc.CodeOf(err), err)
			require.ErrorContains(t, err, "DryRun")
			require.Equal(t, rpc.Answered, rpc.OutcomeOf(err))
		}
		require.Equal(t, 1, ran)
	}
	var got fromTo
	require.NoError(t, cl.Invoke(t.Context(), "A/New", struct{}{}, &got))
	require.Equal(t, fromTo{1, 2}, got)
	require.Equal(t, uint64(1), cl.Stats().Unplaced)

	strict := dial(t, s2addr(cl), rpc.Dialer{Log: quiet, Dialect: value.Dialect{Strict: true}})
	require.ErrorIs(t, strict.Invoke(t.Context(), "A/New", struct{}{}, &got), value.ErrNoPlace)
	require.NoError(t, strict.Invoke(t.Context(), "A/NewZero", struct{}{}, &got), "a member that is zero is none")
	require.NotZero(t, s.Stats().Mismatches)
}

// Handlers without types get lossless JSON, and bodies as they are; what they answer is what they say.
func TestHandlersWithoutTypesGetLosslessJSON(t *testing.T) {
	base(t)
	var bodies []string
	x := new(rpc.Mux)
	x.HandleFunc("*", func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		bodies = append(bodies, string(r.Body))
		return append(dst, `{"From":7,"To":8}`...), nil
	})
	_, cl := both(t, x, rpc.Dialer{Log: quiet})
	var got fromTo
	for range 2 {
		require.NoError(t, cl.Invoke(t.Context(), "A/Any", fromTo{0, 2}, &got))
		require.Equal(t, fromTo{7, 8}, got)
	}
	require.NoError(t, cl.Invoke(t.Context(), "A/Any", []byte("raw"), &got))
	require.NoError(t, cl.Invoke(t.Context(), "A/Any", nil, &got))
	require.Equal(t, []string{`{"From":0,"To":2}`, `{"From":0,"To":2}`, "raw", ""}, bodies)
	require.Equal(t, uint64(3), cl.Stats().Mismatches)
}

// Streams carry their items as they are, and as lossless JSON where the layouts differ.
func TestStreamsCarryItemsAsTheyAre(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Plain", func(_ context.Context, a plainTimes) iter.Seq2[plainTimes, error] { return twice(a) })
	rpc.HandleStream(x, "S/Pointers", func(_ context.Context, a *plainTimes) iter.Seq2[*plainTimes, error] { return twice(a) })
	rpc.HandleStream(x, "S/Any", func(_ context.Context, a withAny) iter.Seq2[withAny, error] { return twice(a) })
	rpc.HandleStream(x, "S/Other", func(_ context.Context, a toFrom) iter.Seq2[toFrom, error] { return twice(a) })
	rpc.HandleStream(x, "S/Float", func(_ context.Context, a float64) iter.Seq2[float64, error] { return twice(a) })
	_, cl := both(t, x, rpc.Dialer{Log: quiet})
	p := plainTimes{At: exact, For: 1, Text: "\xff", Zero: map[string]int{"a": 0}}
	a := withAny{"n", int64(5), exact, 3, map[string]any{"n": nil}, nil, 0}
	for range 2 {
		streamed(t, cl, "S/Plain", p, p)
		streamed(t, cl, "S/Pointers", &p, &p)
		streamed(t, cl, "S/Any", a, a)
		streamed(t, cl, "S/Other", fromTo{1, 2}, fromTo{1, 2})
		streamed(t, cl, "S/Float", math.Inf(-1), math.Inf(-1))
	}
	require.Equal(t, uint64(1), cl.Stats().Mismatches)
}

func twice[T any](v T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { _ = yield(v, nil) && yield(v, nil) }
}

func streamed[T any](t *testing.T, cl *rpc.Client, action string, arg any, want T) {
	t.Helper()
	n := 0
	for got, err := range rpc.Stream[T](t.Context(), cl, action, arg) {
		require.NoError(t, err, action)
		require.Empty(t, diffOf(want, got), action)
		n++
	}
	require.Equal(t, 2, n, action)
}

// A proxy that takes any body hands on what it gets: the caller and the server find out about their layouts as if they spoke directly.
func TestPassThroughHandsOnWhatItGets(t *testing.T) {
	base(t)
	values := everyKind()
	far := echoServer(values)
	rpc.Handle(far, "A/Swapped", func(_ context.Context, a toFrom) (toFrom, error) { return a, nil })
	told := make(chan plainTimes, 1)
	rpc.HandleVoid(far, "A/Told", func(_ context.Context, a plainTimes) error { told <- a; return nil })
	up := dial(t, serve(t, &rpc.Server{Handler: far, Log: quiet}), rpc.Dialer{Log: quiet})
	var seen []byte
	x := new(rpc.Mux)
	x.Handle("*", rpc.PassThrough(rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		seen = slices.Clone(r.Tail())
		return up.Forward(ctx, dst, r)
	})))
	s, cl := both(t, x, rpc.Dialer{Log: quiet})
	for name, v := range values {
		for range 2 {
			require.NoError(t, echoed(t.Context(), cl.Invoke, name, v))
		}
	}
	require.NotEmpty(t, seen)
	require.Zero(t, cl.Stats().Mismatches)
	for range 2 {
		var got fromTo
		require.NoError(t, cl.Invoke(t.Context(), "A/Swapped", fromTo{1, 2}, &got))
		require.Equal(t, fromTo{1, 2}, got)
	}
	require.Equal(t, uint64(1), cl.Stats().Mismatches)
	require.Zero(t, s.Stats().Mismatches)
	p := plainTimes{At: exact, Text: "x", For: 1}
	require.NoError(t, cl.NotifyValue(t.Context(), "A/Told", p))
	require.Empty(t, diffOf(p, <-told))
	got, err := cl.Call(t.Context(), nil, "Echo/6e6f", []byte("x"))
	require.Equal(t, rpc.CodeNotFound, rpc.CodeOf(err), got)

	foreign := dial(t, serve(t, &rpc.Server{Handler: far, Log: quiet}), rpc.Dialer{Log: quiet, Peer: rpc.NewLife})
	x.Handle("*", rpc.PassThrough(rpc.HandlerFunc(foreign.Forward)))
	require.Equal(t, rpc.CodeMismatch, rpc.CodeOf(cl.Invoke(t.Context(), "A/Swapped", toFrom{1, 2}, nil)))
}

// R17: what is wrong with a value is found before the call is sent, or told with the action.
func TestValueErrorsAreFoundBeforeSending(t *testing.T) {
	base(t)
	ran := 0
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Any", func(_ context.Context, v any) (any, error) { ran++; return v, nil })
	rpc.Handle(x, "A/Inf", func(_ context.Context, _ any) (any, error) { return map[string]any{"x": math.Inf(1)}, nil })
	rpc.Handle(x, "A/Text", func(_ context.Context, v string) (string, error) { ran++; return "no number", nil })
	_, cl := both(t, x, rpc.Dialer{Log: quiet})
	var text string
	var n int
	for name, k := range map[string]struct {
		action     string
		arg, reply any
		outcome    rpc.Outcome
		says       string
	}{
		"nil pointer":      {"A/Any", 1, (*string)(nil), rpc.NotSent, "nil *string"},
		"no pointer":       {"A/Any", 1, text, rpc.NotSent, "not a pointer"},
		"infinite":         {"A/Any", map[string]any{"x": math.Inf(1)}, nil, rpc.NotSent, "x (float64)"},
		"not UTF-8":        {"A/Any", map[string]any{"x": "\xff"}, nil, rpc.NotSent, "UTF-8"},
		"interface":        {"A/Any", struct{ E error }{context.Canceled}, nil, rpc.NotSent, "interface with methods"},
		"does not convert": {"A/Text", "x", &n, rpc.Answered, "convert"},
		"infinite result":  {"A/Inf", 1, &text, rpc.Answered, "x (float64)"},
		"a chan in an any": {"A/Any", []any{make(chan int)}, nil, rpc.NotSent, "chan int"},
		"promoted, unclear": {"A/Any", struct {
			value.Packet
			selfWriting
			B string
		}{}, nil, rpc.NotSent, "promoted"},
	} {
		err := cl.Invoke(t.Context(), k.action, k.arg, k.reply)
		require.Error(t, err, name)
		require.Equal(t, k.outcome, rpc.OutcomeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, k.says, name)
		var ce *rpc.CallError
		if k.action != "A/Inf" {
			require.ErrorAs(t, err, &ce, name)
			require.Equal(t, k.action, ce.Action, name)
		}
	}
	require.Equal(t, 1, ran)
}

// selfWriting writes itself.
type selfWriting struct{ n byte }

func (s *selfWriting) AppendRaw(b []byte) ([]byte, error) { return append(b, s.n), nil }
func (s *selfWriting) ReadRaw(data []byte) error          { s.n = data[0]; return nil }

// Middleware around a whole Mux: with PassThrough the handlers in it get span bodies and compare layouts themselves, without it JSON.
func TestMuxBehindMiddlewareComparesLayoutsItself(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Sub", func(_ context.Context, a fromTo) (fromTo, error) { return a, nil })
	x.HandleFunc("A/Body", func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		return append(dst, r.Body...), nil
	})
	around := rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) { return x.ServeRPC(ctx, dst, r) })
	for name, k := range map[string]struct {
		h          rpc.Handler
		mismatches uint64
	}{"marked": {rpc.PassThrough(around), 2}, "unmarked": {around, 3}} {
		cl := dial(t, serve(t, &rpc.Server{Handler: k.h, Log: quiet}), rpc.Dialer{Log: quiet})
		for range 2 {
			var same fromTo
			require.NoError(t, cl.Invoke(t.Context(), "A/Sub", fromTo{1, 2}, &same), name)
			require.Equal(t, fromTo{1, 2}, same, name)
			var other toFrom
			require.NoError(t, cl.Invoke(t.Context(), "A/Sub", toFrom{To: 2, From: 1}, &other), name)
			require.Equal(t, toFrom{To: 2, From: 1}, other, name)
			var body []byte
			require.NoError(t, cl.Invoke(t.Context(), "A/Body", fromTo{1, 2}, &body), name)
			require.Equal(t, `{"From":1,"To":2}`, string(body), name)
		}
		require.Equal(t, k.mismatches, cl.Stats().Mismatches, name)
	}
}

// What layouts look like on the wire, from a peer made by hand.
func TestLayoutsLookAsDocumentedOnTheWire(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Sub", func(_ context.Context, a fromTo) (int32, error) { return a.To - a.From, nil })
	rpc.HandleVoid(x, "A/Void", func(context.Context, fromTo) error { return nil })
	x.Handle("A/Raw", echo)
	s := &rpc.Server{Handler: x, Log: quiet}
	p := connect(t, serve(t, s), frame.Standard{})
	arg, result := span.Fingerprint[fromTo](), span.Fingerprint[int32]()
	body, err := span.Marshal(fromTo{1, 3})
	require.NoError(t, err)
	is := func(e remoting.Encoding, prints ...uint64) remoting.Tail {
		tail := remoting.AppendBody(remoting.Tail{}, e)
		if len(prints) > 0 {
			tail = remoting.AppendLayouts(tail, prints[0], prints[1])
		}
		return tail
	}
	json := []byte(`{"From":1,"To":3}`)
	for i, k := range []struct {
		name, action string
		data         []byte
		tail         remoting.Tail
		code         int32
		refusal      remoting.Refusal
		want         string
		enc          remoting.Encoding
	}{
		{"span, span", "A/Sub", body, is(1, arg, result), 0, 0, "\x02\x00\x00\x00", 1},
		{"span, JSON", "A/Sub", body, is(1, arg, 1), 0, 0, "2", 2},
		{"span, not read", "A/Sub", body, is(1, arg, 0), 0, 0, "", 0},
		{"JSON, span", "A/Sub", json, is(2, 1, result), 0, 0, "\x02\x00\x00\x00", 1},
		{"JSON in kind", "A/Sub", json, is(2), 0, 0, "2", 2},
		{"as NewLife", "A/Sub", json, is(0), 0, 0, "2", 0},
		{"as NewLife, JSON", "A/Sub", json, is(0, 0, 1), 0, 0, "2", 2},
		{"nothing, span", "A/Sub", nil, is(0, 0, result), 0, 0, "\x00\x00\x00\x00", 1},
		{"no result", "A/Void", body, is(1, arg, result), 0, 0, "", 0},
		{"another argument", "A/Sub", body, is(1, arg+1, result), 412, 2, "", 0},
		{"another result", "A/Sub", body, is(1, arg, result+1), 412, 2, "", 0},
		{"no layout", "A/Sub", body, is(1), 412, 2, "", 0},
		{"JSON, another result", "A/Sub", json, is(2, 1, result+1), 412, 2, "", 0},
		{"no types", "A/Raw", body, is(1, arg, 0), 412, 2, "", 0},
		{"no types, JSON", "A/Raw", json, is(2), 0, 0, string(json), 0},
		{"no place", "A/Sub", []byte(`{"From":1,"By":3}`), is(2), 412, 0, "", 0},
		{"not JSON", "A/Sub", []byte(`{From:1}`), is(2), 400, 0, "", 0},
		{"cut", "A/Sub", body[:5], is(1, arg, result), 400, 0, "", 0},
		{"unknown encoding", "A/Sub", body, is(3), 400, 0, "", 0},
		{"asked", "$layout", []byte("a/sub"), is(0, arg, 0), 0, 0, "", 0},
		{"asked, another", "$layout", []byte("A/Sub"), is(0, arg+1, 0), 412, 2, "", 0},
		{"asked, no layout", "$layout", []byte("A/Sub"), is(0), 412, 2, "", 0},
		{"asked, no types", "$layout", []byte("A/Raw"), is(0, arg, 0), 412, 2, "", 0},
		{"asked, nobody", "$layout", []byte("A/None"), is(0, arg, 0), 412, 2, "", 0},
		{"asked of nothing", "$layout", nil, nil, 412, 0, "", 0},
	} {
		b, err := remoting.AppendFrame(nil, frame.Standard{}, 1, byte(i), &remoting.Message{Action: []byte(k.action), Data: k.data, Tail: k.tail})
		require.NoError(t, err)
		_, err = p.nc.Write(b)
		require.NoError(t, err)
		f, ok := p.next()
		require.True(t, ok, k.name)
		m, err := remoting.Parse(f.Mode(), f.Payload)
		require.NoError(t, err)
		require.Equal(t, k.code, m.Code, "%s: %s", k.name, m.Data)
		require.Equal(t, k.refusal, m.Tail.Refusal(), k.name)
		if k.code == 0 {
			require.Equal(t, k.want, string(m.Data), k.name)
			require.Equal(t, k.enc, m.Tail.Body(), k.name)
		}
		_, _, sent := m.Tail.Layouts()
		require.False(t, sent, "answers have none")
	}
}
