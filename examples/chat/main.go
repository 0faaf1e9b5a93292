// Command chat is a room for any number of people: what one says the server pushes to all.
//
//	go run ./examples/chat -serve :7789
//	go run ./examples/chat -dial host:7789 -name Ann
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spanwire/spanwire/rpc"
)

// line is what somebody says.
type line struct{ From, Text string }

func main() {
	serve := flag.String("serve", "", "address to serve at")
	dial := flag.String("dial", "", "address of a room")
	name := flag.String("name", "somebody", "your name")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *serve != "":
		err = server(ctx, *serve)
	case *dial != "":
		err = talk(ctx, *dial, *name, os.Stdin, os.Stdout)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// nameKey is under which a session keeps the name of who has joined.
type nameKey struct{}

// room makes a server. Whoever does not keep up with what is said is cut off; the others do not wait.
func room() *rpc.Server {
	x := new(rpc.Mux)
	s := &rpc.Server{Handler: x}
	tell := func(ctx context.Context, l line) error {
		body, err := json.Marshal(l)
		if err == nil {
			s.Broadcast(ctx, "Room/Said", body)
		}
		return err
	}
	rpc.HandleVoid(x, "Room/Join", func(ctx context.Context, name string) error {
		if name == "" {
			return rpc.NewError(400, "a name, please")
		}
		rpc.Peer(ctx).Set(nameKey{}, name)
		return tell(ctx, line{"room", name + " is here"})
	})
	rpc.HandleVoid(x, "Room/Say", func(ctx context.Context, text string) error {
		name, ok := rpc.Peer(ctx).Value(nameKey{}).(string)
		if !ok {
			return rpc.NewError(403, "join first")
		}
		return tell(ctx, line{name, text})
	})
	s.OnClose = func(p *rpc.Session, _ error) {
		if name, ok := p.Value(nameKey{}).(string); ok {
			_ = tell(context.Background(), line{"room", name + " has left"}) // two strings always marshal
		}
	}
	return s
}

func server(ctx context.Context, address string) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return room().Serve(l)
}

// join enters a room; said is called for all that is said there, one after another.
func join(ctx context.Context, address, name string, said func(line)) (*rpc.Client, error) {
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "Room/Said", func(_ context.Context, l line) error {
		said(l)
		return nil
	})
	cl, err := rpc.Dial(ctx, "tcp", address, &rpc.Options{Handler: x})
	if err != nil {
		return nil, err
	}
	if err := cl.Invoke(ctx, "Room/Join", name, nil); err != nil {
		_ = cl.Close() // returns nil
		return nil, err
	}
	return cl, nil
}

// talk says each line of in, and writes what is said to out.
func talk(ctx context.Context, address, name string, in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	cl, err := join(ctx, address, name, func(l line) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "%s: %s\n", l.From, l.Text)
	})
	if err != nil {
		return err
	}
	defer func() { _ = cl.Close() }() // returns nil
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := cl.Invoke(ctx, "Room/Say", lines.Text(), nil); err != nil {
			return err
		}
	}
	return lines.Err()
}
