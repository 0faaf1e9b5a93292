package rpc

import (
	"context"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/calltable"
)

// table has the calls under way on one connection by their numbers. The connection's lock guards it.
type table = calltable.Table[slot, rareSlot]

// slot is a call that waits for its answer: blocking (call) or with a callback (fn). Streams have neither.
type slot struct {
	call *call
	fn   func(body []byte, err error)
}

// rareSlot is what few calls have, apart from the slots: those are to be few cache lines.
type rareSlot struct {
	ctx   context.Context // of a callback, nil when it cannot end
	more  *slotMore
	born  int32 // the tick that first saw the call, 0 before
	until bool  // the caller has a deadline of its own
}

// slotMore is what even fewer calls have.
type slotMore struct {
	stream *stream
	left   *stream // given up: the number is in use until its end comes
	header []byte  // of the request, where the reply must repeat it
}

// stream is the stream that the call's answers belong to, nil without.
func (r *rareSlot) stream() *stream {
	if r.more == nil {
		return nil
	}
	return r.more.stream
}

// retire gives the call with number n up, which stays in use until the last of its answer comes.
func retire(t *table, n byte) {
	s := t.Rare(n).stream()
	t.Retire(n)
	if s != nil {
		t.Keep(n).more = &slotMore{left: &stream{flag: s.flag}}
	}
}

// ofLeft reports whether f is an item of a stream that was given up, and not its end.
func ofLeft(t *table, f frame.Frame) bool {
	m := t.Rare(f.Seq).more
	return m != nil && m.left != nil && !m.left.ends(f)
}
