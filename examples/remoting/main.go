// Command remoting serves and calls the Test controller of NewLife.Remoting: a .NET client of that library may call this
// server, and this client a .NET server.
//
//	go run ./examples/remoting                    a server and a client in one program
//	go run ./examples/remoting -serve :5500       a server
//	go run ./examples/remoting -dial host:5500    a client
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

func main() {
	serve := flag.String("serve", "", "address to serve at")
	dial := flag.String("dial", "", "address to call")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *serve != "":
		err = server(ctx, *serve)
	case *dial != "":
		err = client(ctx, *dial, os.Stdout)
	default:
		err = both(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

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

// controller is NewLife's Test controller, action by action.
func controller() *rpc.Mux {
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

func server(ctx context.Context, address string) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	s := &rpc.Server{Handler: controller()}
	return s.Serve(l)
}

// client makes a few calls.
func client(ctx context.Context, address string, out io.Writer) error {
	cl, err := rpc.Dial(ctx, "tcp", address, nil)
	if err != nil {
		return err
	}
	defer func() { _ = cl.Close() }() // returns nil
	var text string
	if err := cl.Invoke(ctx, "Test/Echo", map[string]string{"msg": "hello"}, &text); err != nil {
		return err
	}
	var sum int
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

func both(ctx context.Context, out io.Writer) error {
	l, err := rpc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &rpc.Server{Handler: controller()}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	if err := client(ctx, l.Addr().String(), out); err != nil {
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
