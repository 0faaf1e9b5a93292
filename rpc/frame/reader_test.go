package frame

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// Three messages, whole, byte by byte and cut at every one and every two places.
func TestSplits(t *testing.T) {
	s := unhex("010104004F70656E 01020000 810302004F4B")
	var want = []got{{1, 1, []byte("Open")}, {1, 2, []byte{}}, {0x81, 3, []byte("OK")}}
	try := func(pieces ...[]byte) {
		t.Helper()
		d := NewReader(Standard{})
		fs, err := feedAll(d, pieces, nil)
		if err != nil || len(fs) != 3 || len(d.Pending()) != 0 {
			t.Fatalf("%x: %v %v", pieces, fs, err)
		}
		for i := range want {
			if fs[i].String() != want[i].String() || fs[i].payload == nil {
				t.Fatalf("%x: %v", pieces, fs)
			}
		}
	}
	try(s)
	try(single(s)...)
	for i := 1; i < len(s); i++ {
		try(s[:i], s[i:])
		for j := i + 1; j < len(s); j++ {
			try(s[:i], s[i:j], s[j:])
		}
	}
}

// Every codec, a frame cut at every byte: before the last byte nothing comes out and nothing is wrong.
func TestCutAtEveryByte(t *testing.T) {
	for _, c := range []Codec{Standard{}, LengthField{Size: 2, Offset: 4}, LengthField{}, Delimited{}, JSON{}} {
		payload := []byte(`{"n":"你","m":[1.5e3,true,null,"\u4e2d\n"]}`)
		one, err := c.AppendFrame(nil, Frame{Head: 0x81, Seq: 7, Payload: payload})
		if err != nil {
			t.Fatal(err)
		}
		for i := range one {
			if _, n, err := c.ParseFrame(one[:i]); n != 0 || err != nil {
				t.Fatalf("%T cut at %d: %d %v", c, i, n, err)
			}
		}
		for i := range one {
			d := NewReader(c)
			fs, err := feedAll(d, [][]byte{one[:i], one[i:]}, func(step int, fs []got) {
				if step == 0 && len(fs) != 0 {
					t.Fatalf("%T cut at %d: %v", c, i, fs)
				}
			})
			if err != nil || len(fs) != 1 || !bytes.Equal(fs[0].payload, payload) {
				t.Fatalf("%T cut at %d: %v %v", c, i, fs, err)
			}
		}
	}
}

func TestLongLengths(t *testing.T) {
	for _, k := range []struct {
		n    int
		head string
	}{{65533, "0101fdff"}, {65534, "0101feff"}, {65535, "0101ffffffff0000"}, {65536, "0101ffff00000100"}, {10 << 20, "0101ffff0000a000"}} {
		c := Standard{Max: 16 << 20}
		for _, head := range []byte{0x01, 0x81} {
			f := Frame{Head: head, Seq: 1, Payload: make([]byte, k.n)}
			b, err := c.AppendFrame(nil, f)
			if err != nil || fmt.Sprintf("%02x%s", head, k.head[2:]) != hex.EncodeToString(b[:len(k.head)/2]) {
				t.Fatalf("%d: %.8x %v", k.n, b, err)
			}
			g, n, err := c.ParseFrame(b)
			if err != nil || n != len(b) || n != c.SizeFrame(f) || len(g.Payload) != k.n {
				t.Fatal(k.n, n, err)
			}
			open, mark := StartFrame([]byte("pre"), head, 1)
			open, err = c.FinishFrame(append(open, f.Payload...), mark)
			if err != nil || string(open[:3]) != "pre" || !bytes.Equal(open[3:], b) {
				t.Fatalf("started and finished: %.8x %v", open, err)
			}
		}
	}
	// The long header with a short payload is read, never written.
	if f, n, err := (Standard{}).ParseFrame(unhex("0101ffff02000000 6869")); err != nil || n != 10 || string(f.Payload) != "hi" {
		t.Fatal(f, n, err)
	}
}

