package rpc

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// Reasons. Test with errors.Is.
var (
	// ErrClosed: the client, session or server was closed on this side.
	ErrClosed = errors.New("rpc: closed")
	// ErrServerClosed is what Serve returns after Shutdown or Close.
	ErrServerClosed = errors.New("rpc: server closed")
	// ErrServerClosing ends the streams of a server that shuts down.
	ErrServerClosing = errors.New("rpc: server closing")
	// ErrTimeout: no answer within Limits.CallTimeout. It is a context.DeadlineExceeded to errors.Is.
	ErrTimeout error = timeoutError{}
	// ErrBusy: the connection takes no more at this moment: its backlog is full, or too many calls or streams are under way.
	ErrBusy = errors.New("rpc: connection busy: too much to write, or too many calls under way")
	// ErrExhausted: too many calls were never answered; the connection has no numbers left that are safe to use.
	ErrExhausted = errors.New("rpc: no numbers left")
	// ErrGoingAway: the peer takes no new calls on this connection.
	ErrGoingAway = errors.New("rpc: peer is going away")
	// ErrWouldDeadlock: an inline handler called back on its own connection.
	ErrWouldDeadlock = errors.New("rpc: call from an inline handler on its own connection")
	// ErrSlowConsumer: the peer reads more slowly than it is sent to.
	ErrSlowConsumer = errors.New("rpc: slow consumer")
	// ErrSilent: no byte came from a new connection.
	ErrSilent = errors.New("rpc: no first byte")
	// ErrNoPong: the peer gave no sign of life.
	ErrNoPong = errors.New("rpc: peer does not answer")
	// ErrOverload: too much memory is held, and this connection is to blame: it holds more than its share of what the server may, or
	// has sent a one-way message over its own limit to a side that waits for answers itself.
	ErrOverload = errors.New("rpc: too much is held for the connection")
	// ErrUnexpected: a reply that no request was waiting for, on a codec that matches by order.
	ErrUnexpected = errors.New("rpc: reply without a request")
	// ErrMismatch: a reply whose header is not that of the request it answers.
	ErrMismatch = errors.New("rpc: reply to another request")
	// ErrRefused: OnConnect refused the connection.
	ErrRefused = errors.New("rpc: connection refused")
)

// What a codec does not carry, and what to do about it.
var (
	errNotifyOnly = fmt.Errorf("%w: NotifyOnly is set, which leaves one-way messages only: use Notify", errors.ErrUnsupported)
	errNoOneWay   = fmt.Errorf("%w: this codec has one-way messages only where NotifyOnly is set on both sides", errors.ErrUnsupported)
	errNoAction   = fmt.Errorf("%w: only the codec Standard without Raw carries actions and metadata: use it, or the empty action", errors.ErrUnsupported)
	errNoStream   = fmt.Errorf("%w: only the codec Standard without Raw carries streams", errors.ErrUnsupported)
	errNoCallBack = fmt.Errorf("%w: only clients of this package answer calls of the server, and only with the codec Standard", errors.ErrUnsupported)
)

var errSlowConnect = fmt.Errorf("%w: OnConnect takes too long", ErrRefused)

type timeoutError struct{}

func (timeoutError) Error() string        { return "rpc: no answer in time" }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
func (timeoutError) Timeout() bool        { return true }

// Error is an error that the peer answered with, or that a handler answers with: a handler that returns an *Error, also
// wrapped, chooses code and text; any other error is code 500 with its text.
type Error struct {
	Code    int32  // as on the wire: see CodeOf
	Text    string // what went wrong, for people
	Details []byte // further bytes for programs; only between our own peers, nil without

	refusal remoting.Refusal // the peer's library has not begun the call: never sent on, whoever returns the error
}

// NewError makes the error of a handler.
func NewError(code int32, text string) *Error { return &Error{Code: code, Text: text} }

// Error formats e as "code: text".
func (e *Error) Error() string { return strconv.Itoa(int(e.Code)) + ": " + e.Text }

