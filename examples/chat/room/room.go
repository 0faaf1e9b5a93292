// Package room is what the example chat is made of: a server that pushes what
// one says to all, and its client.
package room

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/spanwire/spanwire/rpc"
)

// Line is what somebody says.
type Line struct{ From, Text string }

// nameKey is under which a session keeps the name of who has joined.
type nameKey struct{}

// New makes a server. Whoever does not keep up with what is said is cut off; the others do not wait.
func New() *rpc.Server {
	x := new(rpc.Mux)
	s := &rpc.Server{Handler: x}
	tell := func(ctx context.Context, l Line) error {
		body, err := json.Marshal(l)
		if err == nil {
			s.Broadcast(ctx, "Room/Said", body)
		}
		return err
	}
	rpc.HandleVoid(x, "Room/Join", func(ctx context.Context, name string) error {
		if name == "" || !utf8.ValidString(name) { // what is pushed is JSON, which has no other text
			return rpc.NewError(400, "a name in UTF-8, please")
		}
		rpc.Peer(ctx).Set(nameKey{}, name)
		return tell(ctx, Line{"room", name + " is here"})
	})
	rpc.HandleVoid(x, "Room/Say", func(ctx context.Context, text string) error {
		name, ok := rpc.Peer(ctx).Value(nameKey{}).(string)
		if !ok {
			return rpc.NewError(403, "join first")
		}
		if !utf8.ValidString(text) {
			return rpc.NewError(400, "text in UTF-8, please")
		}
		return tell(ctx, Line{name, text})
	})
	s.OnClose = func(p *rpc.Session, _ error) {
		if name, ok := p.Value(nameKey{}).(string); ok {
			_ = tell(context.Background(), Line{"room", name + " has left"}) // two strings always marshal
		}
	}
	return s
}

// Join enters a room; said is called for all that is said there, one after another.
func Join(ctx context.Context, address, name string, said func(Line)) (*rpc.Client, error) {
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "Room/Said", func(_ context.Context, l Line) error {
		said(l)
		return nil
	})
	cl, err := rpc.Dialer{Handler: x}.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if err := cl.Invoke(ctx, "Room/Join", name, nil); err != nil {
		_ = cl.Close() // returns nil
		return nil, err
	}
	return cl, nil
}

// Talk says each line of in, and writes what is said to out.
func Talk(ctx context.Context, address, name string, in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	cl, err := Join(ctx, address, name, func(l Line) {
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
