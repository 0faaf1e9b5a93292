package frame

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// The reference: how each codec's frames are found when all bytes are at hand, written for plainness. It returns the frame and
// its size, 0 for need more, or that the bytes are bad.
type reference func(b []byte) (g got, n int, bad bool)

const refMax = 1 << 12 // payload limit of the tests

func refStandard(b []byte) (got, int, bool) { return refSRMP(b, refMax) }

func refSRMP(b []byte, max int64) (got, int, bool) {
	if len(b) < 4 {
		return got{}, 0, false
	}
	n, hs := int64(binary.LittleEndian.Uint16(b[2:])), 4
	if n == 0xFFFF {
		if len(b) < 8 {
			return got{}, 0, false
		}
		n, hs = int64(int32(binary.LittleEndian.Uint32(b[4:]))), 8
	}
	if n < 0 || n > max {
		return got{}, 0, true
	}
	if int64(len(b)) < int64(hs)+n {
		return got{}, 0, false
	}
	return got{b[0], b[1], b[hs : hs+int(n)]}, hs + int(n), false
}

func refLength(size, offset int) reference {
	return func(b []byte) (got, int, bool) {
		var n uint64
		w := max(size, -size)
		if len(b) < offset+max(w, 1) {
			return got{}, 0, false
		}
		switch p := b[offset:]; size {
		case 0:
			if n, w = binary.Uvarint(p[:min(len(p), 5)]); w == 0 && len(p) < 5 {
				return got{}, 0, false
			}
			if w <= 0 {
				return got{}, 0, true
			}
		case 1:
			n = uint64(p[0])
		case 2:
			n = uint64(p[1])<<8 | uint64(p[0])
		case -2:
			n = uint64(p[0])<<8 | uint64(p[1])
		case 4:
			n = uint64(binary.LittleEndian.Uint32(p))
		case -4:
			n = uint64(binary.BigEndian.Uint32(p))
		}
		if n > refMax {
			return got{}, 0, true
		}
		end := offset + w + int(n)
		if len(b) < end {
			return got{}, 0, false
		}
		return got{payload: b[offset+w : end]}, end, false
	}
}

func refDelimited(d string) reference {
	return func(b []byte) (got, int, bool) {
		line, _, ok := bytes.Cut(b, []byte(d))
		if len(line) > refMax && (ok || len(line)-len(d)+1 > refMax) {
			return got{}, 0, true
		}
		if !ok {
			return got{}, 0, false
		}
		return got{payload: line}, len(line) + len(d), false
	}
}

// refJSON asks encoding/json about one prefix after the other.
func refJSON(b []byte) (got, int, bool) {
	start := len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
	number := false
	for n := start + 1; n <= len(b); n++ {
		p := b[start:n]
		if len(p) > refMax+1 || nested(p) > DefaultDepth {
			return got{}, 0, true
		}
		var raw json.RawMessage
		switch err := json.Unmarshal(p, &raw); {
		case err == nil:
			last := p[len(p)-1]
			if len(p) <= refMax && (p[0] == '{' || p[0] == '[' || p[0] == '"' || last >= 'a' && last <= 'z') {
				return got{payload: p}, n, false
			}
			if bytes.ContainsAny(p[len(p)-1:], " \t\r\n") {
				return got{payload: p[:len(p)-1]}, n, false
			}
			if len(p) > refMax {
				return got{}, 0, true
			}
			number = true
			continue
		case number && bytes.ContainsAny(p[len(p)-1:], `{["`):
			return got{payload: p[:len(p)-1]}, n - 1, false
		case json.NewDecoder(bytes.NewReader(p)).Decode(&raw) != io.ErrUnexpectedEOF || len(p) > refMax:
			return got{}, 0, true
		}
		number = false
	}
	return got{}, 0, false
}

func nested(p []byte) (deep int) {
	d, in := 0, false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			in = !in
		case in:
		case c == '{' || c == '[':
			d++
			deep = max(deep, d)
		case c == '}' || c == ']':
			d--
		}
	}
	return deep
}

// all runs the reference over the whole stream.
func (r reference) all(b []byte) (fs []got, bad bool) {
	for {
		g, n, bad := r(b)
		if bad || n == 0 {
			return fs, bad
		}
		fs, b = append(fs, g), b[n:]
	}
}

// hidden wraps a codec so that a Reader sees nothing but the interface.
type hidden struct{ Codec }

