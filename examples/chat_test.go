package examples_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/examples/chat/room"
	"github.com/spanwire/spanwire/rpc"
)

func TestChat(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := room.New()
	go s.Serve(l)
	defer s.Close()
	ctx := context.Background()
	heard := make(chan room.Line, 100)
	ann, err := room.Join(ctx, l.Addr().String(), "Ann", func(l room.Line) { heard <- l })
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	bob, err := room.Join(ctx, l.Addr().String(), "Bob", func(room.Line) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hi", "there"} {
		if err := bob.Invoke(ctx, "Room/Say", text, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := bob.Invoke(ctx, "Room/Say", "\xff", nil); rpc.CodeOf(err) != 400 {
		t.Fatal(err)
	}
	bob.Close()
	for _, want := range []room.Line{{From: "room", Text: "Ann is here"}, {From: "room", Text: "Bob is here"}, {From: "Bob", Text: "hi"}, {From: "Bob", Text: "there"}, {From: "room", Text: "Bob has left"}} {
		select {
		case got := <-heard:
			if got != want {
				t.Fatal(got, want)
			}
		case <-time.After(time.Minute):
			t.Fatal("not heard:", want)
		}
	}
	stranger, err := rpc.Dial(ctx, "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if err := stranger.Invoke(ctx, "Room/Say", "x", nil); rpc.CodeOf(err) != 403 {
		t.Fatal(err)
	}
}
