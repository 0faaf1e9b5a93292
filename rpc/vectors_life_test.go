package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// recording is a recorded server that our client dials: each connection plays the lines of the next recorded one, until there
// are no more.
type recording struct {
	t     *testing.T
	conns [][]vectors.Line
	next  int
	over  []chan struct{} // closed when a connection's lines have been played
}

var errGone = errors.New("no connection of that number was recorded")

// lifeTest runs f in fake time against the recorded server of a conversation, of which those lines are played that keep, when not
// nil, is true for.
func lifeTest(t *testing.T, name string, keep func(vectors.Line) bool, o rpc.Dialer, f func(t *testing.T, cl *rpc.Client)) {
	synctest.Test(t, func(t *testing.T) {
		r := &recording{t: t}
		last := ""
		for _, l := range vectors.Committed(t, ".", filepath.Join("remoting", name+".jsonl")) {
			id := l.Text("conn")
			if id == "" || keep != nil && !keep(l) {
				continue
			}
			if id != last {
				r.conns, last = append(r.conns, nil), id
			}
			r.conns[len(r.conns)-1] = append(r.conns[len(r.conns)-1], l)
		}
		if o.Codec == nil {
			o.Codec = wide
		}
		o.NetDial = r.dial
		cl, err := o.Dial(context.Background(), "tcp", "recorded:1")
		if err != nil {
			t.Fatal(err)
		}
		f(t, cl)
		cl.Close()
		for _, done := range r.over {
			<-done
		}
		if len(r.over) != len(r.conns) {
			t.Errorf("%d connections, recorded %d", len(r.over), len(r.conns))
		}
	})
}

func (r *recording) dial(context.Context, string, string) (net.Conn, error) {
	if r.next == len(r.conns) {
		return nil, errGone
	}
	lines := r.conns[r.next]
	r.next++
	a, b := halves()
	done := make(chan struct{})
	r.over = append(r.over, done)
	go func() {
		defer close(done)
		defer b.Close()
		r.play(b, lines)
	}()
	return a, nil
}

// play sends what the recorded server sent; what comes must be what the recorded client sent, its numbers too.
func (r *recording) play(nc half, lines []vectors.Line) {
	p := &script{r.t, nc, frame.NewReader(wide)}
	for _, l := range lines {
		switch {
		case l.Text("dir") == "s2c" && l.Has("event"):
			nc.CloseWrite()
		case l.Has("event"):
			if left := p.closed(); len(left) > 0 {
				r.t.Errorf("line %d: %x before the end", l.Number, left)
			}
		case l.Text("dir") == "s2c":
			nc.Write(whole(r.t, l.Bytes(r.t, "frame"))) // fails where our client has closed
		case !sameRequest(r.t, p, whole(r.t, l.Bytes(r.t, "frame"))):
			return
		}
	}
}

// sameRequest reads a request and compares all but its tail, and the marks of a stream, with a recorded one: NewLife's server
// carries these and ignores that. What ours cancels comes in response mode, which NewLife's server ignores, and so does this.
func sameRequest(t *testing.T, p *script, want []byte) bool {
	f, ok := p.next()
	for ok && f.Mode() == frame.Response {
		f, ok = p.next()
	}
	m, err := remoting.Parse(f.Mode(), f.Payload)
	m.Tail = nil
	if bytes.HasPrefix(m.Action, []byte("Stream/")) {
		f.Head &^= 0x30
	}
	got, _ := remoting.AppendFrame(nil, wide, f.Head, f.Seq, &m)
	if !ok || err != nil || !bytes.Equal(got, want) {
		t.Errorf("sent %x, %v, %v; recorded %x", got, ok, err, want)
		return false
	}
	return true
}

// says calls Test/Echo.
func says(t *testing.T, cl *rpc.Client, text string) {
	t.Helper()
	var got string
	if err := cl.Invoke(context.Background(), "Test/Echo", text, &got); err != nil || got != text {
		t.Fatalf("%q, %v; want %q", got, err, text)
	}
}

type delayArg struct {
	Ms int `json:"ms"`
	Id int `json:"id"`
}

// TestRecordedIdleSendsNothing: nothing is sent in four seconds of silence.
func TestRecordedIdleSendsNothing(t *testing.T) {
	lifeTest(t, "idle", nil, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		says(t, cl, "before")
		sent := cl.Stats().BytesOut
		time.Sleep(4 * time.Second)
		if cl.Stats().BytesOut != sent {
			t.Error("a heartbeat")
		}
		says(t, cl, "after")
	})
}

