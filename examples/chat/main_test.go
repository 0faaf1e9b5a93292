package main

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

func TestChat(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := room()
	go s.Serve(l)
	defer s.Close()
	ctx := context.Background()
	heard := make(chan line, 100)
	ann, err := join(ctx, l.Addr().String(), "Ann", func(l line) { heard <- l })
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	bob, err := join(ctx, l.Addr().String(), "Bob", func(line) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hi", "there"} {
		if err := bob.Invoke(ctx, "Room/Say", text, nil); err != nil {
			t.Fatal(err)
		}
	}
	bob.Close()
	for _, want := range []line{{"room", "Ann is here"}, {"room", "Bob is here"}, {"Bob", "hi"}, {"Bob", "there"}, {"room", "Bob has left"}} {
		select {
		case got := <-heard:
			if got != want {
				t.Fatal(got, want)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("not heard:", want)
		}
	}
	stranger, err := rpc.Dial(ctx, "tcp", l.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if err := stranger.Invoke(ctx, "Room/Say", "x", nil); rpc.CodeOf(err) != 403 {
		t.Fatal(err)
	}
}
