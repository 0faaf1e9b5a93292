package examples_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/spanwire/spanwire/examples/ntp"
)

// chronyd gives the path of chrony's daemon, or skips the test.
func chronyd(t *testing.T) string {
	t.Helper()
	if os.Getenv("SPANWIRE_PEERS") != "1" {
		t.Skip("needs chrony: run .ci/peers-binary.sh, which installs it and runs this test")
	}
	for _, name := range []string{"chronyd", "/usr/sbin/chronyd"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("chronyd is not installed: run .ci/peers-binary.sh")
	return ""
}

// TestNTPAskChrony asks chrony for the time.
func TestNTPAskChrony(t *testing.T) {
	path := chronyd(t)
	free, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.LocalAddr().(*net.UDPAddr).Port
	free.Close()
	dir := t.TempDir()
	conf := filepath.Join(dir, "chrony.conf")
	text := fmt.Sprintf("port %d\nbindaddress 127.0.0.1\nallow 127.0.0.1\nlocal stratum 8\ncmdport 0\npidfile %s/pid\nbindcmdaddress /\n", port, dir)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, path, "-d", "-x", "-U", "-f", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }()
	r := ntpQuery(t, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if r.Stratum != 8 || r.Leap != 0 || r.Offset.Abs() > time.Second || r.Version != 4 {
		t.Errorf("%+v", r)
	}
}

// TestNTPChronyAsks lets chrony measure the server of this package.
func TestNTPChronyAsks(t *testing.T) {
	path := chronyd(t)
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() { _ = ntp.Serve(server) }()
	port := server.LocalAddr().(*net.UDPAddr).Port
	dir := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, path, "-Q", "-x", "-U", "-t", "20", "-f", "/dev/null",
		fmt.Sprintf("server 127.0.0.1 port %d iburst", port), "cmdport 0", "pidfile "+dir+"/pid", "bindcmdaddress /")
	out, err := cmd.CombinedOutput()
	m := regexp.MustCompile(`System clock wrong by (-?[0-9.]+) seconds`).FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("%v: %s", err, out)
	}
	if offset, err := strconv.ParseFloat(string(m[1]), 64); err != nil || offset > 1 || offset < -1 {
		t.Errorf("%s", out)
	}
}
