// Command remoting serves and calls the Test controller of NewLife.Remoting: a .NET client of that library may call this
// server, and this client a .NET server.
//
//	go run ./examples/remoting                    a server and a client in one program
//	go run ./examples/remoting -serve :5500       a server
//	go run ./examples/remoting -dial host:5500    a client
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/spanwire/spanwire/examples/remoting/controller"
)

func main() {
	serve := flag.String("serve", "", "address to serve at")
	dial := flag.String("dial", "", "address to call")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *serve != "":
		err = controller.Server(ctx, *serve)
	case *dial != "":
		err = controller.Client(ctx, *dial, os.Stdout)
	default:
		err = controller.Both(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
