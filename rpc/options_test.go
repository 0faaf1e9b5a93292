package rpc_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
)

// Options that are set stay set when others are added to a context.
func TestOptionsThatAreSetStaySet(t *testing.T) {
	flag := byte(3)
	full := rpc.CallOptions{Metadata: rpc.Metadata{{Key: "a", Value: "1"}}, ReplyMetadata: new(rpc.Metadata), Trace: "00-a-b-01", WaitReady: true, Idempotent: true, Flag: &flag}
	for i := range reflect.TypeFor[rpc.CallOptions]().NumField() {
		f := reflect.TypeFor[rpc.CallOptions]().Field(i)
		v := reflect.New(f.Type).Elem()
		if v.Set(reflect.ValueOf(full).Field(i)); v.IsZero() {
			require.Equal(t, reflect.Bool, f.Type.Kind(), "%s: set it above", f.Name)
			v.SetBool(true)
		}
		var one rpc.CallOptions
		reflect.ValueOf(&one).Elem().Field(i).Set(v)
		for _, order := range [][2]rpc.CallOptions{{one, {}}, {{}, one}} {
			ctx := rpc.WithOptions(rpc.WithOptions(context.Background(), order[0]), order[1])
			require.Equal(t, one, rpc.CallOptionsFrom(ctx), f.Name)
		}
	}
	ctx := rpc.WithOptions(rpc.WithOptions(context.Background(), full), rpc.CallOptions{Metadata: rpc.Metadata{{Key: "b", Value: "2"}}, Trace: "00-c-d-01"})
	o := rpc.CallOptionsFrom(ctx)
	require.Equal(t, rpc.Metadata{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}, o.Metadata)
	require.Equal(t, "00-c-d-01", o.Trace)
	require.Len(t, full.Metadata, 1)
	require.Zero(t, rpc.CallOptionsFrom(context.Background()))
}

// The trace of a call reaches handlers, of every kind, and the calls that they make.
func TestTraceIsForwarded(t *testing.T) {
	base(t)
	inner := new(rpc.Mux)
	seen := make(chan string, 8)
	inner.HandleFunc("In/Last", func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		seen <- rpc.Trace(ctx)
		return nil, nil
	})
	_, next := both(t, inner, rpc.Dialer{})
	_, err := next.Call(context.Background(), nil, "In/Last", nil) // the peer has shown what it is
	require.NoError(t, err)
	require.Empty(t, <-seen)

	outer := new(rpc.Mux)
	forward := func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		return next.Call(ctx, nil, "In/Last", nil)
	}
	outer.HandleFunc("Out/Own", forward)
	outer.Handle("Out/Inline", rpc.Inline(rpc.HandlerFunc(forward)))
	outer.HandleFunc("Out/Other", func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		seen <- rpc.Trace(ctx)
		return forward(rpc.WithOptions(ctx, rpc.CallOptions{Trace: "00-2-2-01"}), dst, r)
	})
	_, cl := both(t, outer, rpc.Dialer{})
	ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{Trace: "00-1-1-01"})
	require.Equal(t, "00-1-1-01", rpc.Trace(ctx))
	for _, action := range []string{"Out/Own", "Out/Inline"} {
		_, err := cl.Call(ctx, nil, action, nil)
		require.NoError(t, err)
		require.Equal(t, "00-1-1-01", <-seen, action)
	}
	_, err = cl.Call(ctx, nil, "Out/Other", nil)
	require.NoError(t, err)
	require.Equal(t, "00-1-1-01", <-seen)
	require.Equal(t, "00-2-2-01", <-seen)
}
