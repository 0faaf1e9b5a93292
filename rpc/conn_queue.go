package rpc

import "sync/atomic"

// writeSide is what writing takes.
type writeSide struct {
	buf        *buffer // frames to be written, nil when there are none
	shelf      *shelf  // more of them, before those; nil when there are none
	spare      *buffer
	cur        *buffer              // what is written next, or being written
	tries      *buffer              // what is written to the socket at this moment
	replyBytes int                  // of replies that are not sent
	load       atomic.Pointer[load] // nil while little was ever held: see conn_charge.go
	stall      *stall               // of the writer goroutine, nil when it does not wait
	replies    int32                // how many replies are not sent
	flushing   bool                 // somebody writes, or is about to
	writing    bool                 // cur belongs to who writes it
	corked     bool                 // callbacks run: what they send is only queued
	waits      bool                 // somebody waits for what is being written
}

// open returns the buffer to append frames to.
func (w *writeSide) open() *buffer {
	if w.buf != nil && len(w.buf.b) >= bufferFull {
		w.shelve()
	}
	if w.buf == nil {
		if w.buf = w.spare; w.buf != nil {
			w.spare = nil
		} else {
			w.buf = newBuffer()
		}
	}
	return w.buf
}

// shelf is buffers that are full: what waits for the peer is not copied whenever more comes.
type shelf struct {
	full  []*buffer
	bytes int
}

// shelve puts the buffer that frames are appended to behind the full ones.
func (w *writeSide) shelve() {
	if w.shelf == nil {
		w.shelf = new(shelf)
	}
	w.shelf.full = append(w.shelf.full, w.buf)
	w.shelf.bytes += len(w.buf.b)
	w.buf = nil
}

// link queues a buffer of whole frames.
func (w *writeSide) link(k *buffer) {
	if w.buf != nil {
		if len(w.buf.b) > 0 {
			w.shelve()
		} else {
			w.buf.free()
		}
	}
	w.buf = k
}

// next takes the buffer that is to be written next.
func (w *writeSide) next() (k *buffer) {
	if s := w.shelf; s == nil {
		k, w.buf = w.buf, nil
	} else {
		k, s.full[0] = s.full[0], nil
		s.bytes -= len(k.b)
		if s.full = s.full[1:]; len(s.full) == 0 {
			w.shelf = nil
		}
	}
	return k
}

// queued tells whether there are frames to write.
func (w *writeSide) queued() bool { return w.buf != nil && len(w.buf.b) > 0 || w.shelf != nil }

// backlog is how many bytes wait for the peer.
func (w *writeSide) backlog() int {
	n := 0
	if w.cur != nil {
		n = len(w.cur.b)
	}
	if w.buf != nil {
		n += len(w.buf.b)
	}
	if w.shelf != nil {
		n += w.shelf.bytes
	}
	return n
}

// freeSpare gives the buffer back that is kept for what is queued next.
func (w *writeSide) freeSpare() {
	if w.spare != nil {
		w.spare.free()
		w.spare = nil
	}
}
