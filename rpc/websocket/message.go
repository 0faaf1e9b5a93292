package websocket

import (
	"unicode/utf8"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Message is a whole message or a control frame.
type Message struct {
	Op      Opcode // Text, Binary, Close, Ping or Pong
	Payload []byte // unmasked
}

// Assembler joins the frames of one direction of a connection to messages and enforces RFC 6455. The zero value reads what a
// server sends. It belongs to one goroutine at a time.
type Assembler struct {
	Server        bool // frames come from a client: they must be masked
	AllowUnmasked bool // a Server also takes frames that are not (NewLife's client does not mask)
	Max           int  // largest message in bytes; 0 is frame.DefaultMax

	op     Opcode // of the message in pieces, 0 when there is none
	pieces []byte
	closed bool  // a close frame was taken
	err    error // what ended it
}

// Take takes the next frame. It unmasks f's payload in place, which changes the bytes the frame was read from. True is a
// message: valid, like f, while f is, and one joined from fragments until the next Take. Frames behind a close frame are
// dropped. The error is a *CloseError, which every later call returns again.
func (a *Assembler) Take(f frame.Frame) (Message, bool, error) {
	if a.err != nil || a.closed {
		return Message{}, false, a.err
	}
	op := Of(f)
	if a.err = a.allowed(f, op); a.err != nil {
		return Message{}, false, a.err
	}
	if f.Seq&Masked != 0 {
		Mask(f.Payload, f.Key, 0)
	}
	m, ok := Message{op, f.Payload}, true
	switch {
	case op == Close:
		a.closed = true
		_, _, a.err = ParseClose(f.Payload)
	case op < Close:
		m, ok, a.err = a.join(f, op)
	}
	if a.err != nil {
		return Message{}, false, a.err
	}
	return m, ok, nil
}

// allowed checks what can be told from the header.
func (a *Assembler) allowed(f frame.Frame, op Opcode) error {
	masked := f.Seq&Masked != 0
	reason := ""
	switch {
	case f.Head&Reserved != 0:
		reason = "reserved bits"
	case op > Binary && op < Close, op > Pong:
		reason = "unknown opcode"
	case a.Server && !masked && !a.AllowUnmasked:
		reason = "frame not masked"
	case !a.Server && masked:
		reason = "frame masked by a server"
	case op >= Close && f.Head&Fin == 0:
		reason = "control frame in fragments"
	case op >= Close && len(f.Payload) > maxControl:
		reason = "control frame over 125 bytes"
	case op == Continuation && a.op == 0:
		reason = "continuation of nothing"
	case (op == Text || op == Binary) && a.op != 0:
		reason = "new message inside one in fragments"
	default:
		return nil
	}
	return &CloseError{ProtocolError, reason}
}

// join takes a data frame.
func (a *Assembler) join(f frame.Frame, op Opcode) (Message, bool, error) {
	most := a.Max
	if most <= 0 {
		most = frame.DefaultMax
	}
	whole := op != Continuation
	if whole {
		a.op = op
		a.recycle()
	}
	if len(f.Payload) > most-len(a.pieces) {
		return Message{}, false, &CloseError{TooLarge, "message over the limit"}
	}
	if f.Head&Fin == 0 {
		a.pieces = append(a.pieces, f.Payload...)
		return Message{}, false, nil
	}
	m := Message{a.op, f.Payload}
	if !whole {
		a.pieces = append(a.pieces, f.Payload...)
		m.Payload = a.pieces
	}
	a.op = 0
	if m.Op == Text && !utf8.Valid(m.Payload) {
		return Message{}, false, &CloseError{BadText, "text is not UTF-8"}
	}
	return m, true, nil
}

// recycle empties the buffer of the pieces and drops a large one.
func (a *Assembler) recycle() {
	const keep = 64 << 10
	if cap(a.pieces) > keep {
		a.pieces = nil
	}
	a.pieces = a.pieces[:0]
}

// Pending is the size in bytes of the unfinished message.
func (a *Assembler) Pending() int {
	if a.op == 0 {
		return 0
	}
	return len(a.pieces)
}

// Release drops the buffer of joined messages, unless one is unfinished. The last message ends being valid.
func (a *Assembler) Release() {
	if a.op == 0 {
		a.pieces = nil
	}
}
