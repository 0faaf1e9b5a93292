package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/internal/vectors/talks"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// throws has the actions that answer errors of their own; the texts of all others' errors are .NET's.
func throws(action string) bool {
	return strings.HasPrefix(action, "Err/") || strings.HasPrefix(action, "Stream/") || strings.HasPrefix(action, "Safe/") ||
		strings.HasPrefix(action, "User/") || action == "Test/Fail"
}

// same compares two frames; of errors whose text .NET made only what they are about.
func (p *player) same(got, want talks.Message) {
	if bytes.Equal(got.Bytes, want.Bytes) {
		return
	}
	g, w, action := got.Message, want.Message, string(want.Message.Action)
	if marks := byte(0x30); want.Frame.Head&marks == marks && strings.HasPrefix(action, "Stream/") && want.Frame.Mode() == frame.Response {
		if got.Frame.Head &^= marks; got.Frame.Head|marks == want.Frame.Head && bytes.Equal(got.Bytes[1:], want.Bytes[1:]) {
			return // a request with both bits asks ours for marks
		}
	}
	if len(want.Frame.Payload) > limited.Max { // the limit of ours counts for what it sends, too
		if got.Frame.Mode() != frame.ErrorResponse || g.Code != remoting.PayloadTooLarge || got.Frame.Seq != want.Frame.Seq || !bytes.Equal(g.Action, w.Action) {
			p.t.Errorf("line %d: %q is answered %.300q, want code 413", want.Line.Number, action, got.Bytes)
		}
		return
	}
	head := func(m talks.Message) string {
		return fmt.Sprintf("%02x %02x %s", m.Frame.Head, m.Frame.Seq, m.Message.Action)
	}
	if head(got) == head(want) && want.Frame.Mode() == frame.ErrorResponse {
		switch {
		case w.Code == 500 && (g.Code == 400 || g.Code == 500 && !throws(action)):
			return
		case g.Code == w.Code && (action == "Err/ApiQuoted" || action == "Err/ApiInner"):
			return // nobody says what they say
		case strings.HasPrefix(action, "Stream/Api") && g.Code == 777 && bytes.Equal(g.Data, w.Data):
			return // NewLife loses the code
		}
	}
	refused := got.Frame.Mode() == frame.ErrorResponse && g.Code == 400 && want.Frame.Mode() == frame.Response
	switch {
	case !p.compat && (refused || strings.HasSuffix(action, "/Deep")):
		return // as recorded under Compat
	case strings.EqualFold(action, "Api/Info") && head(got) == head(want):
		members(p.t, g.Data, w.Data)
		return
	case strings.EqualFold(action, "Api/All") && head(got) == head(want):
		return // TestVectorAPIAllIsTheRecordedList
	}
	p.t.Errorf("line %d\ngot      %s %d %.300q\nrecorded %s %d %.300q", want.Line.Number, head(got), g.Code, g.Data, head(want), w.Code, w.Data)
}

// pushes compares what was pushed, in its order on each connection. A server has one counter for all of them.
func (p *player) pushes() {
	var numbers, recorded []byte
	for _, q := range p.all {
		var got []talks.Message
		for _, g := range q.frames() {
			if g.Frame.Mode() == frame.OneWay {
				got = append(got, g)
				numbers = append(numbers, g.Frame.Seq)
			}
		}
		if q.dead != nil {
			return
		}
		if len(got) != len(q.talk.Pushes) {
			p.t.Errorf("%d pushes, recorded %d", len(got), len(q.talk.Pushes))
			return
		}
		for i, w := range q.talk.Pushes {
			recorded = append(recorded, w.Frame.Seq)
			if g := got[i]; g.Frame.Head != w.Frame.Head || !bytes.Equal(g.Frame.Payload, w.Frame.Payload) {
				p.t.Errorf("pushed %02x %q, recorded %02x %q", g.Frame.Head, g.Frame.Payload, w.Frame.Head, w.Frame.Payload)
			}
		}
	}
	slices.Sort(numbers)
	slices.Sort(recorded)
	if !bytes.Equal(numbers, recorded) {
		p.t.Errorf("pushes have the numbers %d, recorded %d", numbers, recorded)
	}
}

// members checks that what tells of a server has the recorded names, those of .NET's own facts aside.
func members(t *testing.T, got, want []byte) {
	t.Helper()
	var g, w map[string]any
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil {
		t.Fatalf("%s", got)
	}
	for name := range w {
		switch name {
		case "Compile", "Port", "Online", "MaxOnline", "Stat", "LocalIP":
			continue
		}
		if _, ok := g[name]; !ok {
			t.Errorf("no member %s in %s", name, got)
		}
	}
	if g["State"] != w["State"] || g["Token"] != w["Token"] {
		t.Errorf("%s", got)
	}
}

// TestVectorAPIAllIsTheRecordedList: a server whose actions have the recorded texts answers the recorded list.
func TestVectorAPIAllIsTheRecordedList(t *testing.T) {
	for _, file := range vectors.Files(t, ".", "remoting/*.jsonl") {
		t.Run(file, func(t *testing.T) {
			for _, c := range talks.Read(vectors.Read(t, ".", file)) {
				for _, r := range c.Requests {
					if strings.EqualFold(r.Action(), "Api/All") && len(r.Answers) > 0 && r.Answers[0].Frame.Mode() == frame.Response {
						listed(t, r.Answers[0].Message.Data)
					}
				}
			}
		})
	}
}

func listed(t *testing.T, want []byte) {
	var texts []string
	if err := json.Unmarshal(want, &texts); err != nil {
		t.Fatal(err)
	}
	x := new(rpc.Mux)
	for i, text := range texts {
		name := fmt.Sprint("Some/Action", i)
		if strings.Contains(text, "Api/All") {
			name = "Api/All"
			rpc.Handle(x, name, func(context.Context, struct{}) ([]string, error) { return x.Texts(), nil }, rpc.Params(), rpc.Signature(text))
			continue
		}
		rpc.HandleVoid(x, name, func(context.Context, struct{}) error { return nil }, rpc.Signature(text))
	}
	cl := dial(t, serve(t, &rpc.Server{Handler: x}), rpc.Dialer{})
	got, err := cl.Call(context.Background(), nil, "Api/All", nil)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%q, %v\nrecorded\n%q", got, err, want)
	}
}