func TestTooLarge(t *testing.T) {
	c := Standard{Max: 1 << 20}
	d := NewReader(c)
	err := d.Feed(unhex("0101FFFF00004001"), nil)
	var e *Error
	if !errors.Is(err, ErrTooLarge) || !errors.Is(err, ErrMalformed) || !errors.As(err, &e) || e.Codec != "standard" || e.Offset != 4 {
		t.Fatal(err)
	}
	for range 10 { // nothing is buffered and nothing gets a meaning any more
		if d.Feed(unhex("010104004F70656E"), func(Frame) { t.Fatal("frame after the error") }) != err || d.Held() != 0 {
			t.Fatal(d.Err(), d.Held())
		}
	}
	if b, err := c.AppendFrame([]byte("x"), Frame{Payload: make([]byte, 1<<20+1)}); !errors.Is(err, ErrTooLarge) || errors.Is(err, ErrMalformed) || string(b) != "x" {
		t.Fatal(err)
	}
	b, mark := StartFrame([]byte("x"), 1, 1)
	if b, err := c.FinishFrame(append(b, make([]byte, 1<<20+1)...), mark); !errors.Is(err, ErrTooLarge) || string(b) != "x" {
		t.Fatal(err)
	}
	// The pull form, with good frames in front: the offset is the stream's.
	d = NewReader(c)
	d.Wrote(copy(d.Space(), unhex("010104004F70656E 0101FFFF000000FF")))
	if f, ok := d.Next(); !ok || string(f.Payload) != "Open" {
		t.Fatal(f)
	}
	if _, ok := d.Next(); ok || !errors.Is(d.Err(), ErrLength) || !errors.As(d.Err(), &e) || e.Offset != 12 {
		t.Fatal(d.Err())
	}
	if n := copy(d.Space(), "more"); n == 0 {
		t.Fatal("no space after the error")
	}
	d.Wrote(4)
	if _, ok := d.Next(); ok {
		t.Fatal("frame after the error")
	}
}

// What wrong clients send to an SRMP port.
func TestGarbage(t *testing.T) {
	hello := append(unhex("16030102000100"), bytes.Repeat([]byte{3}, 500)...)
	for name, in := range map[string][]byte{"http": []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "tls": hello, "ff": bytes.Repeat([]byte{0xFF}, 1024)} {
		d := NewReader(Standard{})
		frames := 0
		err := d.Feed(in, func(Frame) { frames++ })
		if frames != 0 && name != "tls" || d.Held() > 64<<10 {
			t.Fatal(name, frames, d.Held())
		}
		if name == "ff" != errors.Is(err, ErrLength) {
			t.Fatal(name, err)
		}
	}
	n := 0
	if err := NewReader(Standard{}).Feed(make([]byte, 1024), func(f Frame) {
		if n++; len(f.Payload) != 0 || f.Payload == nil {
			t.Fatal(f)
		}
	}); err != nil || n != 256 {
		t.Fatal(n, err)
	}
}

// The announced length never sizes the buffer beyond 64 KiB; past that it follows the data.
func TestBufferFollowsData(t *testing.T) {
	for _, c := range []Codec{Standard{}, LengthField{Size: 4}} {
		for _, pull := range []bool{false, true} {
			d := NewReader(c)
			b, _ := c.AppendFrame(nil, Frame{Payload: make([]byte, 5<<20)})
			sent, frames := 0, 0
			for len(b) > 0 {
				p := b[:min(len(b), 10_000)]
				if pull {
					p = p[:copy(d.Space(), p)]
					d.Wrote(len(p))
					if _, ok := d.Next(); ok {
						frames++
					}
				} else if err := d.Feed(p, func(Frame) { frames++ }); err != nil {
					t.Fatal(err)
				}
				b, sent = b[len(p):], sent+len(p)
				if d.Held() > max(64<<10, 2*sent+10_000) {
					t.Fatalf("%T holds %d after %d bytes", c, d.Held(), sent)
				}
			}
			if frames != 1 {
				t.Fatal(frames)
			}
			if !d.Release() || d.Held() != 0 {
				t.Fatal("idle, and a buffer is held")
			}
		}
	}
}