var codecs = []struct {
	name string
	c    Codec
	ref  reference
	kind int
}{
	{"standard", Standard{Max: refMax}, refStandard, 0},
	{"standard-general", resumed{Standard{Max: refMax}}, refStandard, 0},
	{"standard-hidden", hidden{Standard{Max: refMax}}, refStandard, 0},
	{"lengthfield-1", LengthField{Size: 1, Offset: 2, Max: refMax}, refLength(1, 2), 1},
	{"lengthfield-2", LengthField{Size: 2, Max: refMax}, refLength(2, 0), 1},
	{"lengthfield-4", LengthField{Size: 4, Offset: 3, Max: refMax}, refLength(4, 3), 1},
	{"lengthfield--2", LengthField{Size: -2, Offset: 9, Max: refMax}, refLength(-2, 9), 1},
	{"lengthfield--4", LengthField{Size: -4, Max: refMax}, refLength(-4, 0), 1},
	{"lengthfield-0", LengthField{Offset: 1, Max: refMax}, refLength(0, 1), 1},
	{"delimited", Delimited{Max: refMax}, refDelimited("\r\n"), 2},
	{"delimited-1", Delimited{Delimiter: "\n", Max: refMax}, refDelimited("\n"), 2},
	{"delimited-3", Delimited{Delimiter: "aab", Max: refMax}, refDelimited("aab"), 2},
	{"json", JSON{Max: refMax}, refJSON, 3},
	{"json-hidden", hidden{JSON{Max: refMax}}, refJSON, 3},
}

// resumed sends Standard through the path of the other codecs.
type resumed struct{ Standard }

// sample returns a stream of frames of the codec, mostly good ones.
func sample(rnd *rand.Rand, c Codec, kind int) []byte {
	var out []byte
	for range 1 + rnd.IntN(12) {
		n := rnd.IntN(1 + rnd.IntN(300))
		if rnd.IntN(12) == 0 {
			n = refMax - rnd.IntN(3)
		}
		p := make([]byte, n)
		for i := range p {
			p[i] = "ab\r\n\"{}[],:0\xff"[rnd.IntN(13)]
			if kind == 0 {
				p[i] = byte(rnd.Uint32())
			}
		}
		if kind == 3 {
			p = randomJSON(rnd, 3)
			if rnd.IntN(3) == 0 {
				out = append(out, " \t\r\n"[rnd.IntN(4)])
			}
		}
		f := Frame{Head: byte(rnd.Uint32()), Seq: byte(rnd.Uint32()), Payload: p}
		if b, err := c.AppendFrame(out, f); err == nil {
			out = b
		}
	}
	switch rnd.IntN(6) {
	case 0:
		if len(out) > 0 {
			out[rnd.IntN(len(out))] ^= byte(1 << rnd.IntN(8))
		}
	case 1:
		out = out[:rnd.IntN(len(out)+1)]
	case 2:
		out = append(out, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, byte(rnd.Uint32()), byte(rnd.Uint32()))
	}
	return out
}

func randomJSON(rnd *rand.Rand, depth int) []byte {
	leaf := []any{nil, true, false, 0, -1.5e10, "", "é\"\\\u0001\U0001F600", 12, "plain"}
	var make func(d int) any
	make = func(d int) any {
		switch k := rnd.IntN(4); {
		case d == 0 || k < 2:
			return leaf[rnd.IntN(len(leaf))]
		case k == 2:
			return []any{make(d - 1), make(d - 1)}
		}
		return map[string]any{"a": make(d - 1), "": make(d - 1)}
	}
	b, _ := json.Marshal(make(depth))
	return b
}

// single cuts b into its bytes.
func single(b []byte) (out [][]byte) {
	for i := range b {
		out = append(out, b[i:i+1])
	}
	return out
}

// cuts splits b at random.
func cuts(rnd *rand.Rand, b []byte) (out [][]byte) {
	top := 1 + rnd.IntN(1+rnd.IntN(5000))
	for len(b) > 0 {
		n := min(len(b), 1+rnd.IntN(top))
		out, b = append(out, b[:n:n]), b[n:]
	}
	return out
}

