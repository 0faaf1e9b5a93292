package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/internal/vectors/talks"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// TestVectorServerSendsWhatWasRecorded gives the recorded clients' bytes to a server with the recorded services, with the recorded pauses in fake time,
// and compares what it sends, by default and under Compat.
func TestVectorServerSendsWhatWasRecorded(t *testing.T) {
	for _, file := range vectors.Files(t, ".", "remoting/*.jsonl") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			for i, g := range groups(vectors.Read(t, ".", file)) {
				if !g.served() {
					continue
				}
				for _, compat := range []bool{false, true} {
					if test.Count(1, 2, 2) == 1 && compat == (i%2 == 0) {
						continue // a plain run has each in one of the forms
					}
					name := fmt.Sprintf("%d-%s", i, g.name)
					if compat {
						name += "-compat"
					}
					t.Run(name, func(t *testing.T) {
						if g.large() {
							test.Long(t)
						}
						synctest.Test(t, func(t *testing.T) { play(t, g, compat) })
					})
				}
			}
		})
	}
}

// group is a conversation, or one case of a probe.
type group struct {
	name  string
	lines []vectors.Line
	probe bool // it says what was sent
}

// groups cuts a recording into its cases.
func groups(lines []vectors.Line) (all []*group) {
	g := &group{}
	all = append(all, g)
	for _, l := range lines {
		if l.Bad != nil {
			continue // package remoting's tests tell of it
		}
		if l.Has("case") {
			g = &group{name: l.Text("case"), probe: l.Has("sent")}
			all = append(all, g)
		}
		g.lines = append(g.lines, l)
	}
	return all
}

// served reports whether the client's side can be given to a server: SRMP that was sent to NewLife's own.
func (g *group) served() bool {
	conns := talks.Read(g.lines)
	for _, c := range conns {
		if c.Foreign || c.Made {
			return false
		}
	}
	return len(conns) > 0
}

func (g *group) large() bool {
	for _, l := range g.lines {
		if b, ok := l.Try("frame"); ok && b.Length > 4<<20 {
			return true
		}
	}
	return false
}

// NewLife's limit.
var limited = frame.Standard{Max: 10 << 20}

// player plays the clients of a group.
type player struct {
	t       *testing.T
	group   *group
	compat  bool
	server  *rpc.Server
	mu      sync.Mutex
	reasons []error // why connections ended
	conns   map[string]*peer
	all     []*peer
}

// peer is a client's connection, with a model of what the server makes of its bytes: ours reads a long header before a short
// payload, ends at a length that no frame has, at silence within a frame and at half a frame, and answers 400 to what it cannot read.
type peer struct {
	talk  *talks.Conn
	nc    half
	model *frame.Reader
	read  int   // messages that the model has read
	dead  error // why the server ends the connection
	left  bool  // the client has ended its side
	want  map[key]int

	mu  sync.Mutex
	got []talks.Message
	eof bool
}

// frames gives what has come so far.
func (q *peer) frames() []talks.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.got)
}

// ended reports that the server has closed.
func (q *peer) ended() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.eof
}

// key tells answers apart.
type key struct {
	seq    byte
	action string
	push   bool
}

func keyOf(m talks.Message) key {
	if m.Frame.Mode() == frame.OneWay {
		return key{push: true, action: string(m.Message.Action)}
	}
	return key{seq: m.Frame.Seq, action: string(m.Message.Action)}
}

func play(t *testing.T, g *group, compat bool) {
	p := &player{t: t, group: g, compat: compat, conns: map[string]*peer{}}
	p.server = &rpc.Server{Handler: recorded(), Codec: limited, Dialect: value.Dialect{Compat: compat}, Log: quiet,
		OnClose: func(_ *rpc.Session, err error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.reasons = append(p.reasons, err)
		}}
	for _, c := range talks.Read(g.lines) {
		a, b := halves()
		q := &peer{talk: c, nc: a, model: frame.NewReader(limited), want: map[key]int{}}
		p.conns[c.ID], p.all = q, append(p.all, q)
		p.server.ServeConn(b)
		go q.receive()
	}
	if g.probe {
		p.steps()
	} else {
		p.follow()
	}
	p.finish()
	for _, q := range p.all {
		p.compare(q)
	}
	p.pushes()
	for _, q := range p.all {
		q.nc.Close()
	}
	p.server.Close()
	synctest.Wait()
}

