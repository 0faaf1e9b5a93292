package rpc

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// layouts are the types that a handler reads and writes.
type layouts struct {
	arg    reflect.Type
	result reflect.Type // nil: there is none

	once sync.Once
	in   *typeForm
	out  *typeForm // nil: there is none
}

// made lays the types out, when it is first asked.
func (l *layouts) made() *layouts {
	l.once.Do(func() {
		l.in = formOf(l.arg)
		if l.result != nil {
			l.out = formOf(l.result)
		}
	})
	return l
}

// other tells how a request's layouts differ from those of the handler, "" when they do not. Nothing but span bodies has a layout.
func (l *layouts) other(enc remoting.Encoding, arg, result uint64) string {
	if enc != remoting.Span && result <= wantedJSON {
		return ""
	}
	if l == nil {
		return "the handler has no types: it reads and writes no span bodies"
	}
	l.made()
	switch {
	case enc == remoting.Span && arg != l.in.print:
		return fmt.Sprintf("another layout: the argument's is %016x, and here %v has %016x", arg, l.arg, l.in.print)
	case result > wantedJSON && l.out != nil && result != l.out.print:
		return fmt.Sprintf("another layout: the result's is %016x, and here %v has %016x", result, l.result, l.out.print)
	}
	return ""
}

// otherIn is other for what a tail says.
func (l *layouts) otherIn(t remoting.Tail) string {
	arg, result, _ := t.Layouts()
	return l.other(t.Body(), arg, result)
}

// agrees tells whether a request's span bodies have the layouts of the method that is to run, now. If not the caller is told, and makes
// the call as JSON.
func (c *conn) agrees(m *method, r *Request) bool {
	if m.passes {
		return true
	}
	why := m.types.otherIn(r.tail)
	if why == "" {
		return true
	}
	c.disagree(m, why)
	if r.OneWay {
		c.drop(r, why)
	} else {
		c.refuseLayout(r, why)
	}
	return false
}

// disagree counts a message of another layout, and logs the first one of a method.
func (c *conn) disagree(m *method, why string) {
	c.cfg.rare.mismatches.Add(1)
	if !m.told.Swap(true) {
		c.cfg.log.Warn("rpc: another layout", "action", m.name, "peer", c.addr(), "reason", why)
	}
}

// refuseLayout answers that a request was not run since its layout is another.
func (c *conn) refuseLayout(r *Request, why string) {
	r.refusal = remoting.OtherLayout
	c.refuse(r, &Error{Code: remoting.Mismatch, Text: why})
}

// replyLayout answers whether one-way messages of the action in the data would be read.
func (c *conn) replyLayout(r *Request) {
	var m *method
	if c.cfg.router != nil && !remoting.Reserved(r.Body) {
		m = c.cfg.router.find(r.Body)
	}
	arg, _, _ := r.tail.Layouts()
	why := "nobody handles this action"
	switch {
	case m == nil:
	case m.passes:
		why = "the handler hands it on, to whom is not known"
	default:
		why = m.types.other(remoting.Span, arg, notRead)
	}
	if why != "" {
		c.refuseLayout(r, why)
		return
	}
	c.reply(r, []byte{})
}

// wanted is how the caller wants the result: a remoting.Encoding, false when it is not read.
func (r *Request) wanted() (remoting.Encoding, bool) {
	_, result, sent := r.tail.Layouts()
	switch {
	case !sent && r.tail.Body() == remoting.Lossless, sent && result == wantedJSON:
		return remoting.Lossless, true
	case !sent:
		return remoting.Plain, true
	}
	return remoting.Span, result != notRead
}

// typedFunc is a handler that knows its types.
type typedFunc struct {
	HandlerFunc
	types *layouts
}

// Tail is the extension tail of the request, nil when it had none. It is valid until the handler returns.
func (r *Request) Tail() remoting.Tail { return r.tail }

// badArgument makes the answer of an error of reading the argument.
func badArgument(err error) error {
	if _, ok := err.(*value.Error); ok && CodeOf(err) != remoting.Internal {
		return err
	}
	return &Error{Code: remoting.BadRequest, Text: "the argument: " + err.Error()}
}

// badResult makes the answer of an error of writing the result.
func badResult(err error) error {
	return &Error{Code: remoting.Internal, Text: "the result: " + err.Error()}
}