// Bytes without an end of a frame: an error at the limit, and never more held than twice that and a piece.
func TestNothingBeyondLimit(t *testing.T) {
	const most = 100_000
	for _, k := range []struct {
		c    Codec
		head string
	}{
		{Delimited{Max: most}, ""}, {JSON{Max: most}, `"`}, {hidden{Delimited{Max: 2 * most}}, ""}, {LengthField{Size: 4, Max: most}, "\xff\xff\xff\x00"},
		{Standard{Max: most}, "\x01\x01\xff\xff\xff\xff\xff\x00"}, {LengthField{Max: most}, "\xff\xff\xff\xff\xff"},
	} {
		for _, size := range []int{1, 1000, 64 << 10} {
			if _, slow := k.c.(hidden); slow && size == 1 {
				continue // without a cutter each byte is a look at all
			}
			d := NewReader(k.c)
			if _, foreign := k.c.(hidden); foreign {
				d.SetLimit(most)
			}
			chunk := bytes.Repeat([]byte("a"), size)
			err := d.Feed([]byte(k.head), nil)
			sent, held := len(k.head), 0
			for err == nil && sent < 3*most {
				err = d.Feed(chunk, nil)
				sent, held = sent+size, max(held, d.Held())
			}
			if !errors.Is(err, ErrMalformed) || sent > most+size+piece || held > 2*most+size+piece || d.Held() != 0 {
				t.Errorf("%T in pieces of %d: %d bytes taken, %d held, %v", k.c, size, sent, held, err)
			}
		}
	}
}

// The buffer after a pause is as large as the last one has shown to be of use, 4 KiB at least and 64 KiB at most.
func TestBufferFollowsReads(t *testing.T) {
	d := NewReader(Standard{})
	read := func(most int) (size int) {
		p := d.Space()
		size = len(p)
		n := min(size, most)
		clear(p[:n]) // empty frames
		d.Wrote(n / 4 * 4)
		for _, ok := d.Next(); ok; _, ok = d.Next() {
		}
		if !d.Release() || !d.Release() {
			t.Fatal("not released")
		}
		return size
	}
	var sizes []int
	for range 6 {
		sizes = append(sizes, read(1<<20)>>10)
	}
	for range 6 {
		sizes = append(sizes, read(100)>>10)
	}
	if got := fmt.Sprint(sizes); got != "[4 8 16 32 64 64 64 32 16 8 4 4]" {
		t.Fatal(got)
	}
}

// Frames that Next handed out stay valid when a bad one follows: their buffer is not given to another reader.
func TestFramesOutliveError(t *testing.T) {
	d := NewReader(Standard{})
	d.Wrote(copy(d.Space(), unhex("010104004F70656E 0101FFFF000000FF")))
	f, ok := d.Next()
	if _, more := d.Next(); !ok || more || d.Err() == nil {
		t.Fatal(f, d.Err())
	}
	for range 10 {
		p := NewReader(Standard{}).Space()
		for i := range p {
			p[i] = 'x'
		}
	}
	if string(f.Payload) != "Open" {
		t.Fatalf("%q", f.Payload)
	}
}