// receive reads what the server sends.
func (q *peer) receive() {
	in := &script{nil, q.nc, frame.NewReader(talks.Wide)}
	for f, ok := in.next(); ok; f, ok = in.next() {
		b, _ := talks.Wide.AppendFrame(nil, f)
		f.Payload = bytes.Clone(f.Payload)
		m, err := remoting.Parse(f.Mode(), f.Payload)
		q.mu.Lock()
		q.got = append(q.got, talks.Message{Bytes: b, Frame: f, Message: m, Err: err})
		q.mu.Unlock()
	}
	q.mu.Lock()
	q.eof = true
	q.mu.Unlock()
}

// send writes a piece, which the model reads too.
func (q *peer) send(b []byte) {
	if q.dead == nil {
		if err := q.model.Feed(b, func(frame.Frame) { q.read++ }); err != nil {
			q.dead = err
		}
	}
	q.nc.SetWriteDeadline(time.Now().Add(time.Minute))
	q.nc.Write(b) // fails when the server has closed
	synctest.Wait()
}

// silent passes time, which ends a connection with half a frame.
func (q *peer) silent(d time.Duration) {
	if d > 5*time.Second && len(q.model.Pending()) > 0 && q.dead == nil {
		q.dead = frame.ErrSilent
	}
	time.Sleep(d)
	synctest.Wait()
}

// leave ends the client's side.
func (q *peer) leave(whole bool) {
	if q.left {
		return
	}
	q.left = true
	if len(q.model.Pending()) > 0 && q.dead == nil {
		q.dead = io.ErrUnexpectedEOF
	}
	if whole {
		q.nc.Close()
	} else {
		q.nc.CloseWrite()
	}
	synctest.Wait()
}

// steps plays what a case says was sent.
func (p *player) steps() {
	q := p.all[0]
	for _, k := range talks.Steps(p.t, p.group.lines[0]) {
		switch {
		case k.End != "":
			q.leave(k.End == "close")
		case k.Pause > 0:
			q.silent(k.Pause)
		default:
			q.send(k.Bytes)
		}
	}
	for _, l := range p.group.lines {
		if l.Has("frame") && l.Text("dir") == "s2c" {
			p.await(l)
		}
	}
}

// follow plays the lines of a conversation: what the client sent is sent, what it received is waited for.
func (p *player) follow() {
	for _, l := range p.group.lines {
		q := p.conns[l.Text("conn")]
		switch {
		case q == nil:
		case l.Has("event") && l.Text("dir") == "c2s":
			q.leave(false)
		case l.Has("event"):
			q.leave(false) // the recorded server has closed the connection: what is under way ends as when the client does
		case l.Text("dir") == "c2s":
			q.send(talks.Piece(p.t, l))
		case l.Text("dir") == "s2c" && l.Has("frame"):
			p.await(l)
		}
	}
}

// await waits for a recorded frame, or one in its place. A push that no request of the client asked for goes to everybody.
func (p *player) await(l vectors.Line) {
	q := p.conns[l.Text("conn")]
	b, ok := l.Try("frame")
	if !ok {
		return
	}
	whole := talks.Whole(p.t, b)
	f, _, err := talks.Wide.ParseFrame(whole)
	if err != nil || q.dead != nil {
		return
	}
	m, _ := remoting.Parse(f.Mode(), f.Payload)
	k := keyOf(talks.Message{Frame: f, Message: m})
	q.want[k]++
	there := func() bool {
		n := 0
		for _, g := range q.frames() {
			if keyOf(g) == k {
				n++
			}
		}
		return n >= q.want[k]
	}
	patience := 20 * time.Second
	if k.push {
		patience = time.Second
	}
	synctest.Wait()
	for end := time.Now().Add(patience); time.Now().Before(end) && !there(); synctest.Wait() {
		time.Sleep(5 * time.Millisecond)
	}
	if k.push && !there() {
		p.server.Broadcast(context.Background(), k.action, m.Data)
		synctest.Wait()
	}
	if !there() && !q.left {
		p.t.Errorf("line %d: %q is not answered", l.Number, m.Action)
	}
}

