// Command echo sends lines back and forth with any of the codecs:
//
//	go run ./examples/echo                     a server and a client in one program, each codec once
//	go run ./examples/echo -serve :7788        a server
//	go run ./examples/echo -dial host:7788     a client: each line of the input is sent, each answer printed
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// codecs are the ways to draw the border between messages. All of them are used without the Remoting envelope here: a message
// is what was sent, nothing else.
var codecs = map[string]frame.Codec{
	"standard":  frame.Standard{},                       // NewLife's SRMP
	"length":    frame.LengthField{Size: 2},             // two bytes of length in front
	"delimited": frame.Delimited{},                      // a line each
	"json":      frame.JSON{},                           // a JSON value each
	"bigendian": frame.LengthField{Size: -4, Offset: 2}, // two bytes of header, then four of length, big-endian
}

func main() {
	serve := flag.String("serve", "", "address to serve at")
	dial := flag.String("dial", "", "address to call")
	codec := flag.String("codec", "standard", "standard, length, delimited, json or bigendian")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case codecs[*codec] == nil:
		err = fmt.Errorf("no codec %q", *codec)
	case *serve != "":
		err = server(ctx, *serve, codecs[*codec])
	case *dial != "":
		err = client(ctx, *dial, codecs[*codec], os.Stdin, os.Stdout)
	default:
		err = all(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// echo answers with what it got. It never blocks, so it may run inline.
var echo = rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	return append(dst, r.Body...), nil
}))

// server serves until it is killed.
func server(ctx context.Context, address string, codec frame.Codec) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	s := &rpc.Server{Handler: echo, Codec: codec, Raw: true}
	return s.Serve(l)
}

// client sends each line of in and writes each answer to out.
func client(ctx context.Context, address string, codec frame.Codec, in io.Reader, out io.Writer) error {
	cl, err := rpc.Dial(ctx, "tcp", address, &rpc.Options{Codec: codec, Raw: true})
	if err != nil {
		return err
	}
	defer func() { _ = cl.Close() }() // returns nil
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer, err := cl.Call(ctx, nil, "", lines.Bytes())
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", answer)
	}
	return lines.Err()
}

// all lets each codec echo a message.
func all(ctx context.Context, out io.Writer) error {
	for _, name := range []string{"standard", "length", "delimited", "json", "bigendian"} {
		codec := codecs[name]
		l, err := rpc.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s := &rpc.Server{Handler: echo, Codec: codec, Raw: true}
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		cl, err := rpc.Dial(ctx, "tcp", l.Addr().String(), &rpc.Options{Codec: codec, Raw: true})
		if err != nil {
			return err
		}
		answer, err := cl.Call(ctx, nil, "", []byte(`"hello"`))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-10s %s\n", name, answer)
		_ = cl.Close() // returns nil
		if err := s.Shutdown(ctx); err != nil {
			return err
		}
		if err := <-served; !errors.Is(err, rpc.ErrServerClosed) {
			return err
		}
	}
	return nil
}
