package rpctest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Sample is what a codec is proven with.
type Sample struct {
	// Frames are frames that the codec can write and read back as they are. Short ones make the suite quick; the fields of
	// frame.Frame that the codec does not carry must be zero.
	Frames []frame.Frame
	// Bad are streams, each of good frames and then bytes that the codec must refuse.
	Bad [][]byte
	// Allocates allows ParseFrame to allocate.
	Allocates bool
}

// Codec runs the conformance suite as subtests of t. It proves what frame.Codec asks for: that frames are written behind what
// is there and read back; that their size is known; that every beginning of a frame needs more and is no error; that a stream
// of frames gives the same frames however it is cut, in both forms of frame.Reader; that bad bytes are an *frame.Error at the
// same frame wherever they are cut; that input is neither changed nor read out of bounds; that nothing is shared between
// goroutines.
func Codec(t *testing.T, c frame.Codec, s Sample) {
	if len(s.Frames) == 0 {
		t.Fatal("rpctest: no frames to prove the codec with")
	}
	for _, k := range checks {
		t.Run(k.name, func(t *testing.T) {
			if err := k.run(c, s); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// checks are the parts of the suite.
var checks = []struct {
	name string
	run  func(frame.Codec, Sample) error
}{
	{"append", checkAppend}, {"parse", checkParse}, {"cut", checkCut}, {"stream", checkStream}, {"bad", checkBad},
	{"mutated", checkMutated}, {"limit", checkLimit}, {"allocations", checkAllocations}, {"concurrent", checkConcurrent},
}

func same(f, g frame.Frame) bool {
	return f.Head == g.Head && f.Seq == g.Seq && f.Key == g.Key && bytes.Equal(f.Payload, g.Payload)
}

// checkAppend: behind what is there, of the size that was told, without touching the payload.
func checkAppend(c frame.Codec, s Sample) error {
	for i, f := range s.Frames {
		before := bytes.Clone(f.Payload)
		want, err := c.AppendFrame(nil, f)
		if err != nil {
			return fmt.Errorf("frame %d: AppendFrame: %w", i, err)
		}
		if n := c.SizeFrame(f); n != len(want) {
			return fmt.Errorf("frame %d: SizeFrame says %d, AppendFrame wrote %d bytes", i, n, len(want))
		}
		for _, room := range []int{0, 1, len(want), 2 * len(want)} {
			b := append(make([]byte, 0, 3+room), "pre"...)
			got, err := c.AppendFrame(b, f)
			if err != nil || !bytes.HasPrefix(got, []byte("pre")) || !bytes.Equal(got[3:], want) {
				return fmt.Errorf("frame %d: behind %q AppendFrame made %.80x, %v; want %.80x", i, "pre", got, err, want)
			}
		}
		if !bytes.Equal(f.Payload, before) {
			return fmt.Errorf("frame %d: AppendFrame changed the payload", i)
		}
	}
	return nil
}

// checkParse: what was written, whatever stands behind it, within the input and without changing it.
func checkParse(c frame.Codec, s Sample) error {
	for i, f := range s.Frames {
		b, err := c.AppendFrame(nil, f)
		if err != nil {
			return err
		}
		size := len(b)
		next, _ := c.AppendFrame(nil, s.Frames[0])
		for _, behind := range [][]byte{nil, {0}, {0xFF}, next} {
			in := append(bytes.Clone(b), behind...)
			before := bytes.Clone(in)
			g, n, err := c.ParseFrame(in)
			if err != nil || n != size || !same(f, g) {
				return fmt.Errorf("frame %d with %d bytes behind: ParseFrame gives %d bytes, %v, %v; want %d, %v", i, len(behind), n, err, g, size, f)
			}
			if !bytes.Equal(in, before) {
				return fmt.Errorf("frame %d: ParseFrame changed its input", i)
			}
			if cap(g.Payload) > len(g.Payload) && len(g.Payload) > 0 {
				return fmt.Errorf("frame %d: appending to the payload would overwrite what stands behind the frame", i)
			}
		}
	}
	return nil
}

// checkCut: every beginning needs more.
func checkCut(c frame.Codec, s Sample) error {
	for i, f := range s.Frames {
		b, err := c.AppendFrame(nil, f)
		if err != nil {
			return err
		}
		for k := range b {
			if _, n, err := c.ParseFrame(b[:k:k]); n != 0 || err != nil {
				return fmt.Errorf("frame %d cut at %d of %d: got %d bytes, %v; want need more", i, k, len(b), n, err)
			}
		}
	}
	return nil
}

func checkStream(c frame.Codec, s Sample) error {
	var b []byte
	var err error
	for _, f := range s.Frames {
		if b, err = c.AppendFrame(b, f); err != nil {
			return err
		}
	}
	return agree(c, b, result{frames: s.Frames})
}

// checkBad: refused with the right error, at the same frame wherever it is cut.
func checkBad(c frame.Codec, s Sample) error {
	for i, b := range s.Bad {
		want := read(c, [][]byte{b}, 0)
		var e *frame.Error
		if !errors.Is(want.err, frame.ErrMalformed) || !errors.As(want.err, &e) {
			return fmt.Errorf("bad stream %d: got %v, want an *frame.Error that is frame.ErrMalformed", i, want.err)
		}
		if e.Codec == "" || e.Reason == nil || e.Offset < 0 || e.Offset > int64(len(b)) {
			return fmt.Errorf("bad stream %d: error without codec, reason or place: %#v", i, e)
		}
		if err := agree(c, b, want); err != nil {
			return fmt.Errorf("bad stream %d: %w", i, err)
		}
	}
	return nil
}

// checkMutated: streams with changed bytes give the same wherever they are cut, and nothing beyond themselves.
func checkMutated(c frame.Codec, s Sample) error {
	rnd := rand.New(rand.NewPCG(2, 3))
	for i := range s.Frames {
		var b []byte
		for j := range min(3, len(s.Frames)) {
			b, _ = c.AppendFrame(b, s.Frames[(i+j)%len(s.Frames)])
		}
		if b = b[:min(len(b), 400)]; len(b) == 0 {
			continue
		}
		for range 10 {
			m := bytes.Clone(b)
			for range 1 + rnd.IntN(3) {
				m[rnd.IntN(len(m))] = byte(rnd.Uint32())
			}
			f, n, err := c.ParseFrame(m)
			if n < 0 || n > len(m) || err != nil && n != 0 || len(f.Payload) > n {
				return fmt.Errorf("%x: ParseFrame gives %d of %d bytes, %v, %v", m, n, len(m), f, err)
			}
			want := read(c, [][]byte{m}, 0)
			for _, way := range []int{0, 1, 2} {
				var pieces [][]byte
				for k := range m {
					pieces = append(pieces, m[k:k+1])
				}
				if err := read(c, pieces, way).differ(want); err != nil {
					return fmt.Errorf("%x byte by byte: %w", m, err)
				}
			}
		}
	}
	return nil
}

// checkLimit: a payload over the limit is not written.
func checkLimit(c frame.Codec, s Sample) error {
	l, ok := c.(frame.Limiter)
	if !ok {
		return nil
	}
	const most = 64 << 20
	n := l.MaxFrame()
	if n <= 0 || n > most {
		return nil // too much for a test
	}
	f := s.Frames[0]
	f.Payload = bytes.Repeat([]byte("1"), n+1)
	b, err := c.AppendFrame([]byte("pre"), f)
	if err == nil || string(b) != "pre" {
		return fmt.Errorf("a payload of %d bytes, over the limit, gave %d bytes and %v", n+1, len(b), err)
	}
	return nil
}

func checkAllocations(c frame.Codec, s Sample) error {
	for i, f := range s.Frames {
		b, _ := c.AppendFrame(nil, f)
		if n := testing.AllocsPerRun(20, func() { _, _, _ = c.ParseFrame(b) }); n != 0 && !s.Allocates {
			return fmt.Errorf("frame %d: ParseFrame allocates %v times", i, n)
		}
	}
	return nil
}

// checkConcurrent uses one codec from several goroutines; the race detector sees what they share.
func checkConcurrent(c frame.Codec, s Sample) error {
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { errs[i] = errors.Join(checkAppend(c, s), checkParse(c, s)) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
