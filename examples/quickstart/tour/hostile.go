package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spanwire/spanwire/span"
)

// claim is a Batch of seven bytes that says it has 268,435,455 elements.
var claim = []byte{0xff, 0xff, 0xff, 0x7f, 1, 2, 3}

// showHostile reads messages that somebody has made to do harm.
func showHostile(w io.Writer) error {
	title(w, "6. Hostile messages: an error that says where, and no memory for promises")
	good, err := span.Marshal(&simple)
	if err != nil {
		return err
	}
	flipped := append([]byte(nil), good...)
	flipped[12] = 7 // IsActive
	for _, c := range []struct {
		what  string
		bytes []byte
		into  any
	}{
		{"7 bytes that claim 268,435,455 elements", claim, new(Batch)},
		{"a message that was cut", good[:20], new(Simple)},
		{"a message with a byte too many", append(append([]byte(nil), good...), 0), new(Simple)},
		{"a bool that is 7", flipped, new(Simple)},
	} {
		size, err := refused(c.bytes, c.into)
		if err == nil {
			return errors.New(c.what + ": was read")
		}
		fmt.Fprintf(w, "%s:\n    %v (%d bytes allocated)\n", c.what, err, size)
	}
	return nil
}

// refused reads a message and returns the memory that it took and the error.
func refused(b []byte, into any) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := span.Unmarshal(b, into)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}