// TestRecordedTimeoutLeavesTheConnection: a call that is not answered in time ends; its late answer is dropped, the connection goes on.
func TestRecordedTimeoutLeavesTheConnection(t *testing.T) {
	o := rpc.Dialer{Peer: rpc.NewLife, Limits: rpc.Limits{CallTimeout: 300 * time.Millisecond}}
	lifeTest(t, "timeout", nil, o, func(t *testing.T, cl *rpc.Client) {
		begin := time.Now()
		err := cl.Invoke(context.Background(), "Test/Delay", delayArg{700, 1}, nil)
		if !errors.Is(err, rpc.ErrTimeout) || rpc.OutcomeOf(err) != rpc.Unknown {
			t.Fatal(err)
		}
		passes(t, begin, 300*time.Millisecond)
		says(t, cl, "after")
		synctest.Wait()
		if st := cl.Stats(); st.Late != 1 || st.Abandoned != 1 {
			t.Errorf("%+v", st)
		}
		says(t, cl, "after late answer")
	})
}

// TestRecordedCloseIsTheEndOfTheBytes: the end is the end of the bytes, without a frame.
func TestRecordedCloseIsTheEndOfTheBytes(t *testing.T) {
	lifeTest(t, "close-client", nil, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		says(t, cl, "x")
	})
}

// TestRecordedServerGoneFailsAtOnce: a waiting call fails at once when the server closes, and the next when it cannot be reached.
func TestRecordedServerGoneFailsAtOnce(t *testing.T) {
	lifeTest(t, "close-server", nil, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		says(t, cl, "x")
		begin := time.Now()
		err := cl.Invoke(context.Background(), "Test/Delay", delayArg{400, 1}, nil)
		var ce *rpc.ConnError
		if !errors.As(err, &ce) || rpc.OutcomeOf(err) != rpc.Unknown || time.Since(begin) > 0 {
			t.Fatal(err, time.Since(begin))
		}
		err = cl.Invoke(context.Background(), "Test/Echo", "gone", nil)
		if !errors.Is(err, errGone) || rpc.OutcomeOf(err) != rpc.NotSent {
			t.Fatal(err)
		}
	})
}

// TestRecordedReconnectBeginsAnew: the call after a loss opens a connection, on which numbers begin anew.
func TestRecordedReconnectBeginsAnew(t *testing.T) {
	lifeTest(t, "reconnect", nil, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		says(t, cl, "one")
		synctest.Wait() // the loss is noticed
		says(t, cl, "two")
		says(t, cl, "three")
	})
}

// TestRecordedStreamThatIsLeftHarmsNoCall: a caller leaves a stream, which NewLife's server cannot be told and goes on with: the items are
// dropped, other calls get their own answers, and the end frees the number. Closing ends a stream with the reason.
func TestRecordedStreamThatIsLeftHarmsNoCall(t *testing.T) {
	type slow struct {
		Count int `json:"count"`
	}
	lifeTest(t, "stream-stop", nil, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		n := 0
		for item, err := range rpc.Stream[int](context.Background(), cl, "Stream/Slow", slow{5}) {
			if item != n || err != nil {
				t.Fatal(item, err)
			}
			if n++; n == 2 {
				break
			}
		}
		if _, retired := cl.Pending(); retired != 1 {
			t.Error(retired, "numbers are kept for the rest of the stream")
		}
		says(t, cl, "meanwhile")
		synctest.Wait()
		if n, retired := cl.Pending(); n != 0 || retired != 0 {
			t.Error(n, retired)
		}
		n = 0
		var last error
		for item, err := range rpc.Stream[int](context.Background(), cl, "Stream/Slow", slow{20}) {
			if last = err; err != nil {
				break
			}
			if item != n {
				t.Error(item)
			}
			if n++; n == 2 {
				cl.Close()
			}
		}
		if n != 2 || !errors.Is(last, rpc.ErrClosed) {
			t.Error(n, last)
		}
	})
}

// TestRecordedBigAnswerFailsItsCallAlone: an answer over the limit fails its call alone, at once and with the reason, where NewLife's client is out of step;
// with a larger limit it is read, and what follows too.
func TestRecordedBigAnswerFailsItsCallAlone(t *testing.T) {
	test.Long(t) // twelve megabytes of JSON
	type big struct {
		N int `json:"n"`
	}
	second := func(l vectors.Line) bool { return l.Text("conn") == "2" }
	first := func(l vectors.Line) bool { return second(l) && l.Sub(t, "parsed").Text("action") == "Test/Big" }
	lifeTest(t, "big-limit", first, rpc.Dialer{Codec: frame.Standard{Max: 10 << 20}, Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		begin := time.Now()
		err := cl.Invoke(context.Background(), "Test/Big", big{12_000_000}, nil)
		if !errors.Is(err, frame.ErrTooLarge) || rpc.OutcomeOf(err) != rpc.Answered || time.Since(begin) > 0 {
			t.Fatal(err, time.Since(begin))
		}
		cl.Close()
	})
	lifeTest(t, "big-limit", second, rpc.Dialer{Peer: rpc.NewLife}, func(t *testing.T, cl *rpc.Client) {
		var got string
		if err := cl.Invoke(context.Background(), "Test/Big", big{12_000_000}, &got); err != nil || len(got) != 12_000_000 {
			t.Fatal(len(got), err)
		}
		says(t, cl, "still alive?")
	})
}
