package rpctest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
)

// Play plays the side me of the transcript on rw: it sends that side's bytes in their order, and reads what the peer sends in
// between and compares it. Where the peer sends several steps in a row their order counts, unless anyOrder: then each must
// come once, whole, wherever (servers answer in order of completion).
//
// The end of the peer's side must be an end of file; one's own is CloseWrite, or Close where there is none of that, and then
// the peer's end is not looked at. The error names the line. Reads and writes have no time limit but rw's own. Play leaves a goroutine that reads rw until rw is closed
// or ends.
func (t *Transcript) Play(rw io.ReadWriter, me Side, anyOrder bool) error {
	p := player{rw: rw, in: make(chan []byte), stop: make(chan struct{})}
	defer close(p.stop)
	go p.read()
	for i := 0; i < len(t.Steps); {
		n := 1
		for i+n < len(t.Steps) && t.Steps[i+n].From == t.Steps[i].From {
			n++
		}
		group := t.Steps[i : i+n]
		i += n
		var err error
		if group[0].From == me {
			err = p.send(group)
		} else {
			err = p.expect(group, anyOrder)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// player is a conversation that is being played.
type player struct {
	rw   io.ReadWriter
	in   chan []byte // what the reading goroutine has read; closed at the end
	stop chan struct{}
	err  error  // why in is closed, when it is
	rest []byte // read and not compared

	closed atomic.Bool // by this side
}

func (p *player) read() {
	defer close(p.in)
	for {
		b := make([]byte, 4096)
		n, err := p.rw.Read(b)
		if n > 0 {
			select {
			case p.in <- b[:n]:
			case <-p.stop:
				return
			}
		}
		if err != nil {
			p.err = err
			return
		}
	}
}

// send writes the steps, taking in what comes meanwhile.
func (p *player) send(steps []Step) error {
	for i := range steps {
		k := &steps[i]
		done := make(chan error, 1)
		go func() {
			if k.End {
				done <- p.end()
				return
			}
			_, err := p.rw.Write(k.Bytes)
			done <- err
		}()
		in := p.in
		for sent := false; !sent; {
			select {
			case err := <-done:
				if err != nil {
					return k.failed("sending: %w", err)
				}
				sent = true
			case b, ok := <-in:
				if !ok {
					in = nil // it has ended; the write tells why
					break
				}
				p.rest = append(p.rest, b...)
			}
		}
	}
	return nil
}

// end ends what this side sends; without a half close it closes, and nothing more can be read.
func (p *player) end() error {
	if c, ok := p.rw.(interface{ CloseWrite() error }); ok {
		if err := c.CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if c, ok := p.rw.(io.Closer); ok {
		p.closed.Store(true)
		return c.Close()
	}
	return nil
}

// expect compares what comes with the steps.
func (p *player) expect(steps []Step, anyOrder bool) error {
	for len(steps) > 0 && !steps[0].End {
		if !anyOrder {
			if err := p.one(&steps[0]); err != nil {
				return err
			}
			steps = steps[1:]
			continue
		}
		n := 0
		for n < len(steps) && !steps[n].End {
			n++
		}
		if err := p.some(steps[:n]); err != nil {
			return err
		}
		steps = steps[n:]
	}
	if len(steps) == 0 {
		return nil
	}
	if !p.fill(1) && (errors.Is(p.err, io.EOF) || p.closed.Load()) {
		return nil
	}
	return steps[0].failed("want the end, got %x (%v)", p.rest, p.err)
}

// fill reads until n bytes are there, and tells whether they are.
func (p *player) fill(n int) bool {
	for len(p.rest) < n {
		b, ok := <-p.in
		if !ok {
			return false
		}
		p.rest = append(p.rest, b...)
	}
	return true
}

// one compares the next bytes with a step.
func (p *player) one(k *Step) error {
	for n := 1; n <= len(k.Bytes); n++ { // a difference shows as soon as it is there
		if !p.fill(n) {
			return k.failed("got %x, then %w; want %s", p.rest, p.why(), k.text())
		}
		if p.rest[n-1] != k.Bytes[n-1] && (k.Any == nil || !k.Any[n-1]) {
			p.fill(min(len(k.Bytes), len(p.rest)))
			return k.failed("byte %d differs\ngot  %x\nwant %s", n-1, p.rest[:min(len(p.rest), len(k.Bytes))], k.text())
		}
	}
	p.rest = p.rest[len(k.Bytes):]
	return nil
}

func (p *player) why() error {
	if p.err == nil || errors.Is(p.err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return p.err
}

// some compares the next bytes with steps in any order.
func (p *player) some(steps []Step) error {
	left := append([]Step(nil), steps...)
	for len(left) > 0 {
		var can []int // steps that may stand in front, and lead to an order of all
		for i := range left {
			if first(left, i) && begins(p.rest, left, i) {
				can = append(can, i)
			}
		}
		switch {
		case len(can) == 0:
			return left[0].failed("no step of this group is\n%x", p.rest)
		case len(can) == 1 && len(p.rest) >= len(left[can[0]].Bytes): // no other is possible, whatever comes
			p.rest = p.rest[len(left[can[0]].Bytes):]
			left = slices.Delete(left, can[0], can[0]+1)
		case len(p.rest) >= total(left): // any of them will do
			p.rest = p.rest[total(left):]
			return nil
		case !p.fill(len(p.rest) + 1):
			return left[0].failed("got %x, then %w; want %s", p.rest, p.why(), left[0].text())
		}
	}
	return nil
}

// begins tells whether got may be the beginning of the steps in some order with step i in front: one step may be the beginning
// of another, or match more than one, so that taking the first that fits would be wrong.
func begins(got []byte, steps []Step, i int) bool {
	k := &steps[i]
	n := min(len(got), len(k.Bytes))
	head := Step{Bytes: k.Bytes[:n]}
	if k.Any != nil {
		head.Any = k.Any[:n]
	}
	if !head.matches(got[:n]) {
		return false
	}
	got = got[n:]
	if len(got) == 0 {
		return true
	}
	rest := slices.Delete(slices.Clone(steps), i, i+1)
	for j := range rest {
		if first(rest, j) && begins(got, rest, j) {
			return true
		}
	}
	return len(rest) == 0 // what follows belongs to others
}

// total is the number of bytes of steps.
func total(steps []Step) (n int) {
	for i := range steps {
		n += len(steps[i].Bytes)
	}
	return n
}

// first tells that no step before step i is the same.
func first(steps []Step, i int) bool {
	for j := range i {
		if bytes.Equal(steps[j].Bytes, steps[i].Bytes) && slices.Equal(steps[j].Any, steps[i].Any) {
			return false
		}
	}
	return true
}

// text is the step's bytes as they stand in a file.
func (k *Step) text() string {
	s := string((&Step{From: k.From, Bytes: k.Bytes, Any: k.Any}).append(nil)[2:])
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n+ ", "")
}

func (k *Step) failed(format string, args ...any) error {
	return fmt.Errorf("rpctest: line %d: "+format, append([]any{k.Line}, args...)...)
}
