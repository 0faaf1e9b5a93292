package examples_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/examples/modbus"
)

// node starts a script of testdata with npm's modbus-serial, or skips the test.
func node(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	if os.Getenv("SPANWIRE_PEERS") != "1" {
		t.Skip("needs npm's modbus-serial: run .ci/peers-binary.sh, which installs it and runs this test")
	}
	if _, err := os.Stat("modbus/testdata/node_modules/modbus-serial"); err != nil {
		t.Fatalf("modbus-serial is not installed, run .ci/peers-binary.sh: %v", err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(stop)
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join("modbus", "testdata", script)}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestModbusNodeServer is a client of modbus-serial's server.
func TestModbusNodeServer(t *testing.T) {
	cmd := node(t, "server.js")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimSpace(addr))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	talkModbus(t, modbus.NewClient(conn))
}

// TestModbusNodeClient serves modbus-serial's client, in both framings.
func TestModbusNodeClient(t *testing.T) {
	for _, framing := range []string{"tcp", "rtu"} {
		t.Run(framing, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			s := modbus.NewServer(100)
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					if framing == "tcp" {
						_ = s.ServeTCP(conn)
					} else {
						_ = s.ServeRTU(conn)
					}
					conn.Close()
				}
			}()
			_, port, _ := net.SplitHostPort(l.Addr().String())
			out, err := node(t, "client.js", framing, port).Output()
			want := "0,10,77,4660,0 illegal 77\n"
			if err != nil || !bytes.Equal(out, []byte(want)) {
				t.Errorf("%q, %v, want %q", out, err, want)
			}
		})
	}
}
