package rpc_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// childVar makes the test program a server in a process of its own.
const childVar = "SPANWIRE_RPC_CHILD"

func TestMain(m *testing.M) {
	if kind := os.Getenv(childVar); kind != "" {
		run := child
		if kind == attacked {
			run = attackedChild
		}
		if err := run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child serves raw echo and the recorded services, says where, and answers each line on its input with its memory.
func child() error {
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	e, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true}
	r := &rpc.Server{Handler: recorded()}
	go s.Serve(l)
	go r.Serve(e)
	fmt.Println(l.Addr(), e.Addr())
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		for range 4 {
			runtime.GC()
		}
		debug.FreeOSMemory()
		fmt.Println(resident(), s.Stats().Open)
	}
	return s.Close()
}

// resident is the process's memory in bytes, 0 where that cannot be told.
func resident() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b))
	n, _ := strconv.Atoi(f[1])
	return n * os.Getpagesize()
}

// process is a child.
type process struct {
	t         testing.TB
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       *bufio.Reader
	echo, all string
}

func startChild(t testing.TB) *process { return startChildAs(t, "1") }

// startChildAs starts a child of the kind that childVar says.
func startChildAs(t testing.TB, kind string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	p := &process{t: t, cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), childVar+"="+kind)
	p.cmd.Stderr = os.Stderr
	p.in, _ = p.cmd.StdinPipe()
	out, _ := p.cmd.StdoutPipe()
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { p.in.Close(); p.cmd.Wait() })
	if _, err := fmt.Fscanln(p.out, &p.echo, &p.all); err != nil {
		t.Fatal(err)
	}
	return p
}

// memory asks for the child's memory in bytes and its open connections.
func (p *process) memory() (bytes, open int) {
	p.t.Helper()
	fmt.Fprintln(p.in)
	if _, err := fmt.Fscanln(p.out, &bytes, &open); err != nil {
		p.t.Fatal(err)
	}
	return bytes, open
}

// TestCallsBetweenTwoProcesses calls a server in another process, which then dies.
func TestCallsBetweenTwoProcesses(t *testing.T) {
	base(t)
	p := startChild(t)
	cl := dial(t, p.all, rpc.Dialer{})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				var sum int
				if err := cl.Invoke(context.Background(), "Test/Add", map[string]int{"a": g, "b": i}, &sum); sum != g+i || err != nil {
					t.Error(sum, err)
					return
				}
			}
		}()
	}
	wg.Wait()
	waits := make(chan error, 1)
	go func() {
		waits <- cl.Invoke(context.Background(), "Test/Delay", map[string]int{"ms": 60_000, "id": 1}, nil)
	}()
	until(t, "call", func() bool { n, _ := cl.Pending(); return n == 1 })
	p.cmd.Process.Kill()
	within(t, "failure", func() {
		if err := <-waits; rpc.OutcomeOf(err) != rpc.Unknown {
			t.Error(err)
		}
	})
}

// TestConnections10000TakeLittleMemory holds ten thousand idle connections, each of which has echoed once, in little memory.
func TestConnections10000TakeLittleMemory(t *testing.T) {
	// A connection takes about 4,080 bytes. 800 of them are ours and package net's; the rest is its goroutine, the poller's part and
	// what the runtime notes of both, which moves by some per cent from run to run, from one machine and Go release to the next.
	const n, most = 10_000, 4<<10 + 512
	test.Long(t)
	switch {
	case raceBuild:
		t.Skip("not under race: the child's memory counts")
	case descriptors() < 11_000:
		t.Skip("needs 11,000 descriptors in each of two processes: ulimit -n")
	}
	p := startChild(t)
	before, _ := p.memory()
	conns := make([]net.Conn, n)
	t.Cleanup(func() {
		for _, nc := range conns {
			if nc != nil {
				nc.Close()
			}
		}
	})
	msg, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: 1, Seq: 1, Payload: make([]byte, echoBody)})
	got := make([]byte, len(msg))
	for i := range conns {
		nc, err := net.Dial("tcp", p.echo)
		if err != nil {
			t.Fatal(i, err)
		}
		conns[i] = nc
		nc.Write(msg)
		if _, err := io.ReadFull(nc, got); err != nil {
			t.Fatal(i, err)
		}
	}
	until(t, "connections", func() bool { _, open := p.memory(); return open == n })
	after, _ := p.memory()
	each := (after - before) / n
	t.Logf("%d bytes a connection", each)
	if before > 0 && each > most {
		t.Errorf("%d bytes a connection, at most %d", each, most)
	}
	for _, i := range []int{0, n / 2, n - 1} {
		conns[i].Write(msg)
		if _, err := io.ReadFull(conns[i], got); err != nil {
			t.Fatal(i, err)
		}
	}
}
