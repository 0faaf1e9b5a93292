package rpc_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	runmetrics "runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

const (
	attacked     = "attacked" // value of childVar for a server that is attacked
	attackHeld   = 64 << 20   // what it may hold
	attackMemory = 200 << 20  // what its heap may be: the garbage collector is told to keep to it
)

// attackedChild serves what attackers like, says where, and when its input has a line answers with the most that its heap has been, with garbage and without.
func attackedChild() error {
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	x := new(rpc.Mux)
	x.Handle("A/Echo", echo)
	x.Handle("A/EchoInline", rpc.Inline(echo))
	x.HandleFunc("A/Wait", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	rpc.HandleVoid(x, "A/Tree", func(ctx context.Context, _ []map[string]any) error { <-ctx.Done(); return ctx.Err() })
	rpc.HandleVoid(x, "A/List", func(ctx context.Context, _ []hollow) error { <-ctx.Done(); return ctx.Err() })
	x.HandleFunc("A/Stuck", func(context.Context, []byte, *rpc.Request) ([]byte, error) { select {} })
	for name, n := range map[string]int{"A/Big": 4 << 20, "A/Middle": 100 << 10, "A/Less": 79 << 10} {
		h := rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) { return make([]byte, n), nil })
		x.Handle(name, h)
		x.Handle(name+"Inline", rpc.Inline(h))
	}
	s := &rpc.Server{Handler: x, Log: quiet, Limits: rpc.Limits{Buffered: attackHeld}}
	go s.Serve(l)
	fmt.Println(l.Addr(), "-")
	var heap, live, charged atomic.Int64
	go func() {
		now := []runmetrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
		for ; ; time.Sleep(time.Millisecond) {
			runmetrics.Read(now)
			heap.Store(max(heap.Load(), int64(now[0].Value.Uint64())))
			live.Store(max(live.Load(), int64(now[1].Value.Uint64())))
			charged.Store(max(charged.Load(), s.Charged()))
		}
	}()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(heap.Load(), live.Load(), charged.Load())
	}
	return s.Close()
}

// attack is what one connection sends, again and again while the server takes it.
type attack struct {
	name   string
	mode   frame.Mode
	action string
	size   int    // of the body
	json   string // what the body, an array, has as elements; zeros without
	cut    bool   // the last byte of the frame is missing
	reads  bool   // what the server answers is read
	slowly bool   // 1 MiB a second of it
}

// hollow is a type of which an empty value takes much memory.
type hollow struct{ A, B, C, D, E, F, G, H map[string]*hollow }

// data is the body.
func (a *attack) data() []byte {
	if a.json == "" {
		return make([]byte, a.size)
	}
	b := append(bytes.Repeat([]byte(a.json+","), a.size/(len(a.json)+1)), a.json...)
	return append(append([]byte("["), b...), ']')
}

