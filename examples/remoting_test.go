package examples_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net"
	"testing"

	"github.com/spanwire/spanwire/examples/remoting/controller"
	"github.com/spanwire/spanwire/rpc"
)

func TestRemoting(t *testing.T) {
	var out bytes.Buffer
	if err := controller.Both(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"echo: hello\n", "add: 7\n", "Int32 Test/Add(Int32 a, Int32 b)\n", "fail: code 500, answered\n"} {
		if !bytes.Contains(out.Bytes(), []byte(want)) {
			t.Fatalf("no %q in\n%s", want, &out)
		}
	}
}

// TestVectorController sends what a .NET client was recorded to send and compares what comes back.
func TestVectorController(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rpc.Server{Handler: controller.New()}
	go s.Serve(l)
	defer s.Close()
	nc, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for _, k := range [][2]string{
		{"01011d0009546573742f4563686f0f0000007b226d7367223a2268656c6c6f227d", "8101130009546573742f4563686f0500000068656c6c6f"},
		{"0102130009546573742f4563686f0500000068656c6c6f", "8102130009546573742f4563686f0500000068656c6c6f"},
		{"01050a0009546573742f4563686f", "81050a0009546573742f4563686f"},
		{"010720000a546573742f44656c6179110000007b226d73223a3330302c226964223a317d", "810710000a546573742f44656c61790100000031"},
	} {
		sent, _ := hex.DecodeString(k[0])
		nc.Write(sent)
		got := make([]byte, len(k[1])/2)
		if _, err := io.ReadFull(nc, got); err != nil || hex.EncodeToString(got) != k[1] {
			t.Fatalf("%x %v, recorded %s", got, err, k[1])
		}
	}
}