// finish ends the clients' sides, and waits until the server has ended its own.
func (p *player) finish() {
	for _, q := range p.all {
		synctest.Wait()
		if q.dead != nil && !q.left && !q.ended() {
			p.t.Errorf("the server goes on after %v", q.dead)
		}
		if q.dead == nil && !q.left && q.ended() {
			p.t.Error("the server has closed", p.reasons)
		}
		q.leave(false)
		for end := time.Now().Add(time.Minute); time.Now().Before(end) && !q.ended(); synctest.Wait() {
			time.Sleep(10 * time.Millisecond)
		}
		if !q.ended() {
			p.t.Error("the server does not close")
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if q := p.all[0]; len(p.all) == 1 && q.dead != nil {
		if ce := new(rpc.ConnError); len(p.reasons) != 1 || !errors.Is(p.reasons[0], q.dead) && !errors.Is(p.reasons[0], reasonOf(q.dead)) || !errors.As(p.reasons[0], &ce) {
			p.t.Errorf("closed for %v, want %v", p.reasons, q.dead)
		}
	}
}

// reasonOf gives the sentinel of a reader's error.
func reasonOf(err error) error {
	for _, s := range []error{frame.ErrMalformed, frame.ErrTooLarge, frame.ErrSilent, io.ErrUnexpectedEOF} {
		if errors.Is(err, s) {
			return s
		}
	}
	return err
}

// compare compares the answers of a connection. Answers to different requests may come in any order; requests with one number
// share theirs.
func (p *player) compare(q *peer) {
	left := map[key][]talks.Message{}
	for _, g := range q.frames() {
		if k := keyOf(g); !k.push {
			left[k] = append(left[k], g)
		}
	}
	asked := map[key][]*talks.Request{}
	var keys []key
	for _, r := range q.talk.Requests[:min(q.read, len(q.talk.Requests))] {
		if r.Frame.Mode() == frame.Request && !r.Asks() {
			p.refused(q, r, left)
			continue
		}
		if r.Frame.Mode() != frame.Request && r.Frame.Mode() != frame.OneWay {
			continue
		}
		k := keyOf(r.Message)
		if k.push = false; r.Frame.Mode() == frame.OneWay {
			k.seq = r.Frame.Seq
		}
		if asked[k] == nil {
			keys = append(keys, k)
		}
		asked[k] = append(asked[k], r)
	}
	for _, k := range keys {
		p.answers(q, k, asked[k], left[k])
		delete(left, k)
	}
	for k, more := range left {
		p.t.Errorf("more than was recorded: %v %q", k, more[0].Bytes)
	}
}

// refused takes the answer with code 400 to what ours cannot read: NewLife says nothing.
func (p *player) refused(q *peer, r *talks.Request, left map[key][]talks.Message) {
	for k, ms := range left {
		for i, m := range ms {
			if m.Frame.Seq == r.Frame.Seq && m.Frame.Mode() == frame.ErrorResponse && m.Message.Code == remoting.BadRequest {
				if left[k] = slices.Delete(slices.Clone(ms), i, i+1); len(left[k]) == 0 {
					delete(left, k)
				}
				return
			}
		}
	}
	if !q.left {
		p.t.Errorf("line %d: not answered with 400", r.Line.Number)
	}
}

// answers compares what came for the requests with one number and action.
func (p *player) answers(q *peer, k key, requests []*talks.Request, got []talks.Message) {
	var want []talks.Message
	open := 0 // requests that NewLife did not answer
	for _, r := range requests {
		want = append(want, r.Answers...)
		if len(r.Answers) == 0 && r.Frame.Mode() == frame.Request {
			open++
		}
	}
	ended := q.left && q.talkEnded(p.group) || q.dead != nil
	switch {
	case len(got) < len(want) && q.dead == nil, len(got) < len(want)+open && !ended:
		p.t.Errorf("%v: %d answers, recorded %d", k, len(got), len(want))
		return
	case len(got) > len(want)+open && !ended:
		p.t.Errorf("%v: %d answers, recorded %d: %q", k, len(got), len(want), got[len(want)].Bytes)
		return
	}
	if len(requests) > 1 {
		order := func(a, b talks.Message) int { return bytes.Compare(a.Bytes, b.Bytes) }
		slices.SortStableFunc(got, order)
		slices.SortStableFunc(want, order)
	}
	if open > 0 && len(requests) > 1 {
		return // which is whose nobody can tell
	}
	for i := range min(len(want), len(got)) {
		p.same(got[i], want[i])
	}
}

// talkEnded reports that the recorded client ended its side itself, so that what came then depends on time.
func (q *peer) talkEnded(g *group) bool {
	for _, l := range g.lines {
		if l.Has("event") && l.Text("conn") == q.talk.ID || l.Has("sent") && (strings.Contains(l.Raw("sent"), `"half"`) || strings.Contains(l.Raw("sent"), `"close"`)) {
			return true
		}
	}
	return false
}