// TestAttacksTakeNoMoreThanTheLimits: whatever connections send, and whether they read or not, a server holds no more than it may, and calls on other
// connections are answered (R5).
func TestAttacksTakeNoMoreThanTheLimits(t *testing.T) {
	test.Long(t) // each goes on for seconds, in a server of its own
	if raceBuild {
		t.Skip("not under race: the server's memory counts")
	}
	for _, a := range []attack{
		{name: "one-way behind a blocked handler", mode: frame.OneWay, action: "A/Wait", size: 7 << 20},
		{name: "one-way behind a stuck handler", mode: frame.OneWay, action: "A/Stuck", size: 7 << 20},
		{name: "small one-way behind a blocked handler", mode: frame.OneWay, action: "A/Wait", size: 10},
		{name: "requests that wait", mode: frame.Request, action: "A/Wait", size: 1 << 20},
		{name: "large answers unread", mode: frame.Request, action: "A/Big", size: 1},
		{name: "large answers unread, inline", mode: frame.Request, action: "A/BigInline", size: 1},
		{name: "large answers read slowly", mode: frame.Request, action: "A/Big", size: 1, reads: true, slowly: true},
		{name: "large answers read slowly, inline", mode: frame.Request, action: "A/BigInline", size: 1, reads: true, slowly: true},
		{name: "answers that are just copied", mode: frame.Request, action: "A/Less", size: 1},
		{name: "answers unread", mode: frame.Request, action: "A/Middle", size: 1},
		{name: "answers unread, inline", mode: frame.Request, action: "A/MiddleInline", size: 1},
		{name: "large echoes unread", mode: frame.Request, action: "A/Echo", size: 4 << 20},
		{name: "large echoes", mode: frame.Request, action: "A/Echo", size: 4 << 20, reads: true},
		{name: "pings unread", mode: frame.Request, action: "$ping", size: 1},
		{name: "no such action, unread", mode: frame.Request, action: "A/None", size: 1},
		{name: "JSON trees", mode: frame.Request, action: "A/Tree", size: 4 << 20, json: "{}"},
		{name: "JSON trees of one entry", mode: frame.Request, action: "A/Tree", size: 4 << 20, json: `{"a":1}`},
		{name: "JSON trees, one-way", mode: frame.OneWay, action: "A/Tree", size: 4 << 20, json: `{"a":[]}`},
		{name: "JSON lists of structs", mode: frame.Request, action: "A/List", size: 4 << 20, json: "{}"},
		{name: "small JSON lists of structs", mode: frame.Request, action: "A/List", size: 60 << 10, json: "{}"},
		{name: "JSON of a few KiB", mode: frame.Request, action: "A/List", size: 4000, json: "{}"},
		{name: "frames that do not end", mode: frame.Request, action: "A/Echo", size: 8<<20 - 100, cut: true},
	} {
		for _, n := range []int{1, 50} {
			t.Run(fmt.Sprintf("%s/%d", a.name, n), func(t *testing.T) { a.run(t, n) })
		}
	}
}

// run attacks up to three times: the heap counts garbage as well, of which a busy
// machine has more now and then; a limit that does not hold is passed each time.
func (a *attack) run(t *testing.T, n int) {
	heap := a.measure(t, n)
	for try := 1; try < 3 && heap > attackMemory; try++ {
		heap = a.measure(t, n)
	}
	require.LessOrEqual(t, heap, attackMemory)
}

// measure attacks once and returns the most bytes of heap that the server had.
func (a *attack) measure(t *testing.T, n int) (heap int) {
	t.Setenv("GOMEMLIMIT", fmt.Sprint(attackMemory))
	p := startChildAs(t, attacked)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var attackers, callers sync.WaitGroup
	for range n {
		attackers.Go(func() {
			for ctx.Err() == nil {
				a.connect(ctx, p.echo)
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	calls := atomic.Int64{}
	for i := range 4 {
		cl := dial(t, p.echo, rpc.Dialer{})
		callers.Go(func() {
			body := make([]byte, 1000)
			action := pick(i%2 == 0, "A/Echo", "A/EchoInline")
			for ctx.Err() == nil {
				got, err := cl.Call(context.Background(), nil, action, body)
				if err != nil || len(got) != len(body) {
					t.Error(len(got), err)
					return
				}
				calls.Add(1)
			}
		})
	}
	attackers.Wait()
	callers.Wait()
	var live, charged int
	fmt.Fprintln(p.in)
	_, err := fmt.Fscanln(p.out, &heap, &live, &charged)
	require.NoError(t, err)
	t.Logf("%d MiB of heap, %d MiB live, %d MiB charged, %d calls", heap>>20, live>>20, charged>>20, calls.Load())
	require.NotZero(t, calls.Load())
	return heap
}

// connect attacks on one connection until that has ended.
func (a *attack) connect(ctx context.Context, addr string) {
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	defer nc.Close()
	m := remoting.Message{Action: []byte(a.action), Data: a.data(), Tail: remoting.Tail{}}
	b, err := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(a.mode, 1), 1, &m)
	if err != nil {
		panic(err)
	}
	if a.reads {
		go func() {
			for p := make([]byte, 64<<10); err == nil; {
				_, err := nc.Read(p)
				if err != nil {
					return
				}
				if a.slowly {
					time.Sleep(time.Second / 16)
				}
			}
		}()
	}
	if a.cut {
		nc.Write(b[:len(b)-1])
		<-ctx.Done()
		return
	}
	for seq := byte(0); ; seq++ {
		b[1] = seq
		if _, err := nc.Write(b); err != nil {
			return
		}
	}
}
