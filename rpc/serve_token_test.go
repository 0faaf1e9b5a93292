package rpc_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// The token of a call is known to middleware, in whatever form it came and whatever kind of handler stands behind.
func TestTokenIsKnownToMiddleware(t *testing.T) {
	type order struct{ ID int }
	guard := func(h rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			if rpc.Token(ctx) != "secret" {
				return nil, rpc.NewError(rpc.CodeUnauthorized, "log in: "+rpc.Token(ctx))
			}
			return h.ServeRPC(ctx, dst, r)
		})
	}
	fill := func(x *rpc.Mux) {
		get := func(_ context.Context, o order) (int, error) { return o.ID, nil }
		rpc.Handle(x, "Shop/Get", get)
		rpc.Handle(x, "Shop/Inline", get, rpc.RunInline())
		rpc.Handle(x, "Shop/Map", func(_ context.Context, m map[string]any) (int, error) { return len(m), nil })
		rpc.HandleStream(x, "Shop/List", func(context.Context, order) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) { yield(1, nil) }
		})
	}
	inside, behind := new(rpc.Mux), new(rpc.Mux)
	inside.Use(guard)
	fill(inside)
	fill(behind)
	for name, h := range map[string]rpc.Handler{"Use": inside, "around": guard(behind)} {
		t.Run(name, func(t *testing.T) {
			base(t)
			addr := serve(t, &rpc.Server{Handler: h, Log: quiet})
			for peer, o := range map[string]rpc.Dialer{"ours": {Token: "secret"}, "newlife": {Token: "secret", Peer: rpc.NewLife}} {
				cl := dial(t, addr, o)
				for _, action := range []string{"Shop/Get", "Shop/Inline"} {
					for range 2 {
						var id int
						require.NoError(t, cl.Invoke(context.Background(), action, order{7}, &id), "%s %s", peer, action)
						require.Equal(t, 7, id)
					}
				}
				require.NoError(t, cl.Invoke(context.Background(), "Shop/Map", map[string]any{"a": 1.5}, nil))
				if name == "Use" && peer == "ours" {
					for _, err := range rpc.Stream[int](context.Background(), cl, "Shop/List", order{1}) {
						require.NoError(t, err)
					}
				}
			}
			stranger := dial(t, addr, rpc.Dialer{})
			require.ErrorIs(t, stranger.Invoke(context.Background(), "Shop/Get", order{7}, nil), rpc.NewError(rpc.CodeUnauthorized, ""))

			// A call's token counts for that call; the recorded client's counts for the connection.
			p := connect(t, addr, frame.Standard{})
			for _, arg := range []string{`{"ID":7,"Token":"secret"}`, `{"ID":8}`} {
				b, err := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.Request, 1), 1, &remoting.Message{Action: []byte("Shop/Get"), Data: []byte(arg)})
				require.NoError(t, err)
				_, err = p.nc.Write(b)
				require.NoError(t, err)
				f, ok := p.next()
				require.True(t, ok)
				require.Equal(t, frame.Response, f.Mode(), "%s: %q", arg, f.Payload)
			}
		})
	}
}
