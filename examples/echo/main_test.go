package main

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc"
)

func TestAll(t *testing.T) {
	var out bytes.Buffer
	if err := all(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"hello"`); n != len(codecs) {
		t.Fatal(out.String())
	}
}

func TestClient(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rpc.Server{Handler: echo, Codec: codecs["delimited"]}
	go s.Serve(l)
	defer s.Close()
	var out bytes.Buffer
	if err := client(context.Background(), l.Addr().String(), codecs["delimited"], strings.NewReader("one\ntwo\n"), &out); err != nil || out.String() != "one\ntwo\n" {
		t.Fatal(out.String(), err)
	}
}
