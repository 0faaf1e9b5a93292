//go:build purego

package span

// numberBytes never gives memory: that takes package unsafe.
func numberBytes[T fixedNumber]([]T) ([]byte, bool) { return nil, false }

// intBytes never gives memory.
func intBytes[T platformInt]([]T) ([]byte, bool) { return nil, false }

// At is b[i:].
func At(b []byte, i int) []byte { return b[i:] }
