package rpc

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// itemCost is what an item counts beside its bytes while it waits to be read, on both sides.
const itemCost = 64

// stream is a call that is answered by any number of items.
type stream struct {
	c    *conn
	n    byte // the number, valid while live
	flag byte // of the request
	call verdict
	json bool // it was asked for as lossless JSON

	mu       sync.Mutex
	items    []item
	size     int  // bytes that wait to be read
	consumed int  // bytes read since the last credit
	came     bool // an item did
	over     bool
	err      error
	wake     chan struct{}
}

type item struct {
	data []byte // nil: none
	enc  remoting.Encoding
}

// ends tells whether a frame is the last of the stream. The connection's lock is held.
func (s *stream) ends(f frame.Frame) bool {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	return err != nil || remoting.StreamEnd(s.flag, f, m.Data) || s.whole(f, &m)
}

// whole tells whether a frame is the answer of an action that has no stream: a peer of ours would have marked an item.
func (s *stream) whole(f frame.Frame, m *remoting.Message) bool {
	return m.Tail != nil && f.Flag()&s.flag&remoting.StreamBits == remoting.StreamBits
}

// take gets a frame of the stream from the connection's reader.
func (s *stream) take(f frame.Frame) {
	m, err := s.c.open(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over:
		return
	case err != nil:
		s.over, s.err = true, err
	case remoting.StreamEnd(s.flag, f, m.Data):
		s.over = true
	case s.size > foreignWindow: // a peer that counts stops before, but for one item
		s.over, s.err = true, unknown(ErrSlowConsumer)
		go s.stop()
	default:
		i := item{enc: m.Tail.Body()}
		if m.Data != nil {
			i.data = append([]byte{}, m.Data...)
		}
		s.items, s.came = append(s.items, i), true
		s.size += len(m.Data) + itemCost
		s.over = s.whole(f, &m)
	}
	s.signal()
}

// begun tells whether anything of the stream has come.
func (s *stream) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.came
}

// fail ends the stream with the connection.
func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over, s.err = true, err
		s.signal()
	}
}

func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// stop gives the stream up: the peer is told.
func (s *stream) stop() {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls.tab != nil && c.calls.tab.Rare(s.n).stream() == s {
		c.abandon(s.n, context.Canceled)
	}
}

// next waits for an item; ok is false at the end.
func (s *stream) next(ctx context.Context) (i item, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return item{}, false, unknown(err)
		}
		s.mu.Lock()
		if len(s.items) > 0 {
			i, s.items = s.items[0], s.items[1:]
			s.size -= len(i.data) + itemCost
			s.consumed += len(i.data) + itemCost
			credit := 0
			if s.consumed >= creditWindow/2 && !s.over {
				credit, s.consumed = s.consumed, 0
			}
			s.mu.Unlock()
			if credit > 0 {
				s.credit(credit)
			}
			return i, true, nil
		}
		if s.over {
			defer s.mu.Unlock()
			return item{}, false, s.err
		}
		s.mu.Unlock()
		select {
		case <-s.wake:
		case <-ctx.Done():
			return item{}, false, unknown(ctx.Err())
		}
	}
}

// credit allows the peer to send more.
func (s *stream) credit(n int) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls.tab == nil || c.calls.tab.Rare(s.n).stream() != s || c.peer.Load() != peerOurs || c.shut {
		return
	}
	k := c.write.open()
	k.b = remoting.AppendControl(k.b, remoting.Credit, s.n, remoting.AppendCredit(remoting.Tail{}, uint64(n)))
	c.flush(false, true)
}