// pullAll is feedAll for the pull form; mix feeds some pieces instead.
func pullAll(rnd *rand.Rand, d *Reader, pieces [][]byte, mix bool) (all []got, err error) {
	take := func(f Frame) { all = append(all, got{f.Head, f.Seq, bytes.Clone(f.Payload)}) }
	for _, p := range pieces {
		if mix && rnd.IntN(2) == 0 {
			if err := d.Feed(p, take); err != nil {
				return all, err
			}
			continue
		}
		for len(p) > 0 {
			space := d.Space()
			n := copy(space, p)
			p = p[n:]
			d.Wrote(n)
			if mix && rnd.IntN(3) == 0 {
				continue
			}
			var live []Frame
			var want [][]byte
			for {
				f, ok := d.Next()
				if !ok {
					break
				}
				take(f)
				live, want = append(live, f), append(want, bytes.Clone(f.Payload))
			}
			for i := range live { // frames stay valid until the next Space
				if !bytes.Equal(live[i].Payload, want[i]) {
					return all, errors.New("an earlier frame was overwritten")
				}
			}
			if d.Err() != nil {
				return all, d.Err()
			}
		}
		if rnd.IntN(4) == 0 {
			d.Release()
		}
	}
	for {
		f, ok := d.Next()
		if !ok {
			return all, d.Err()
		}
		take(f)
	}
}

// check compares every way to read b with the reference.
func check(t *testing.T, name string, c Codec, ref reference, rnd *rand.Rand, b []byte) {
	t.Helper()
	want, bad := ref.all(b)
	pieces := cuts(rnd, b)
	offset := int64(-1)
	for _, way := range []string{"whole", "feed", "bytes", "pull", "mixed"} {
		run := map[string]func(*Reader) ([]got, error){
			"whole": func(d *Reader) ([]got, error) { return feedAll(d, [][]byte{b}, nil) },
			"feed":  func(d *Reader) ([]got, error) { return feedAll(d, pieces, nil) },
			"bytes": func(d *Reader) ([]got, error) { return feedAll(d, single(b), nil) },
			"pull":  func(d *Reader) ([]got, error) { return pullAll(rnd, d, pieces, false) },
			"mixed": func(d *Reader) ([]got, error) { return pullAll(rnd, d, pieces, true) },
		}[way]
		d := NewReader(c)
		if err := d.SetStart(1 + rnd.IntN(600)); err != nil {
			t.Fatal(err)
		}
		fs, err := run(d)
		if (err != nil) != bad || bad && !errors.Is(err, ErrMalformed) {
			t.Fatalf("%s %s: error %v, reference bad=%v\n%.300q", name, way, err, bad, b)
		}
		var e *Error
		if errors.As(err, &e) {
			if offset < 0 {
				offset = e.Offset
			}
			if e.Offset != offset || offset > int64(len(b)) {
				t.Fatalf("%s %s: error at byte %d of %d, in one piece at %d\n%.300q", name, way, e.Offset, len(b), offset, b)
			}
		}
		if len(fs) != len(want) {
			t.Fatalf("%s %s: %d frames, reference %d\n%.300q", name, way, len(fs), len(want), b)
		}
		total := 0
		for i := range want {
			total += len(want[i].payload)
			if fs[i].head != want[i].head || fs[i].seq != want[i].seq || !bytes.Equal(fs[i].payload, want[i].payload) {
				t.Fatalf("%s %s: frame %d is %v, reference %v", name, way, i, fs[i], want[i])
			}
		}
		if err != nil && d.Held() != 0 && way != "pull" && way != "mixed" {
			t.Fatalf("%s %s: a buffer is held after the end", name, way)
		}
	}
}

func TestReference(t *testing.T) {
	for _, k := range codecs {
		t.Run(k.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(len(k.name))))
			for range 150 {
				check(t, k.name, k.c, k.ref, rnd, sample(rnd, k.c, k.kind))
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for i, k := range codecs {
		f.Add(byte(i), uint64(i), sample(rnd, k.c, k.kind))
	}
	f.Add(byte(0), uint64(1), []byte("\x01\x01\x04\x00Open\x01\x02\xff\xff\x02\x00\x00\x00hi"))
	f.Add(byte(12), uint64(1), []byte(`{"a":[1,2,{"b":"\u00e4"}]} 12 "x"true[]`))
	f.Fuzz(func(t *testing.T, which byte, seed uint64, b []byte) {
		k := codecs[int(which)%len(codecs)]
		if k.kind == 3 && len(b) > 600 { // the reference is quadratic
			b = b[:600]
		}
		check(t, k.name, k.c, k.ref, rand.New(rand.NewPCG(seed, 1)), b)
	})
}
