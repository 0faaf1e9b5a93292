package rpc

import "sync"

// buffer is a pooled byte slice, and how far it has been written.
type buffer struct {
	b          []byte
	done       int
	err        error // of the attempt to write
	replyBytes int   // of it that are replies
	replies    int   // how many they are
	part       bool  // bytes of somebody else: part of a reply
}

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, 1<<10)} }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free gives k back; large ones go to the garbage collector.
func (k *buffer) free() {
	if k == nil || cap(k.b) > keptBuffer {
		return
	}
	spoil(k.b)
	k.empty()
	buffers.Put(k)
}

// empty makes k ready to be used again.
func (k *buffer) empty() { *k = buffer{b: k.b[:0]} }

// spoil overwrites a buffer that nobody may use any more, so that tests see it when somebody does.
func spoil(b []byte) {
	if raceEnabled {
		b = b[:cap(b)]
		for i := range b {
			b[i] = 0xDB
		}
	}
}