// Is reports that target is an *Error with the same code, whatever its text: errors.Is(err, NewError(CodeNotFound, "")). It also
// lets errors.Is find what happened to a handler's context, on the side of the caller: it was cancelled (code 499), its time was
// over (504), or the server closes.
func (e *Error) Is(target error) bool {
	if t, ok := target.(*Error); ok {
		return t != nil && e.Code == t.Code
	}
	switch target {
	case context.Canceled:
		return e.Code == remoting.Cancelled
	case context.DeadlineExceeded:
		return e.Code == remoting.Timeout
	case ErrServerClosing:
		return e.Text == ErrServerClosing.Error()
	}
	return false
}

// ConnError tells why a connection ended. Reason is, for bytes that no frame begins with, a *frame.Error with codec and offset.
type ConnError struct {
	Peer    string // the peer's address
	Reason  error
	Dropped int // one-way messages that had come and were not handled any more
}

// Error formats e as "rpc: connection to peer: reason".
func (e *ConnError) Error() string {
	s := "rpc: connection to " + e.Peer + ": " + e.Reason.Error()
	if e.Dropped > 0 {
		s += " (" + strconv.Itoa(e.Dropped) + " one-way messages dropped)"
	}
	return s
}

// Unwrap returns the reason.
func (e *ConnError) Unwrap() error { return e.Reason }

// CallError is a call that got no answer.
type CallError struct {
	Action  string
	Outcome Outcome // NotSent, Refused or Unknown
	Err     error
}

// Error formats e as "rpc: call action: reason".
func (e *CallError) Error() string {
	s := "rpc: call"
	if e.Action != "" {
		s += " " + e.Action
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *CallError) Unwrap() error { return e.Err }

// Outcome says what is known of a call that failed.
type Outcome byte

// The outcomes.
const (
	Answered Outcome = iota // the handler ran and answered; also the outcome of no error
	NotSent                 // not a byte of the call was sent: repeating it is safe
	Refused                 // the peer's library, or its middleware with Refuse, did not run it: repeating it is safe
	Unknown                 // sent, no answer: it may have run
)

// String names the outcome.
func (o Outcome) String() string {
	switch o {
	case Answered:
		return "answered"
	case NotSent:
		return "not sent"
	case Refused:
		return "refused"
	}
	return "unknown"
}

// OutcomeOf tells what is known of the call that returned err. Errors that are not of a call are Unknown. Refused is what the peer's
// library says it has not run, or what it never answered before its announced end; a handler's own code 503 or 429 is Answered. Peers
// that are not of this package, and answers without the envelope, cannot say it.
func OutcomeOf(err error) Outcome {
	var ce *CallError
	var e *Error
	switch {
	case err == nil:
		return Answered
	case errors.As(err, &e):
		if e.refusal != remoting.NoRefusal {
			return Refused
		}
		return Answered
	case errors.As(err, &ce):
		return ce.Outcome
	}
	return Unknown
}

// CodeOf returns the code that stands for err on the wire: 200 for nil, an *Error's own, 400 for arguments that do not
// convert, 413 for a message over the limit, 499 for a context that was cancelled, 504 for one whose time is over, 500 for everything
// else.
func CodeOf(err error) int32 {
	var e *Error
	var v *value.Error
	switch {
	case err == nil:
		return remoting.OK
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, value.ErrNoPlace):
		return remoting.Mismatch
	case errors.Is(err, context.Canceled):
		return remoting.Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return remoting.Timeout
	case errors.Is(err, frame.ErrTooLarge):
		return remoting.PayloadTooLarge
	case errors.As(err, &v) && (errors.Is(err, value.ErrConvert) || errors.Is(err, value.ErrSyntax) || errors.Is(err, value.ErrDepth)):
		return remoting.BadRequest
	}
	return remoting.Internal
}

// textOf is the text that stands for err on the wire: a handler's *Error gives its own, an error around others the innermost.
func textOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Text
	}
	return err.Error()
}
