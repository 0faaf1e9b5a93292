package frame

import (
	"math/bits"
	"sync"
)

// Buffers of a power of two from 512 bytes to 64 KiB are pooled by size. Larger ones are exactly as large as was asked for, and belong to the
// garbage collector when they are given back: what a pool keeps nobody is charged for.
const (
	minClass = 9
	maxClass = 16
	trusted  = 1 << maxClass // an announced length sizes a buffer up to here, no further
)

// block is a pooled buffer; a pointer to it goes in and out of the pool without allocating.
type block struct{ b []byte }

var blocks [maxClass - minClass + 1]sync.Pool

// newBlock returns a buffer of at least n bytes: a power of two up to 64 KiB, exactly n beyond.
func newBlock(n int) *block {
	if n > trusted {
		return &block{make([]byte, n)}
	}
	class := max(classOf(n), minClass)
	if k, ok := blocks[class-minClass].Get().(*block); ok {
		return k
	}
	return &block{make([]byte, 1<<class)}
}

// classOf is the power of two that holds n bytes.
func classOf(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// free gives k back. Under the race detector its bytes are overwritten.
func (k *block) free() {
	if k == nil {
		return
	}
	poison(k.b)
	if len(k.b) <= trusted {
		blocks[classOf(len(k.b))-minClass].Put(k)
	}
}
