package rpc_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// Peers of ours read in English which action they may have meant, NewLife reads its own words.
func TestUnknownActionNamesTheNearest(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	nothing := func(context.Context, []byte, *rpc.Request) ([]byte, error) { return nil, nil }
	x.HandleFunc("Shop/Get", nothing)
	x.HandleFunc("Wild/*", nothing)
	for _, behind := range []rpc.Handler{x, rpc.HandlerFunc(x.ServeRPC)} { // also a Mux that stands behind something
		s := &rpc.Server{Handler: behind, Log: quiet}
		cl := dial(t, serve(t, s), rpc.Dialer{})
		for action, want := range map[string]string{
			"Shop/Gte": `404: no action "Shop/Gte": did you mean "Shop/Get"?`,
			"Other":    `404: no action "Other"`,
		} {
			_, err := cl.Call(context.Background(), nil, action, nil)
			require.EqualError(t, err, want)
		}
		p := connect(t, s.Sessions()[0].LocalAddr().String(), frame.Standard{})
		_, err := p.nc.Write([]byte("\x01\x01\x09\x00\x08Shop/Gte"))
		require.NoError(t, err)
		f, ok := p.next()
		require.True(t, ok)
		m, err := remoting.Parse(f.Mode(), f.Payload)
		require.NoError(t, err)
		require.Equal(t, remoting.NotFoundText("Shop/Gte"), string(m.Data))
	}
}

// Middleware sees the calls of actions that nobody handles.
func TestMiddlewareSeesUnknownActions(t *testing.T) {
	base(t)
	var mu sync.Mutex
	var seen []string
	x := new(rpc.Mux)
	x.Use(func(h rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			mu.Lock()
			seen = append(seen, r.Action)
			mu.Unlock()
			return h.ServeRPC(ctx, dst, r)
		})
	})
	x.HandleFunc("A/B", func(context.Context, []byte, *rpc.Request) ([]byte, error) { return nil, nil })
	_, cl := both(t, x, rpc.Dialer{})
	_, err := cl.Call(context.Background(), nil, "A/B", nil)
	require.NoError(t, err)
	_, err = cl.Call(context.Background(), nil, "A/C", nil)
	require.ErrorIs(t, err, rpc.NewError(rpc.CodeNotFound, ""))
	require.ErrorContains(t, err, `did you mean "A/B"?`)
	require.Equal(t, []string{"A/B", "A/C"}, seen)
}

// What can never be called is a programming error, found when it is added.
func TestHandleRefusesWhatCannotBeCalled(t *testing.T) {
	x := new(rpc.Mux)
	nothing := func(context.Context, []byte, *rpc.Request) ([]byte, error) { return nil, nil }
	for name, add := range map[string]func(){
		`rpc: action "" has no name`:                                            func() { x.HandleFunc("", nothing) },
		`rpc: action "$x" begins with $, which the protocol keeps for itself`:   func() { x.HandleFunc("$x", nothing) },
		`rpc: action "A/é" has a byte above 7E, which NewLife does not look up`: func() { x.HandleFunc("A/é", nothing) },
		`rpc: nil handler of action "A"`:                                        func() { x.Handle("A", nil) },
		`rpc: action "A/C": the argument, chan int, cannot travel`:              func() { rpc.Handle(x, "A/C", func(context.Context, chan int) (int, error) { return 0, nil }) },
		`rpc: action "A/R": the result, map[string]func(), cannot travel: a func()`: func() {
			rpc.Handle(x, "A/R", func(context.Context, int) (map[string]func(), error) { return nil, nil })
		},
		`rpc: action "A/V": the argument, struct { F []chan int }, cannot travel: a chan int`: func() {
			rpc.HandleVoid(x, "A/V", func(context.Context, struct{ F []chan int }) error { return nil })
		},
		`rpc: action "A/P": Params: the argument, int, is neither a struct nor a pointer to one`: func() {
			rpc.HandleVoid(x, "A/P", func(context.Context, int) error { return nil }, rpc.Params())
		},
		`rpc: action "A/D": Params: the defaults are a *struct { A int }, the argument is a struct { A int }`: func() {
			rpc.HandleVoid(x, "A/D", func(context.Context, struct{ A int }) error { return nil }, rpc.Params(func() any { return new(struct{ A int }) }))
		},
	} {
		require.PanicsWithValue(t, name, add)
	}
	require.Empty(t, x.Actions())
}
