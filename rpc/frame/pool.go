package frame

import (
	"math/bits"
	"sync"
)

// Buffers of a power of two from 512 bytes to 64 KiB are pooled by size. Larger ones are exactly as large as was asked for, and go
// to the next who needs one of about that size, unless the garbage collector takes them first.
const (
	minClass = 9
	maxClass = 16
	topClass = 24
	trusted  = 1 << maxClass // an announced length sizes a buffer up to here, no further
)

// block is a pooled buffer; a pointer to it goes in and out of the pool without allocating.
type block struct{ b []byte }

var blocks [topClass - minClass + 1]sync.Pool

// newBlock returns a buffer of at least n bytes: a power of two up to 64 KiB, exactly n beyond.
func newBlock(n int) *block {
	class := max(classOf(n), minClass)
	if class > topClass {
		return &block{make([]byte, n)}
	}
	k, ok := blocks[class-minClass].Get().(*block)
	switch {
	case n > trusted && (!ok || cap(k.b) < n):
		return &block{make([]byte, n)}
	case n > trusted:
		k.b = k.b[:n]
	case !ok:
		return &block{make([]byte, 1<<class)}
	}
	return k
}

// classOf is the power of two that holds n bytes.
func classOf(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// free gives k back. Under the race detector its bytes are overwritten.
func (k *block) free() {
	if k == nil {
		return
	}
	poison(k.b)
	if class := classOf(cap(k.b)); class <= topClass {
		blocks[class-minClass].Put(k)
	}
}