// openStream makes a call that is answered by a stream.
func (c *conn) openStream(ctx context.Context, m *outgoing) (*stream, error) {
	if !c.cfg.envelope {
		return nil, notSent(errNoStream)
	}
	m.flag |= remoting.StreamBits
	ca := c.cfg.getCall()
	defer c.cfg.putCall(ca)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.enter(ctx, ca, m); err != nil {
		return nil, notSent(err)
	}
	if c.calls.side.streams >= c.cfg.lim.Streams {
		c.grant()
		return nil, notSent(ErrBusy)
	}
	n, _ := c.calls.tab.Put()
	s := &stream{c: c, n: n, flag: m.flag, wake: make(chan struct{}, 1)}
	c.calls.tab.Keep(n).more = &slotMore{stream: s}
	if err := c.append(m, n, true); err != nil {
		c.calls.tab.Undo(n)
		c.grant()
		return nil, notSent(err)
	}
	c.calls.side.streams++
	if c.read.role == readNobody {
		c.give()
	}
	c.sendCall()
	return s, nil
}

// Stream calls an action that answers with a stream, and ranges over its items. Leaving the loop early tells the peer to stop.
// An error ends the loop: it is the second value of its last round. Login, repeating and further connections are for
// calls with one answer, and CallTimeout is too: a stream waits under ctx.
func Stream[Item any](ctx context.Context, cl *Client, action string, arg any) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var zero Item
		s, err := cl.stream(ctx, action, arg, typeOf[*Item]())
		if err != nil {
			yield(zero, err)
			return
		}
		defer func() { s.close() }()
		for first := true; ; first = false {
			i, ok, err := s.next(ctx)
			if first && s.again(err) { // as lossless JSON
				s.close()
				if s, err = cl.stream(ctx, action, arg, typeOf[*Item]()); err != nil {
					s = nil
					yield(zero, err)
					return
				}
				i, ok, err = s.next(ctx)
			}
			if err != nil {
				yield(zero, named(err, action))
				return
			}
			if !ok {
				return
			}
			var v Item
			if p, ok := any(&v).(*value.Packet); ok && i.enc != remoting.Span {
				*p = i.data // a copy already
			} else if err := s.c.decode(i.data, i.enc, &v); err != nil {
				yield(zero, &CallError{Action: action, Outcome: Answered, Err: fmt.Errorf("an item: %w", err)})
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// again tells whether the answer is that the peer has another layout, and that this is news.
func (s *stream) again(err error) bool {
	if err == nil || s.json || !otherLayout(err) {
		return false
	}
	s.c.judge(s.call, err)
	return true
}

// close ends the use of the stream on this side.
func (s *stream) close() {
	if s == nil {
		return
	}
	s.stop()
	s.c.mu.Lock()
	s.c.calls.side.streams--
	s.c.mu.Unlock()
}

// stream makes the call of Stream.
func (cl *Client) stream(ctx context.Context, action string, arg any, item reflect.Type) (*stream, error) {
	if cl.invoke == nil {
		return cl.openStream(ctx, action, arg, item)
	}
	c := Call{Action: action, Kind: CallStreamed, Arg: arg, item: item}
	err := cl.invoke(ctx, &c)
	if err == nil && c.stream == nil {
		err = named(notSent(errNotOpened), action)
	}
	if err != nil && c.stream != nil {
		c.stream.close() // an interceptor has thought better of it
	}
	return c.stream, err
}

// errNotOpened is of interceptors that have not made the call.
var errNotOpened = errors.New("rpc: an interceptor has opened no stream")

// openStream is stream without interceptors.
func (cl *Client) openStream(ctx context.Context, action string, arg any, item reflect.Type) (*stream, error) {
	c, err := cl.pick(ctx)
	if err == nil {
		err = c.know(ctx)
	}
	if err != nil {
		return nil, named(err, action)
	}
	v := verdict{action, reflect.TypeOf(arg), item}
	json := c.ours() && c.verdicts().has(&v)
	k := newBuffer()
	defer k.free()
	members, _ := cl.members()
	m, err := c.encode(ctx, k, action, arg, item, members, json)
	if err != nil {
		return nil, named(notSent(err), action)
	}
	s, err := c.openStream(ctx, &m)
	if err == nil {
		s.call, s.json = v, json
	}
	return s, named(err, action)
}