func TestBufferSettings(t *testing.T) {
	d := NewReader(Standard{})
	if !errors.Is(d.SetStart(0), ErrConfig) || !errors.Is(d.SetStart(-1), ErrConfig) || d.SetStart(1024) != nil || d.Held() != 0 {
		t.Fatal("settings")
	}
	d.Feed([]byte{1}, nil)
	if d.Held() != 1024 || !errors.Is(d.SetStart(2048), ErrConfig) || !errors.Is(d.SetLimit(2048), ErrConfig) {
		t.Fatal(d.Held())
	}
	if d.Release() || d.Held() == 0 {
		t.Fatal("released with a byte pending")
	}
	d.Feed([]byte{1, 0, 0}, func(Frame) {})
	if !d.Release() || d.Held() != 0 {
		t.Fatal("not released")
	}
	d = NewReader(Standard{})
	if err := d.Feed(unhex("01010000"), func(Frame) {}); err != nil || !errors.Is(d.SetStart(1), ErrConfig) {
		t.Fatal("changed while running")
	}
	d = NewReader(Standard{})
	d.SetLimit(100)
	if err := d.Feed(unhex("01016400"), nil); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	d = NewReader(hidden{Delimited{Max: 1 << 20}})
	d.SetLimit(100)
	if err := d.Feed(make([]byte, 101), nil); !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	d = NewReader(Standard{})
	d.Space()
	if d.Wrote(1 << 20); !errors.Is(d.Err(), ErrConfig) {
		t.Fatal(d.Err())
	}
}

func TestEnd(t *testing.T) {
	none := func(f Frame) { t.Fatalf("frame %v", f) }
	d := NewReader(Standard{})
	if rest, err := d.End(none); rest != nil || err != nil {
		t.Fatal(rest, err)
	}
	d.Feed(unhex("01010000 01020400 4f"), func(Frame) {})
	rest, err := d.End(none)
	var e *Error
	if string(rest) != "\x01\x02\x04\x00O" || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &e) || e.Offset != 9 {
		t.Fatalf("%q %v", rest, err)
	}
	d = NewReader(Standard{}) // whole frames that Next has not taken come first
	d.Wrote(copy(d.Space(), unhex("01010000 0102")))
	n := 0
	if rest, err = d.End(func(Frame) { n++ }); n != 1 || len(rest) != 2 || err == nil {
		t.Fatal(n, rest, err)
	}
	for in, want := range map[string]string{"12": "12", " -1.5e3": "-1.5e3", "12\n": "12", "1 \n ": "1", "": "", "1.": "!", "tru": "!", "[1": "!"} {
		var out string
		d := NewReader(JSON{})
		put := func(f Frame) { out += string(f.Payload) }
		d.Feed([]byte(in), put)
		if _, err := d.End(put); err != nil {
			out += "!"
		}
		if out != want {
			t.Fatalf("%q: %q", in, out)
		}
	}
	d = NewReader(Standard{})
	if err := d.Fail(ErrSilent); !errors.Is(err, ErrSilent) || d.Fail(ErrSlow) != err || d.Feed([]byte{1, 2}, nil) != err {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	now := time.Unix(1e9, 0)
	at := func(s float64) time.Time { return now.Add(time.Duration(s * float64(time.Second))) }
	var w Watch
	for _, k := range []struct {
		s    float64
		p    Progress
		want error
	}{
		{0, Progress{}, nil}, {100, Progress{}, nil}, // an empty buffer never expires
		{101, Progress{0, 7}, nil}, {105.9, Progress{0, 7}, nil}, {106, Progress{0, 7}, ErrSilent},
		{107, Progress{0, 8}, nil}, {111.9, Progress{0, 8}, nil}, {112, Progress{20, 8}, nil}, // another frame of the same size
		{116.9, Progress{20, 8}, nil}, {117, Progress{20, 8}, ErrSilent}, {118, Progress{20, 0}, nil}, {1000, Progress{20, 1}, nil},
	} {
		if err := w.Check(at(k.s), k.p); err != k.want {
			t.Fatalf("%v: %v, want %v", k.s, err, k.want)
		}
	}
	w = Watch{}
	for s := 0; s <= 31; s++ { // a byte a second: slow after 30 s
		err := w.Check(at(float64(s)), Progress{0, 1 + s})
		if (err == ErrSlow) != (s >= 30) {
			t.Fatal(s, err)
		}
	}
	w = Watch{}
	for s := 0; s <= 60; s++ { // 1 KiB a second is enough
		if err := w.Check(at(float64(s)), Progress{0, 1 + s<<10}); err != nil {
			t.Fatal(s, err)
		}
	}
	w = Watch{Silence: -1, Grace: -1}
	w.Check(at(0), Progress{0, 1})
	if err := w.Check(at(1e6), Progress{0, 1}); err != nil {
		t.Fatal(err)
	}
	// What is stale is never joined with what comes later.
	d := NewReader(Standard{})
	d.Feed(unhex("01010A00 010203"), nil)
	w = Watch{}
	w.Check(at(0), d.Progress())
	err := w.Check(at(6), d.Progress())
	var e *Error
	if err = d.Fail(err); !errors.Is(err, ErrSilent) || !errors.As(err, &e) || e.Offset != 0 || e.Codec != "standard" || errors.Is(err, ErrMalformed) || d.Held() != 0 {
		t.Fatal(err)
	}
	if again := d.Feed(unhex("010104004F70656E"), func(Frame) { t.Fatal("frame behind a stale one") }); again != err {
		t.Fatal(again)
	}
	if s := err.Error(); s != "standard: read: no byte of an unfinished frame at byte 0" {
		t.Fatal(s)
	}
	d = NewReader(Standard{})
	d.Feed(unhex("01010A00 010203"), nil)
	if p := d.Progress(); p.Start != 0 || p.Pending != 7 {
		t.Fatal(p)
	}
	d.Feed(unhex("0405060708090a 0101"), func(Frame) {})
	if p := d.Progress(); p.Start != 14 || p.Pending != 2 {
		t.Fatal(p)
	}
}

