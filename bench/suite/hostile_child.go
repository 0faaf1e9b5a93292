package suite

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/spanwire/spanwire/bench/ser"
)

// counts is shared between a row's process and its parent, and outlives crashes.
type counts struct {
	started, done, next            int64 // next: the case to go on with
	prefixes, prefixAccepted       int64 // a cut message must be an error
	changes, accepted, different   int64 // different: accepted, but not the bytes that its value encodes to
	panics, crashes, hangs         int64
	mostAlloc, mostInput, overMiB  int64 // of one case
	crashedAt, crashLen, sizeBytes int64
}

const countsSize = int(unsafe.Sizeof(counts{}))

func (c *counts) named() map[string]int64 {
	return map[string]int64{
		"prefixes": c.prefixes, "prefix accepted": c.prefixAccepted, "changes": c.changes, "accepted": c.accepted,
		"different": c.different, "panics": c.panics, "crashes": c.crashes, "hangs": c.hangs, "most alloc": c.mostAlloc,
		"most input": c.mostInput, "over MiB": c.overMiB, "bytes": c.sizeBytes,
	}
}

func mapCounts(file string) (*counts, func(), error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := unix.Mmap(int(f.Fd()), 0, countsSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return (*counts)(unsafe.Pointer(unsafe.SliceData(b))), func() { unix.Munmap(b) }, nil
}

// HostileChild is the whole program when its role is hostile.
func HostileChild(args []string) error {
	row, model, file := args[0], args[1], args[2]
	c, _, err := mapCounts(file)
	if err != nil {
		return err
	}
	r := ser.ByName(row)
	if r == nil {
		return fmt.Errorf("no row %q", row)
	}
	codec, err := r.Codec(model)
	if err != nil {
		return err
	}
	w, err := codec.Worker()
	if err != nil {
		return err
	}
	limit := unix.Rlimit{Cur: hostileMemory, Max: hostileMemory}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
		return err
	}
	debug.SetMemoryLimit(hostileMemory / 2)
	msg := w.Messages()[0]
	c.sizeBytes = int64(len(msg))
	if _, err := w.Decode(msg); err != nil { // what is compiled or cached at first use is not the message's
		return err
	}
	c.started = 1
	i := int64(0)
	cases(msg, func(in []byte, prefix bool) {
		if i++; i <= c.next {
			return // done by a process before this one
		}
		atomic.StoreInt64(&c.next, i)
		try(c, w, in, prefix)
	})
	c.done = 1
	return nil
}

// cases makes the damaged messages. in is valid inside f only.
func cases(msg []byte, f func(in []byte, prefix bool)) {
	for n := range msg {
		f(bytes.Clone(msg[:n]), true)
	}
	for i, old := range msg {
		changes := []byte{old ^ 1, old ^ 0x80, old + 1, old - 1, 0, 0x7f, 0x80, 0xff}
		if len(msg) > 1000 {
			changes = []byte{old ^ 1, old ^ 0x80, 0xff}
		}
		for _, b := range changes {
			if b == old {
				continue
			}
			in := bytes.Clone(msg)
			in[i] = b
			f(in, false)
		}
	}
	for i := range msg {
		for _, bomb := range [][]byte{
			{0xff, 0xff, 0xff, 0xff, 0x07}, {0xff, 0xff, 0xff, 0x7f}, {0x7f, 0xff, 0xff, 0xff},
			{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		} {
			in := bytes.Clone(msg)
			copy(in[i:], bomb)
			f(in, false)
			if len(msg) <= 1000 {
				f(append(bytes.Clone(msg[:i]), bomb...), false)
			}
		}
	}
}

var stats runtime.MemStats

// allocated is exact: it stops the program to add up what each processor counts.
func allocated() int64 {
	runtime.ReadMemStats(&stats)
	return int64(stats.TotalAlloc)
}

// try decodes one damaged message.
func try(c *counts, w ser.Worker, in []byte, prefix bool) {
	if prefix {
		c.prefixes++
	} else {
		c.changes++
	}
	defer func() {
		if recover() != nil {
			c.panics++
		}
	}()
	before := allocated()
	again, err := w.Decode(in)
	took := allocated() - before
	if took > c.mostAlloc {
		c.mostAlloc, c.mostInput = took, int64(len(in))
	}
	if took > 1<<20 {
		c.overMiB++
	}
	if err != nil {
		return
	}
	if prefix {
		c.prefixAccepted++
		return
	}
	c.accepted++
	if out, err := again(); err != nil || !bytes.Equal(out, in) {
		c.different++
	}
}
