// Package controller is what the example remoting is made of: NewLife's Test
// controller and calls of it.
package controller

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

// The arguments of the actions: with rpc.Params each field is a parameter, found by its name. Pointers tell null from "".
type (
	echoArg struct {
		Msg *string `json:"msg"`
	}
	addArg struct {
		A int32 `json:"a"`
		B int32 `json:"b"`
	}
	bigArg struct {
		N int32 `json:"n"`
	}
	packetArg struct {
		Pk value.Packet `json:"pk"`
	}
	delayArg struct {
		Ms int32 `json:"ms"`
		ID int32 `json:"id"`
	}
)

// New is NewLife's Test controller, action by action.
func New() *rpc.Mux {
	x := new(rpc.Mux)
	rpc.Handle(x, "Test/Echo", func(_ context.Context, a echoArg) (*string, error) { return a.Msg, nil }, rpc.Params())
	rpc.Handle(x, "Test/Add", func(_ context.Context, a addArg) (int32, error) { return a.A + a.B, nil }, rpc.Params())
	rpc.HandleVoid(x, "Test/Fail", func(context.Context, struct{}) error { return errors.New("boom") }, rpc.Params())
	rpc.Handle(x, "Test/Big", func(_ context.Context, a bigArg) (string, error) {
		if a.N < 0 || a.N > 1<<20 {
			return "", rpc.NewError(400, "n out of range")
		}
		return strings.Repeat("b", int(a.N)), nil
	}, rpc.Params())
	rpc.Handle(x, "Test/Packet", func(_ context.Context, a packetArg) (value.Packet, error) { return a.Pk, nil },
		rpc.Params(), rpc.Signature("IPacket Test/Packet(IPacket pk)"))
	rpc.Handle(x, "Test/Delay", func(ctx context.Context, a delayArg) (int32, error) {
		select {
		case <-time.After(time.Duration(a.Ms) * time.Millisecond):
			return a.ID, nil
		case <-ctx.Done(): // the caller has given up
			return 0, ctx.Err()
		}
	}, rpc.Params(), rpc.Signature("Task`1 Test/Delay(Int32 ms, Int32 id)"))
	x.AddAPI()
	return x
}

// Server serves until it is killed.
func Server(ctx context.Context, address string) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("serving at", l.Addr())
	s := &rpc.Server{Handler: New()}
	return s.Serve(l)
}

// Client makes a few calls.
func Client(ctx context.Context, address string, out io.Writer) error {
	cl, err := rpc.Dial(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = cl.Close() }() // returns nil
	hello, text := "hello", ""
	if err := cl.Invoke(ctx, "Test/Echo", echoArg{&hello}, &text); err != nil {
		return err
	}
	var sum int32 // as the action declares it: with another type the call would go as JSON, and a warning say so
	if err := cl.Invoke(ctx, "Test/Add", addArg{3, 4}, &sum); err != nil {
		return err
	}
	var actions []string
	if err := cl.Invoke(ctx, "Api/All", nil, &actions); err != nil {
		return err
	}
	fmt.Fprintf(out, "echo: %s\nadd: %d\n%s\n", text, sum, strings.Join(actions, "\n"))
	err = cl.Invoke(ctx, "Test/Fail", nil, nil)
	fmt.Fprintf(out, "fail: code %d, %v\n", rpc.CodeOf(err), rpc.OutcomeOf(err))
	return nil
}

// Both lets the client call the server.
func Both(ctx context.Context, out io.Writer) error {
	l, err := rpc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &rpc.Server{Handler: New()}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	if err := Client(ctx, l.Addr().String(), out); err != nil {
		return err
	}
	if err := s.Shutdown(ctx); err != nil {
		return err
	}
	if err := <-served; !errors.Is(err, rpc.ErrServerClosed) {
		return err
	}
	return nil
}
