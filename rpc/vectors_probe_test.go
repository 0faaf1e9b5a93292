package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// ours is what our server does with the bytes of a probe where that is not what NewLife's did: the table "What ours does with a
// line" of the recordings' description.
type ours struct {
	answers []int // requests, by their place among what is sent, that are answered, where NewLife does not
	bad     []int // the same, with code 400
	drops   bool  // NewLife's answers do not come
	reason  error // the connection ends for
}

var differently = map[string]ours{
	// A long header with a short payload is read.
	"extended-small": {answers: []int{0}}, "extended-65530": {answers: []int{0}},
	// An impossible length is no frame; one over the limit ends the connection at once.
	"extended-minus1": {reason: frame.ErrMalformed}, "extended-min": {reason: frame.ErrMalformed, drops: true},
	"extended-huge": {reason: frame.ErrTooLarge, drops: true},
	// Five seconds of silence within a frame end the connection.
	"5.3s": {reason: frame.ErrSilent}, "5.3s-whole": {reason: frame.ErrSilent, drops: true},
	// What is cut off is no frame; what is under way when the peer has sent everything is finished.
	"header-then-close": {reason: io.ErrUnexpectedEOF}, "body-then-half": {reason: io.ErrUnexpectedEOF},
	"slow-request-then-half": {answers: []int{0}},
	// What cannot be read is answered when its number is known.
	"too-short-length": {bad: []int{0}},
}

// TestVectorProbe gives a server what was sent to the recorded one, with the recorded pauses, in fake time.
func TestVectorProbe(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"probe-extended", "probe-gap", "probe-truncated"} {
		var at *probe
		var all []*probe
		for _, l := range vectors.Read(t, ".", filepath.Join("remoting", name+".jsonl")) {
			switch {
			case l.Has("case"):
				at = newProbe(t, l)
				all = append(all, at)
				seen[at.name] = true
			case l.Text("dir") == "s2c" && l.Has("frame"):
				at.want = append(at.want, whole(t, l.Bytes(t, "frame")))
			case l.Text("dir") == "s2c" && l.Has("event"):
				at.ends = true
			}
		}
		for _, p := range all {
			t.Run(name+"/"+p.name, func(t *testing.T) { synctest.Test(t, p.play) })
		}
	}
	for name := range differently {
		if !seen[name] {
			t.Errorf("no case %q", name)
		}
	}
}

// probe is one case.
type probe struct {
	name  string
	steps []step
	want  [][]byte
	ends  bool // the server has closed
	ours
}

// step is bytes that are sent, a pause, or the end of what is sent: close, or half, which goes on reading.
type step struct {
	bytes []byte
	pause time.Duration
	end   string
}

func newProbe(t *testing.T, l vectors.Line) *probe {
	p := &probe{name: l.Text("case"), ours: differently[l.Text("case")]}
	var sent []json.RawMessage
	if err := json.Unmarshal([]byte(l.Text("sent")), &sent); err != nil {
		t.Fatal(err)
	}
	for _, raw := range sent {
		var text string
		json.Unmarshal(raw, &text) // an object, for long bytes, leaves it empty
		if ms, ok := strings.CutPrefix(strings.TrimSuffix(text, " ms"), "wait "); ok {
			n, err := strconv.Atoi(ms)
			if err != nil {
				t.Fatal(err)
			}
			p.steps = append(p.steps, step{pause: time.Duration(n) * time.Millisecond})
			continue
		}
		if text == "close" || text == "half" {
			p.steps = append(p.steps, step{end: text})
			continue
		}
		var b vectors.Bytes
		if err := b.UnmarshalJSON(raw); err != nil {
			t.Fatal(err)
		}
		p.steps = append(p.steps, step{bytes: b.Fill(t, 0)})
	}
	return p
}

// play sends the case's bytes and compares what comes until its end.
func (p *probe) play(t *testing.T) {
	if p.drops {
		p.want = nil
	}
	for _, i := range p.answers {
		p.want = append(p.want, answerTo(t, frame.Standard{}, p.steps[i].bytes))
	}
	var reason error
	s := &rpc.Server{Handler: recorded(), Log: quiet, OnClose: func(_ *rpc.Session, err error) { reason = err }}
	a, b := halves()
	s.ServeConn(b)
	var got, refused [][]byte
	closed := false
	go func() {
		in := &script{t, a, frame.NewReader(frame.Standard{})}
		for f, ok := in.next(); ok; f, ok = in.next() {
			b, _ := frame.Standard{}.AppendFrame(nil, f)
			if m, _ := remoting.Parse(f.Mode(), f.Payload); m.Code == remoting.BadRequest {
				refused = append(refused, b[:2])
				continue
			}
			got = append(got, b)
		}
		closed = true
	}()
	for _, k := range p.steps {
		switch {
		case k.end == "half":
			a.CloseWrite()
		case k.end == "close":
			a.Close()
		default:
			a.Write(k.bytes) // fails when the server has closed
			time.Sleep(k.pause)
		}
		synctest.Wait()
	}
	slices.SortFunc(got, bytes.Compare)
	slices.SortFunc(p.want, bytes.Compare)
	if !slices.EqualFunc(got, p.want, bytes.Equal) {
		t.Errorf("got  %.100x\nwant %.100x", got, p.want)
	}
	if len(refused) != len(p.bad) {
		t.Errorf("%d answers with 400, want %d", len(refused), len(p.bad))
	}
	for i, k := range p.bad {
		if b := p.steps[k].bytes; i < len(refused) && !bytes.Equal(refused[i], []byte{frame.Head(frame.ErrorResponse, b[0]), b[1]}) {
			t.Errorf("answered 400 to %x", refused[i])
		}
	}
	if want := p.ends || p.reason != nil; closed != want || (reason != nil) != want {
		t.Errorf("closed: %v, %v; want %v", closed, reason, want)
	}
	if ce := new(rpc.ConnError); p.reason != nil && (!errors.Is(reason, p.reason) || !errors.As(reason, &ce)) {
		t.Errorf("closed for %v, want %v", reason, p.reason)
	}
	a.Close()
	s.Close()
}

