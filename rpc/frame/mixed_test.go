package frame

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// beats is a codec whose stream has frames of a length byte and a payload, and CR LF between them that belongs to none.
type beats struct{ LengthField }

func (c beats) NewCutter() Cutter { return c }

func (c beats) Cut(b []byte) (int, error) {
	switch {
	case len(b) == 0 || b[0] == '\r' && len(b) == 1:
		return 0, nil
	case b[0] == '\r':
		return -2, nil
	}
	return 1 + int(b[0]), nil
}

// ahead is a codec that knows a line's end when two bytes behind it are there.
type ahead struct{ Delimited }

func (c ahead) NewCutter() Cutter { return c }

func (c ahead) Cut(b []byte) (int, error) {
	n, err := c.Delimited.NewCutter().Cut(b)
	if err != nil || len(b) < n+2 {
		return 0, err
	}
	return n, nil
}

// A cutter may say of bytes it has seen before that they are no frame, or a whole one.
func TestLateCut(t *testing.T) {
	for _, k := range []struct {
		c        Codec
		in, want string
	}{
		{beats{LengthField{Size: 1}}, "\x01a\r\n\x02bc\r\n\r\n\x00\r\n\x01d\r", "[a bc  d]"},
		{ahead{Delimited{Delimiter: "\n"}}, "a\n\nbc\n\n\nd\n..", "[a  bc   d]"},
	} {
		for size := 1; size <= len(k.in); size++ {
			feed, pull := NewReader(k.c), NewReader(k.c)
			var fed, pulled []string
			for i := 0; i < len(k.in); i += size {
				c := []byte(k.in[i:min(i+size, len(k.in))])
				if err := feed.Feed(c, func(f Frame) { fed = append(fed, string(f.Payload)) }); err != nil {
					t.Fatal(size, err)
				}
				pull.Wrote(copy(pull.Space(), c))
				for f, ok := pull.Next(); ok; f, ok = pull.Next() {
					pulled = append(pulled, string(f.Payload))
				}
			}
			if fmt.Sprint(fed) != k.want || fmt.Sprint(pulled) != k.want || feed.Progress() != pull.Progress() {
				t.Fatalf("%T in pieces of %d: fed %q %v, pulled %q %v", k.c, size, fed, feed.Progress(), pulled, pull.Progress())
			}
		}
	}
}

// After an error in one form the other hands out nothing, and the first reason stays.
func TestEndedInEitherForm(t *testing.T) {
	for _, c := range []Codec{Delimited{Max: 4}, JSON{Max: 4}, Standard{Max: 4}, LengthField{Size: 1, Max: 4}} {
		d := NewReader(c)
		d.Feed([]byte("\"1"), nil)
		err := d.Feed([]byte("234567890\""), nil)
		if !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%T: %v", c, err)
		}
		d.Wrote(1) // of a Space from before
		p := d.Space()
		d.Wrote(copy(p, "\r\n1 \x01a\x01\x01\x00\x00"))
		if f, ok := d.Next(); ok || d.Err() != err {
			t.Fatalf("%T: %q, %v; want %v", c, f.Payload, d.Err(), err)
		}
	}
}

// A number at the end of the stream keeps to the limit as any other value.
func TestLastNumberLimit(t *testing.T) {
	for in, want := range map[string]string{"123": "123", "1234": "!", "1.5": "1.5", "1.55": "!", "12 ": "12", "123 ": "123"} {
		for size := 1; size <= len(in); size++ {
			d, out := NewReader(JSON{Max: 3}), ""
			put := func(f Frame) { out += string(f.Payload) }
			for i := 0; i < len(in); i += size {
				d.Feed([]byte(in[i:min(i+size, len(in))]), put)
			}
			if _, err := d.End(put); err != nil {
				out += "!"
			}
			if out != want {
				t.Errorf("%q in pieces of %d: %q, want %q", in, size, out, want)
			}
		}
	}
}

// A released reader refers to no bytes: what Raw told of the last frame would keep its buffer, or the caller's chunk.
func TestReleaseForgets(t *testing.T) {
	for _, pull := range []bool{false, true} {
		d := NewReader(LengthField{Size: 1, Offset: 2})
		in := []byte("ab\x01x")
		if pull {
			d.Wrote(copy(d.Space(), in))
			d.Next()
		} else {
			d.Feed(in, func(Frame) {})
		}
		if string(d.Raw()) != string(in) || !d.Release() || d.Raw() != nil {
			t.Fatalf("pull %v: %q", pull, d.Raw())
		}
	}
}

// SetLimit counts the header that the frame has: 4 bytes up to a payload of 65,534, 8 beyond.
func TestLimitCountsHeader(t *testing.T) {
	for _, n := range []int{0, 96, longMark - 1, longMark, 100_000} {
		f := Frame{Payload: make([]byte, n)}
		b, _ := Standard{}.AppendFrame(nil, f)
		for _, less := range []int{0, 1} {
			d, frames := NewReader(Standard{}), 0
			d.SetLimit(max(len(b)-less, 1))
			err := d.Feed(b, func(Frame) { frames++ })
			if fits := less == 0 || n == 0; fits != (frames == 1) || fits != (err == nil) {
				t.Errorf("a frame of %d bytes under a limit of %d: %d frames, %v", len(b), len(b)-less, frames, err)
			}
		}
	}
}

// TestTook: frames that the caller cuts itself between those that Next cuts.
func TestTook(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, k := range []struct {
		c    Codec
		head int
		size func(p []byte) int
	}{
		{Standard{}, 4, func(p []byte) int { return int(p[2]) | int(p[3])<<8 }},
		{LengthField{Offset: 3, Size: -2}, 5, func(p []byte) int { return int(p[3])<<8 | int(p[4]) }},
	} {
		var in []byte
		var want []string
		for i := range 2000 {
			payload := make([]byte, rnd.IntN(40))
			if i%100 == 0 {
				payload = make([]byte, 3000+rnd.IntN(60_000)) // Standard's long header in some of them
			}
			payload = append(payload, fmt.Sprint(i)...)
			want = append(want, string(payload))
			var err error
			if in, err = k.c.AppendFrame(in, Frame{Seq: byte(i), Payload: payload}); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		mixed, pull := NewReader(k.c), NewReader(k.c)
		for len(in) > 0 {
			n := copy(mixed.Space(), in[:min(len(in), 1+rnd.IntN(3000))])
			mixed.Wrote(n)
			for p := in[:n]; len(p) > 0; {
				m := copy(pull.Space(), p)
				pull.Wrote(m)
				p = p[m:]
				for _, ok := pull.Next(); ok; _, ok = pull.Next() {
				}
			}
			in = in[n:]
			for own := rnd.IntN(2) == 0; ; own = !own {
				if own {
					p, cut := mixed.Pending(), 0
					for range rnd.IntN(5) {
						q := p[cut:]
						if len(q) < k.head || k.size(q) == 0xFFFF || len(q) < k.head+k.size(q) {
							break
						}
						got = append(got, string(q[k.head:k.head+k.size(q)]))
						cut += k.head + k.size(q)
					}
					mixed.Took(cut)
					continue
				}
				f, ok := mixed.Next()
				if !ok {
					break
				}
				got = append(got, string(f.Payload))
			}
			if mixed.Progress() != pull.Progress() || mixed.Offset() != pull.Offset() {
				t.Fatalf("%T: %v, without Took %v", k.c, mixed.Progress(), pull.Progress())
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%T: other frames", k.c)
		}
		if mixed.Took(1); !errors.Is(mixed.Err(), ErrConfig) {
			t.Fatal(mixed.Err())
		}
	}
}
