package rpctest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spanwire/spanwire/rpc/frame"
)

// result is what a Reader makes of a stream.
type result struct {
	frames []frame.Frame
	err    error
}

// read runs a Reader over pieces: way 0 feeds, 1 pulls, 2 takes turns.
func read(c frame.Codec, pieces [][]byte, way int) (r result) {
	d := frame.NewReader(c)
	take := func(f frame.Frame) {
		f.Payload = bytes.Clone(f.Payload)
		r.frames = append(r.frames, f)
	}
	for i, p := range pieces {
		if way == 0 || way == 2 && i%2 == 0 {
			if r.err = d.Feed(bytes.Clone(p), take); r.err != nil {
				return r
			}
			continue
		}
		for len(p) > 0 {
			n := copy(d.Space(), p)
			d.Wrote(n)
			p = p[n:]
			for {
				f, ok := d.Next()
				if !ok {
					break
				}
				take(f)
			}
			if r.err = d.Err(); r.err != nil {
				return r
			}
		}
	}
	return r
}

// differ tells how two results differ. Of errors it counts that there is one, and the place.
func (r result) differ(want result) error {
	if len(r.frames) != len(want.frames) {
		return fmt.Errorf("%d frames, want %d", len(r.frames), len(want.frames))
	}
	for i := range want.frames {
		if !same(r.frames[i], want.frames[i]) {
			return fmt.Errorf("frame %d is %v, want %v", i, r.frames[i], want.frames[i])
		}
	}
	if (r.err != nil) != (want.err != nil) {
		return fmt.Errorf("error %v, want %v", r.err, want.err)
	}
	var e, w *frame.Error
	if errors.As(r.err, &e) && errors.As(want.err, &w) && e.Offset != w.Offset {
		return fmt.Errorf("error at byte %d, want %d", e.Offset, w.Offset)
	}
	return nil
}

// everyCut calls try with b in one piece, byte by byte, in two pieces at every place and in pieces at random.
func everyCut(b []byte, try func(pieces [][]byte) error) error {
	var single [][]byte
	for i := range b {
		single = append(single, b[i:i+1])
	}
	all := [][][]byte{{b}, single}
	step := 1 + len(b)/300
	for i := 1; i < len(b); i += step {
		all = append(all, [][]byte{b[:i], b[i:]})
	}
	rnd := rand.New(rand.NewPCG(1, uint64(len(b))))
	for range 20 {
		var pieces [][]byte
		for rest := b; len(rest) > 0; {
			n := min(len(rest), 1+rnd.IntN(1+len(b)/3))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		all = append(all, pieces)
	}
	for _, pieces := range all {
		if err := try(pieces); err != nil {
			return fmt.Errorf("in %d pieces, the first of %d bytes: %w", len(pieces), len(pieces[0]), err)
		}
	}
	return nil
}

// agree checks that every way to read b gives what want is.
func agree(c frame.Codec, b []byte, want result) error {
	if len(b) == 0 {
		return nil
	}
	return everyCut(b, func(pieces [][]byte) error {
		for way, name := range []string{"feed", "pull", "mixed"} {
			if err := read(c, pieces, way).differ(want); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}