// answerTo makes the answer of the recorded services to a request of which no answer is recorded.
func answerTo(t *testing.T, codec frame.Standard, b []byte) []byte {
	f, n, err := codec.ParseFrame(b)
	if err != nil || n != len(b) {
		t.Fatal(n, err)
	}
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if err != nil {
		t.Fatal(err)
	}
	switch action := string(m.Action); action {
	case "Test/Echo":
	case "Pack/PkInt":
		m.Data = fmt.Append(nil, len(m.Data))
	case "Test/Delay":
		var arg struct{ ID int }
		if err := json.Unmarshal(m.Data, &arg); err != nil {
			t.Fatal(err)
		}
		m.Data = fmt.Append(nil, arg.ID)
	default:
		t.Fatal(action)
	}
	b, err = remoting.AppendFrame(nil, codec, frame.Head(frame.Response, f.Head), f.Seq, &m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestVectorBigLimit: with NewLife's limit of 10 MiB frames below pass as recorded, and one above ends the connection with the
// reason, where NewLife drops it without a word and is out of step then. With a larger limit all pass.
func TestVectorBigLimit(t *testing.T) {
	test.Long(t) // twelve megabytes of JSON
	var sent, answers [][]byte
	for _, l := range vectors.Read(t, ".", "remoting/big-limit.jsonl") {
		if !l.Has("frame") || l.Text("conn") != "1" {
			continue
		}
		if b := whole(t, l.Bytes(t, "frame")); l.Text("dir") == "c2s" {
			sent = append(sent, b)
		} else {
			answers = append(answers, b)
		}
	}
	if len(sent) != 3 || len(answers) == 0 {
		t.Fatal(len(sent), len(answers))
	}
	base(t)
	for _, limit := range []int{10 << 20, 16 << 20} {
		reason := make(chan error, 1)
		codec := frame.Standard{Max: limit}
		s := &rpc.Server{Handler: recorded(), Codec: codec, Log: quiet, OnClose: func(_ *rpc.Session, err error) { reason <- err }}
		p := connect(t, serve(t, s), codec)
		p.nc.SetDeadline(time.Now().Add(2 * guard))
		for i, b := range sent {
			_, err := p.nc.Write(b)
			if i == 1 && limit < len(b) {
				p.closed()
				if err := <-reason; !errors.Is(err, frame.ErrTooLarge) {
					t.Fatal(err)
				}
				break
			}
			want := answers[0]
			if i > 0 {
				want = answerTo(t, codec, b)
			}
			f, ok := p.next()
			if got, _ := codec.AppendFrame(nil, f); err != nil || !ok || !bytes.Equal(got, want) {
				t.Fatalf("%d: %v, %x, want %x", i, err, got, want)
			}
		}
		p.nc.Close()
	}
}

// TestVectorCloseServer: a server that is closed while a request runs closes the connection without another frame.
func TestVectorCloseServer(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: recorded(), Log: quiet}
	p := connect(t, serve(t, s), frame.Standard{})
	p.nc.SetDeadline(time.Now().Add(guard))
	requests, closed := uint64(0), false
	for _, l := range vectors.Read(t, ".", "remoting/close-server.jsonl") {
		switch {
		case l.Text("dir") == "c2s" && l.Has("frame"):
			p.nc.Write(l.Bytes(t, "frame").Head)
			requests++
		case l.Text("dir") == "s2c" && l.Has("frame"):
			f, _ := p.next()
			b, _ := frame.Standard{}.AppendFrame(nil, f)
			l.Bytes(t, "frame").Equal(t, b)
		case l.Text("dir") == "s2c" && l.Text("event") == "fin":
			until(t, "requests", func() bool { return s.Stats().Requests == requests })
			s.Close()
			if left := p.closed(); len(left) > 0 {
				t.Fatalf("%x", left)
			}
			closed = true
		}
	}
	if !closed || requests != 2 {
		t.Fatal(closed, requests)
	}
}
