package examples_test

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/examples/echo/lines"
	"github.com/spanwire/spanwire/rpc"
)

func TestEchoAll(t *testing.T) {
	var out bytes.Buffer
	if err := lines.All(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"hello"`); n != len(lines.Codecs) {
		t.Fatal(out.String())
	}
}

func TestEchoClient(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rpc.Server{Handler: lines.Echo, Codec: lines.Codecs["delimited"]}
	go s.Serve(l)
	defer s.Close()
	var out bytes.Buffer
	if err := lines.Client(context.Background(), l.Addr().String(), lines.Codecs["delimited"], strings.NewReader("one\ntwo\n"), &out); err != nil || out.String() != "one\ntwo\n" {
		t.Fatal(out.String(), err)
	}
}
