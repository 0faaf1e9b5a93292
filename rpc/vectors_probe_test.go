package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
)

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

// TestRecordedBigLimitEndsTheConnection: with NewLife's limit of 10 MiB frames below pass as recorded, and one above ends the connection with the
// reason, where NewLife drops it without a word and is out of step then. With a larger limit all pass.
func TestRecordedBigLimitEndsTheConnection(t *testing.T) {
	test.Long(t) // twelve megabytes of JSON
	var sent, answers [][]byte
	for _, l := range vectors.Committed(t, ".", "remoting/big-limit.jsonl") {
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

// TestRecordedCloseServerWritesNothingMore: a server that is closed while a request runs closes the connection without another frame.
func TestRecordedCloseServerWritesNothingMore(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: recorded(), Log: quiet}
	p := connect(t, serve(t, s), frame.Standard{})
	p.nc.SetDeadline(time.Now().Add(guard))
	requests, closed := uint64(0), false
	for _, l := range vectors.Committed(t, ".", "remoting/close-server.jsonl") {
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
