package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// C06: a number is not used again while its request is unanswered.
func TestNumberIsNotUsedAgainWhileUnanswered(t *testing.T) {
	base(t)
	release := make(chan struct{})
	reused := make(chan bool, 1)
	addr := scripted(t, func(p *script) {
		held, _ := p.next()
		heldSeq, again := held.Seq, false
		for range 256 {
			f, ok := p.next()
			if !ok {
				return
			}
			again = again || f.Seq == heldSeq
			p.reply(f, f.Payload)
		}
		reused <- again
		<-release
		p.reply(frame.Frame{Head: 1, Seq: heldSeq}, []byte("held"))
		p.next()
	})
	cl := dial(t, addr, raw)
	first := make(chan string, 1)
	go func() {
		got, err := call(cl, "first")
		first <- fmt.Sprint(got, err)
	}()
	until(t, "first call", func() bool { n, _ := cl.Pending(); return n == 1 })
	for i := range 256 {
		want := fmt.Sprint(i)
		if got, err := call(cl, want); got != want || err != nil {
			t.Fatal(i, got, err)
		}
	}
	if <-reused {
		t.Fatal("number given out twice")
	}
	close(release)
	if got := <-first; got != "held<nil>" {
		t.Fatal(got)
	}
}

// C08: a late answer reaches nobody, also when the numbers have wrapped.
func TestLateAnswerReachesNobody(t *testing.T) {
	base(t)
	late := make(chan struct{})
	addr := scripted(t, func(p *script) {
		first, _ := p.next()
		a := first.Seq
		go func() {
			<-late
			p.reply(frame.Frame{Head: 1, Seq: a}, []byte("late"))
		}()
		for {
			f, ok := p.next()
			if !ok {
				return
			}
			p.reply(f, append([]byte(nil), f.Payload...))
		}
	})
	cl := dial(t, addr, raw)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := cl.Call(ctx, nil, "", []byte("slow"))
	if !errors.Is(err, context.DeadlineExceeded) || rpc.OutcomeOf(err) != rpc.Unknown {
		t.Fatal(err, rpc.OutcomeOf(err))
	}
	if n, retired := cl.Pending(); n != 0 || retired != 1 {
		t.Fatal(n, retired)
	}
	for i := range 600 {
		if i == 300 {
			close(late)
		}
		want := fmt.Sprint("call ", i)
		if got, err := call(cl, want); got != want || err != nil {
			t.Fatal(i, got, err)
		}
	}
	until(t, "late answer", func() bool { _, retired := cl.Pending(); return retired == 0 && cl.Stats().Late == 1 })
}

// C10: without numbers a timeout ends the connection, so that no answer reaches the wrong call.
func TestTimeoutEndsTheConnectionWhereAnswersHaveAnOrder(t *testing.T) {
	for name, codec := range map[string]frame.Codec{"length": frame.LengthField{Size: 2}, "delimited": frame.Delimited{}, "json": frame.JSON{}} {
		t.Run(name, func(t *testing.T) {
			base(t)
			late := make(chan struct{})
			h := rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				if string(r.Body) == `"slow"` {
					<-late // the answer comes while the next calls are made
				}
				return append(dst, r.Body...), nil
			})
			cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: codec}), rpc.Dialer{Codec: codec})
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
			defer cancel()
			if _, err := cl.Call(ctx, nil, "", []byte(`"slow"`)); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			close(late)
			for i := range 10 {
				want := fmt.Sprintf(`"%d"`, i)
				if got, err := call(cl, want); got != want || err != nil {
					t.Fatal(i, got, err, rpc.OutcomeOf(err))
				}
			}
			if n := cl.Stats().Accepted; n != 2 {
				t.Fatal(n, "connections")
			}
		})
	}
}
