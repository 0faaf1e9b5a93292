// Command chat is a room for any number of people: what one says the server pushes to all.
//
//	go run ./examples/chat -serve :7789
//	go run ./examples/chat -dial host:7789 -name Ann
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/spanwire/spanwire/examples/chat/room"
	"github.com/spanwire/spanwire/rpc"
)

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
		err = room.Talk(ctx, *dial, *name, os.Stdin, os.Stdout)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func server(ctx context.Context, address string) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("serving at", l.Addr())
	return room.New().Serve(l)
}
