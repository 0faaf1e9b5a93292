package load

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Role is the variable of the environment that tells this program to be one end
// of a load.
const Role = "SPANWIRE_BENCH_ROLE"

// cpuOf returns the processor time of another process.
func cpuOf(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// RSS returns the resident memory of a process in bytes.
func RSS(pid int) float64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(f[1])
	return float64(pages * os.Getpagesize())
}

// Run does one load.
func Run(p *Peer, sp Spec) (Out, error) {
	if sp.Apart || sp.Idle {
		return apart(p, sp)
	}
	dir, err := os.MkdirTemp("", "spanwire-bench")
	if err != nil {
		return Out{}, err
	}
	defer os.RemoveAll(dir)
	l, err := listen(sp.Network, dir)
	if err != nil {
		return Out{}, err
	}
	stop, err := p.Serve(l, Service{sp.Wait})
	if err != nil {
		return Out{}, err
	}
	defer Halt(stop)
	if sp.Profile != "" {
		f, err := os.Create(sp.Profile)
		if err != nil {
			return Out{}, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return Out{}, err
		}
		defer pprof.StopCPUProfile()
	}
	runtime.GC()
	return Drive(p, sp, l.Addr().String(), CPUOf, func() time.Duration { return 0 })
}

// Halt waits for a server to stop, but not for ever: what hangs then is the
// peer's, and the next run has a server of its own.
func Halt(stop func()) {
	done := make(chan struct{})
	go func() { stop(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
}

// message goes from the client's end to the parent.
type message struct {
	Out Out
	Err string
}

// apart does a load in two processes: the server on the first processor, the
// client on the last.
func apart(p *Peer, sp Spec) (Out, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return Out{}, err
	}
	first, last := -1, -1
	for i := range 1024 {
		if set.IsSet(i) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	dir, err := os.MkdirTemp("", "spanwire-bench")
	if err != nil {
		return Out{}, err
	}
	defer os.RemoveAll(dir)
	server, err := child(first, "server", sp, dir)
	if err != nil {
		return Out{}, err
	}
	defer server.kill()
	addr, err := server.line(20 * time.Second)
	if err != nil {
		return Out{}, fmt.Errorf("server: %w: %s", err, server.log())
	}
	before := RSS(server.cmd.Process.Pid)
	client, err := child(last, "client", sp, addr, strconv.Itoa(server.cmd.Process.Pid))
	if err != nil {
		return Out{}, err
	}
	defer client.kill()
	text, err := client.line(2*sp.For + time.Minute)
	if err != nil {
		return Out{}, fmt.Errorf("client: %w: %s%s", err, client.log(), server.log())
	}
	var m message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return Out{}, err
	}
	m.Out.ServerBefore = before / (1 << 20)
	if sp.Idle && m.Err == "" {
		fmt.Fprintln(server.in, "collect")
		if _, err := server.line(time.Minute); err != nil {
			return Out{}, err
		}
		m.Out.ServerIdle = (RSS(server.cmd.Process.Pid) - before) / 1024 / float64(sp.Conns)
	}
	if m.Err != "" {
		return m.Out, fmt.Errorf("%s", m.Err)
	}
	return m.Out, nil
}

type process struct {
	cmd *exec.Cmd
	out *bufio.Reader
	in  io.WriteCloser
	err strings.Builder
}

// child starts this program again as one end, on one processor.
func child(cpu int, role string, sp Spec, args ...string) (*process, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(sp)
	if err != nil {
		return nil, err
	}
	c := &process{cmd: exec.Command(exe, append([]string{string(text)}, args...)...)}
	c.cmd.Env = append(os.Environ(), Role+"="+role)
	c.cmd.Stderr = &c.err
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	// A child inherits the processors of the thread that starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var old, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &old); err != nil {
		return nil, err
	}
	one.Set(cpu)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return nil, err
	}
	defer unix.SchedSetaffinity(0, &old)
	return c, c.cmd.Start()
}

func (c *process) line(wait time.Duration) (string, error) {
	type got struct {
		s   string
		err error
	}
	ch := make(chan got, 1)
	go func() {
		s, err := c.out.ReadString('\n')
		ch <- got{strings.TrimSpace(s), err}
	}()
	select {
	case g := <-ch:
		return g.s, g.err
	case <-time.After(wait):
		return "", fmt.Errorf("no answer in %s", wait)
	}
}

func (c *process) kill() {
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

func (c *process) log() string {
	s := c.err.String()
	return s[:min(len(s), 2000)]
}

// Child is the whole program when Role is set.
func Child(peers func(string) *Peer) error {
	var sp Spec
	if err := json.Unmarshal([]byte(os.Args[1]), &sp); err != nil {
		return err
	}
	p := peers(sp.Peer)
	if p == nil {
		return fmt.Errorf("no peer %q", sp.Peer)
	}
	if os.Getenv(Role) == "server" {
		return serve(p, sp, os.Args[2])
	}
	pid, err := strconv.Atoi(os.Args[3])
	if err != nil {
		return err
	}
	var m message
	if sp.Idle {
		m.Err = text(idle(p, sp, os.Args[2]))
	} else {
		var err error
		m.Out, err = Drive(p, sp, os.Args[2], func() time.Duration { return CPUOf() + cpuOf(pid) },
			func() time.Duration { return cpuOf(pid) })
		m.Err = text(err)
	}
	m.Out.ServerRSS = RSS(pid) / (1 << 20)
	if err := json.NewEncoder(os.Stdout).Encode(m); err != nil {
		return err
	}
	io.Copy(io.Discard, os.Stdin) // connections stay until the parent has looked
	return nil
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func serve(p *Peer, sp Spec, dir string) error {
	l, err := listen(sp.Network, dir)
	if err != nil {
		return err
	}
	stop, err := p.Serve(l, Service{sp.Wait})
	if err != nil {
		return err
	}
	defer stop()
	debug.FreeOSMemory()
	fmt.Println(l.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		runtime.GC()
		debug.FreeOSMemory()
		time.Sleep(200 * time.Millisecond)
		fmt.Println("collected")
	}
	return nil
}

// idle makes one call on each connection and leaves them open.
func idle(p *Peer, sp Spec, addr string) error {
	for i := range sp.Conns {
		c, err := p.Dial(dialer(sp.Network, addr), addr)
		if err != nil {
			return fmt.Errorf("connection %d: %w", i, err)
		}
		keep = append(keep, c)
		req := request(sp, 0)
		switch c := c.(type) {
		case Caller:
			if _, err := c.Call(nil, req); err != nil {
				return fmt.Errorf("call %d: %w", i, err)
			}
		case Runner:
			st := &state{}
			s := &Slot{run: st}
			one := sp
			one.Window = 1
			st.stop.Store(true) // after one message
			if err := c.Run(one, s); err != nil {
				return fmt.Errorf("call %d: %w", i, err)
			}
		}
	}
	time.Sleep(500 * time.Millisecond)
	return nil
}

var keep []any
