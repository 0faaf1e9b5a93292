package rpc_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// TestVectorTailIsReadAsRecorded: cases that say what was sent and what answered: bytes behind the data, response-mode frames sent to a server,
// stream marks.
func TestVectorTailIsReadAsRecorded(t *testing.T) {
	for _, file := range vectors.Files(t, ".", "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			for _, l := range vectors.Read(t, ".", file) {
				if l.Bad == nil && strings.HasPrefix(l.Raw("answers"), "[") {
					t.Run(l.Text("case"), func(t *testing.T) { tailed(t, l) })
				}
			}
		})
	}
}

// asker is a request of a case: whether bytes stand behind its data that begin as a tail, and whether it asks for stream marks.
type asker struct {
	head         byte
	tail, marked bool
}

func tailed(t *testing.T, l vectors.Line) {
	p := connect(t, serve(t, &rpc.Server{Handler: recorded()}), frame.Standard{})
	p.nc.SetDeadline(time.Now().Add(guard))
	askers := map[byte]asker{}
	for _, b := range l.List(t, "sent") {
		for rest := b.Head; ; {
			f, n, err := frame.Standard{}.ParseFrame(rest)
			if err != nil || n == 0 {
				break
			}
			rest = rest[n:]
			m, err := remoting.Parse(f.Mode(), f.Payload)
			if f.Mode() != frame.Request || err != nil {
				continue
			}
			m.Tail = nil
			bare, _ := remoting.AppendFrame(nil, frame.Standard{}, f.Head, f.Seq, &m)
			askers[f.Seq] = asker{f.Head, len(bare)-4 < len(f.Payload) && bytes.Contains(f.Payload[len(bare)-8:], []byte{0xF5, 0x58}),
				f.Head&0x30 == 0x30 && bytes.HasPrefix(m.Action, []byte("Stream/"))}
		}
		p.nc.Write(b.Head)
	}
	var got, want [][]byte
	for _, b := range l.List(t, "answers") {
		f, ok := p.next()
		if !ok {
			t.Fatalf("%d answers, recorded %d", len(got), len(l.List(t, "answers")))
		}
		got, want = append(got, plainAnswer(t, f, askers[f.Seq])), append(want, b.Head)
	}
	slices.SortFunc(got, bytes.Compare)
	slices.SortFunc(want, bytes.Compare)
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("got      %x\nrecorded %x", got, want)
	}
}

// plainAnswer gives the frame that NewLife would have sent. There must be a tail exactly where the request had one; items of a
// marked stream have a1, the end b1.
func plainAnswer(t *testing.T, f frame.Frame, a asker) []byte {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if err != nil || (m.Tail != nil) != a.tail {
		t.Fatalf("%x: %v, tail %v", f.Payload, err, m.Tail)
	}
	if a.marked && f.Mode() == frame.Response {
		if mark := f.Head & 0x30; mark != 0x20 && m.Data != nil || mark != 0x30 && m.Data == nil {
			t.Errorf("head %02x, %q", f.Head, m.Data)
		}
		f.Head = frame.Head(frame.Response, a.head)
	}
	m.Tail = nil
	b, _ := remoting.AppendFrame(nil, frame.Standard{}, f.Head, f.Seq, &m)
	return b
}
