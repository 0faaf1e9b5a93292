//go:build race

package frame

// raced tells tests that the pool drops buffers on purpose.
const raced = true

// poison fills a buffer that is given back, so that tests under the race detector see who still reads it.
func poison(b []byte) {
	for i := range b {
		b[i] = 0xDB
	}
}