func TestAllocations(t *testing.T) {
	in50 := stream(50, 2)
	for _, chunk := range []int{1, 64, 1 << 16} {
		in := stream(300, 5)
		feed, pull := NewReader(Standard{}), NewReader(Standard{})
		fn := func(f Frame) { sink += len(f.Payload) }
		run := func() {
			for s := in; len(s) > 0; {
				c := s[:min(chunk, len(s))]
				s = s[len(c):]
				feed.Feed(c, fn)
				for len(c) > 0 {
					n := copy(pull.Space(), c)
					c = c[n:]
					pull.Wrote(n)
					for {
						if _, ok := pull.Next(); !ok {
							break
						}
					}
				}
			}
		}
		if n := testing.AllocsPerRun(50, run); n != 0 {
			t.Errorf("chunk %d: %v allocations", chunk, n)
		}
	}
	// A connection that gives its buffer back after each message takes it from the pool again.
	d := NewReader(Standard{})
	if n := testing.AllocsPerRun(50, func() {
		n := copy(d.Space(), in50)
		d.Wrote(n)
		for _, ok := d.Next(); ok; _, ok = d.Next() {
		}
		if !d.Release() {
			t.Fatal("not released")
		}
	}); n != 0 && !raced {
		t.Errorf("with Release: %v allocations", n)
	}
	// Without any pooled buffer a message of up to 64 KiB costs at most two, byte by byte as well.
	in := stream(60_000, 1)
	n := testing.AllocsPerRun(5, func() {
		d := Reader{codec: Standard{}, start: defaultStart, max: DefaultMax, plain: true, need: shortHead}
		for i := range in {
			d.Feed(in[i:i+1], func(Frame) {})
		}
		d.blk, d.buf = nil, nil // not given back
	})
	if n > 2*2+1 { // a block is a slice and its holder; one is the closure's Reader
		t.Errorf("%v allocations a message", n)
	}
	b := make([]byte, 0, 4096)
	for _, c := range []Codec{Standard{}, LengthField{Size: 2, Offset: 4}, Delimited{}, JSON{}} {
		f := Frame{Payload: []byte(`{"a":1}`)}
		if n := testing.AllocsPerRun(50, func() {
			w, _ := c.AppendFrame(b[:0], f)
			_, k, _ := c.ParseFrame(w)
			sink += k
		}); n != 0 {
			t.Errorf("%T: %v allocations", c, n)
		}
	}
}
