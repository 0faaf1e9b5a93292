// Command echo sends lines back and forth with any of the codecs:
//
//	go run ./examples/echo                     a server and a client in one program, each codec once
//	go run ./examples/echo -serve :7788        a server
//	go run ./examples/echo -dial host:7788     a client: each line of the input is sent, each answer printed
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/spanwire/spanwire/examples/echo/lines"
)

func main() {
	serve := flag.String("serve", "", "address to serve at")
	dial := flag.String("dial", "", "address to call")
	codec := flag.String("codec", "standard", "standard, length, delimited, json or bigendian, the same on both sides; json takes a JSON value a line")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case lines.Codecs[*codec] == nil:
		err = fmt.Errorf("no codec %q: standard, length, delimited, json or bigendian", *codec)
	case *serve != "":
		err = lines.Server(ctx, *serve, lines.Codecs[*codec])
	case *dial != "":
		err = lines.Client(ctx, *dial, lines.Codecs[*codec], os.Stdin, os.Stdout)
	default:
		err = lines.All(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
