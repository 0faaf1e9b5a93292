package rpc_test

import (
	"context"
	"testing"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

// Arguments that nest as deep as both sides' dialects allow carry a token, and it is found in them.
func TestDeepToken(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Token", func(ctx context.Context, _ any) (string, error) { return rpc.Token(ctx), nil })
	d := value.Dialect{Depth: 200}
	addr := serve(t, &rpc.Server{Handler: x, Dialect: d, Log: quiet})
	cl := dial(t, addr, &rpc.Options{Dialect: d, Token: "tk"})
	var got string
	if err := cl.Invoke(context.Background(), "A/Token", deep(150), &got); err != nil || got != "tk" {
		t.Fatal(got, err)
	}
}
