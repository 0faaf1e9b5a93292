// Package lines is what the example echo is made of: a server and a client of
// lines, with any codec.
package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// Codecs are the ways to draw the border between messages. All of them are used without the Remoting envelope here: a message
// is what was sent, nothing else.
var Codecs = map[string]frame.Codec{
	"standard":  frame.Standard{},                       // NewLife's SRMP
	"length":    frame.LengthField{Size: 2},             // two bytes of length in front
	"delimited": frame.Delimited{},                      // a line each
	"json":      frame.JSON{},                           // a JSON value each
	"bigendian": frame.LengthField{Size: -4, Offset: 2}, // two bytes of header, then four of length, big-endian
}

// Echo answers with what it got. It never blocks, so it may run inline.
var Echo = rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	return append(dst, r.Body...), nil
}))

// Server serves until it is killed.
func Server(ctx context.Context, address string, codec frame.Codec) error {
	l, err := rpc.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("serving at", l.Addr())
	s := &rpc.Server{Handler: Echo, Codec: codec, Raw: true}
	return s.Serve(l)
}

// Client sends each line of in and writes each answer to out.
func Client(ctx context.Context, address string, codec frame.Codec, in io.Reader, out io.Writer) error {
	cl, err := rpc.Dialer{Codec: codec, Raw: true}.Dial(ctx, "tcp", address)
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

// All lets each codec echo a message.
func All(ctx context.Context, out io.Writer) error {
	for _, name := range []string{"standard", "length", "delimited", "json", "bigendian"} {
		codec := Codecs[name]
		l, err := rpc.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s := &rpc.Server{Handler: Echo, Codec: codec, Raw: true}
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		cl, err := rpc.Dialer{Codec: codec, Raw: true}.Dial(ctx, "tcp", l.Addr().String())
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
