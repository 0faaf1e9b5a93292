package websocket

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
)

// run feeds a stream in pieces and writes down what an Assembler makes of it.
func run(a *Assembler, pieces ...[]byte) string {
	d := frame.NewReader(Codec{Strict: true, Max: 1 << 16})
	var out []string
	var err error
	for _, p := range pieces {
		e := d.Feed(bytes.Clone(p), func(f frame.Frame) {
			if err != nil {
				return
			}
			m, ok, e := a.Take(f)
			if err = e; ok {
				out = append(out, fmt.Sprintf("%x:%s", byte(m.Op), m.Payload))
			}
		})
		if err == nil {
			err = e
		}
	}
	if err != nil {
		out = append(out, fmt.Sprint("!", CodeOf(err)))
	}
	return strings.Join(out, " ")
}

func TestMessages(t *testing.T) {
	long := strings.Repeat("61", 126)
	for _, k := range []struct{ name, hex, want string }{
		{"masked", "818537FA213D7F9F4D5158", "1:Hello"},
		{"ping between fragments", "010348656C 8900 80026C6F", "9: 1:Hello"},
		{"three fragments", "020161 000162 800163 820164", "2:abc 2:d"},
		{"empty fragments", "0100 0000 8000", "1:"},
		{"fragmented control", "0900", "!1002"},
		{"control of 126 bytes", "897e007e" + long, "!1002"},
		{"fragmented close", "080203e8", "!1002"},
		{"close of 126 bytes", "887e007e03e8" + strings.Repeat("61", 124), "!1002"},
		{"close 1014", "880203f6", "8:\x03\xf6"},
		{"close 1015", "880203f7", "!1002"},
		{"control of 125 bytes", "897d" + strings.Repeat("61", 125), "9:" + strings.Repeat("a", 125)},
		{"continuation without a start", "80026C6F", "!1002"},
		{"new message inside one", "010161 810162", "!1002"},
		{"binary inside text", "010161 820162", "!1002"},
		{"reserved bit", "c10161", "!1002"},
		{"opcode 3", "830161", "!1002"},
		{"opcode b", "8b00", "!1002"},
		{"bad text", "8101ff", "!1007"},
		{"bad text across fragments", "0102e4b8 8001ad", "1:中"},
		{"half a character", "0102e4b8 8000", "!1007"},
		{"close", "880203e8 8900", "8:\x03\xe8"},
		{"close without a code", "8800", "8:"},
		{"close of one byte", "880103", "!1002"},
		{"close 1005", "880203ed", "!1002"},
		{"close 1006", "880203ee", "!1002"},
		{"close 999", "880203e7", "!1002"},
		{"close 5000", "88021388", "!1002"},
		{"close 4999", "88021387", "8:\x13\x87"},
		{"close with bad text", "880303e8ff", "!1007"},
		{"long form", "827e000161", "!1002"},
		{"too large", "827f0000000000010001", "!1009"},
		{"negative", "827fffffffffffffffff", "!1002"},
		{"control frame that announces too much", "897f000000000000ffff", "!1002"},
		{"masked close that announces 126 bytes", "88fe007e", "!1002"},
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(k.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		server := k.name == "masked"
		if got := run(&Assembler{Server: server}, b); got != k.want {
			t.Errorf("%s: %s, want %s", k.name, got, k.want)
		}
		for i := range b {
			if got := run(&Assembler{Server: server}, b[:i], b[i:]); got != k.want {
				t.Errorf("%s cut at %d: %s, want %s", k.name, i, got, k.want)
			}
		}
	}
	if got := run(&Assembler{Server: true}, []byte("\x81\x01a")); got != "!1002" {
		t.Error("unmasked to a server:", got)
	}
	if got := run(&Assembler{Server: true, AllowUnmasked: true}, []byte("\x81\x01a")); got != "1:a" {
		t.Error("unmasked, allowed:", got)
	}
	if got := run(&Assembler{}, []byte("\x81\x81\x00\x00\x00\x00a")); got != "!1002" {
		t.Error("masked by a server:", got)
	}
	if _, _, err := new(Assembler).Take(frame.Frame{Head: 0x89, Payload: make([]byte, 126)}); CodeOf(err) != ProtocolError {
		t.Error("control frame over the limit out of a lenient codec:", err)
	}
	a := &Assembler{}
	if got := run(a, []byte("\x8b\x00")); got != "!1002" {
		t.Error(got)
	}
	if got := run(a, []byte("\x82\x00")); got != "!1002" {
		t.Error("after the end:", got)
	}
	if got := run(&Assembler{Max: 3}, []byte("\x01\x02ab\x80\x02cd")); got != "!1009" {
		t.Error("message over the limit in fragments:", got)
	}
	if got := run(&Assembler{Max: 4}, []byte("\x01\x02ab\x80\x02cd\x82\x04abcd")); got != "1:abcd 2:abcd" {
		t.Error("message at the limit:", got)
	}
}

// Payloads at the limit and over it, in each form of the length, and long forms of short lengths.
func TestLengths(t *testing.T) {
	for _, n := range []int{0, 125, 126, 1<<16 - 1, 1 << 16} {
		c := Codec{Max: max(n, 1)}
		f := frame.Frame{Head: 0x82, Payload: make([]byte, n)}
		b, err := c.AppendFrame(nil, f)
		if err != nil || len(b) != c.SizeFrame(f) || c.MaxFrame() < len(b) {
			t.Fatal(n, len(b), c.SizeFrame(f), err)
		}
		if _, k, err := c.ParseFrame(b); k != len(b) || err != nil {
			t.Fatal(n, k, err)
		}
		over := frame.Frame{Payload: make([]byte, c.Max+1)}
		if b, err := c.AppendFrame([]byte("x"), over); !errors.Is(err, frame.ErrTooLarge) || string(b) != "x" {
			t.Fatal(n, err)
		}
		b, _ = Codec{}.AppendFrame(nil, over)
		if _, _, err := c.ParseFrame(b); !errors.Is(err, frame.ErrTooLarge) {
			t.Fatal(n, err)
		}
	}
	for _, long := range []string{"\x82\x7e\x00\x00", "\x82\x7f\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if _, n, err := (Codec{}).ParseFrame([]byte(long)); n != len(long) || err != nil {
			t.Fatalf("%x: %d %v", long, n, err)
		}
	}
	if err := (&CloseError{Policy, "no"}).Error(); err != "websocket: 1008: no" {
		t.Fatal(err)
	}
}

// refMask is the definition in RFC 6455, 5.3.
func refMask(p []byte, key [4]byte, pos int) []byte {
	out := bytes.Clone(p)
	for i := range out {
		out[i] ^= key[(pos+i)%4]
	}
	return out
}

func TestMask(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		for pos := range 9 {
			p := make([]byte, n)
			for i := range p {
				p[i] = byte(rnd.Uint32())
			}
			var key [4]byte
			binary.BigEndian.PutUint32(key[:], rnd.Uint32())
			want := refMask(p, key, pos)
			if Mask(p, binary.BigEndian.Uint32(key[:]), pos); !bytes.Equal(p, want) {
				t.Fatal(n, pos)
			}
		}
	}
}

func TestClose(t *testing.T) {
	for _, reason := range []string{"", "bye", strings.Repeat("é", 61), strings.Repeat("é", 62), strings.Repeat("中", 50), "ok\xffbad", strings.Repeat("x", 124)} {
		b, err := AppendClose(nil, Normal, reason, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, n, err := Codec{}.ParseFrame(b)
		if err != nil || n != len(b) || len(f.Payload) > maxControl {
			t.Fatal(err)
		}
		code, got, err := ParseClose(f.Payload)
		if err != nil || code != Normal || !strings.HasPrefix(reason, got) || len(reason) <= 123 && reason != "ok\xffbad" && got != reason || len(got) < min(len(reason), 2) {
			t.Fatalf("%q: %v %q %v", reason, code, got, err)
		}
	}
	for _, code := range []Code{0, 999, 1004, Abnormal, 1015, 2999, 5000} {
		if b, err := AppendClose([]byte("x"), code, "", nil); !errors.Is(err, frame.ErrFrame) || string(b) != "x" {
			t.Fatal(code, err)
		}
	}
	if _, err := AppendMessage(nil, Ping, make([]byte, 126), nil); !errors.Is(err, frame.ErrTooLarge) {
		t.Fatal(err)
	}
	if CodeOf(nil) != Normal || CodeOf(errors.New("x")) != Internal || CodeOf(&CloseError{Policy, ""}) != Policy {
		t.Fatal("codes")
	}
}

func TestAllocations(t *testing.T) {
	key := [4]byte{1, 2, 3, 4}
	b := make([]byte, 0, 4096)
	payload := make([]byte, 300)
	d, a := frame.NewReader(Codec{}), &Assembler{Server: true}
	n := 0
	fn := func(f frame.Frame) {
		if _, ok, _ := a.Take(f); ok {
			n++
		}
	}
	if allocs := testing.AllocsPerRun(100, func() {
		w, _ := AppendMessage(b, Binary, payload, &key)
		d.Feed(w[:100], fn)
		d.Feed(w[100:], fn)
	}); allocs != 0 || n == 0 {
		t.Fatal(allocs, n)
	}
	if a.Pending() != 0 {
		t.Fatal(a.Pending())
	}
	run(a, []byte("\x02\x83\x00\x00\x00\x00abc"))
	if a.Release(); a.Pending() != 3 {
		t.Fatal("an unfinished message was dropped")
	}
	if got := run(a, []byte("\x80\x81\x00\x00\x00\x00d")); got != "2:abcd" {
		t.Fatal(got)
	}
	if a.Release(); a.pieces != nil {
		t.Fatal("the buffer is held")
	}
}

// FuzzFrames compares the parser with the definition of the format, and joins what it reads.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58\x01\x03Hel\x89\x00\x80\x02lo"))
	f.Add([]byte("\x82\x7f\x00\x00\x00\x00\x00\x00\x00\x01a\x82\x7e\x00\x01a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := Codec{Max: 1000}
		whole, bad := 0, false
		for rest := b; ; {
			fr, n, err := c.ParseFrame(rest)
			payload, key, size, refBad := reference(rest, 1000)
			if (err != nil) != refBad || n != size {
				t.Fatalf("%x: %d %v, reference %d %v", rest, n, err, size, refBad)
			}
			if bad = err != nil; n == 0 {
				break
			}
			if fr.Head != rest[0] || fr.Key != key || !bytes.Equal(fr.Payload, payload) {
				t.Fatalf("%x: %v", rest, fr)
			}
			again, err := c.AppendFrame(nil, fr)
			if err != nil || len(again) > n || len(again) != c.SizeFrame(fr) {
				t.Fatalf("%x: %x %v", rest[:n], again, err)
			}
			whole, rest = whole+1, rest[n:]
		}
		d := frame.NewReader(c)
		got := 0
		var err error
		for i := 0; i < len(b) && err == nil; i += 3 {
			err = d.Feed(b[i:min(i+3, len(b))], func(frame.Frame) { got++ })
		}
		if got != whole || (err != nil) != bad {
			t.Fatalf("%d frames %v, want %d %v", got, err, whole, bad)
		}
		a := Assembler{Server: true, AllowUnmasked: true, Max: 2000}
		s := frame.NewReader(c)
		s.Feed(bytes.Clone(b), func(f frame.Frame) {
			m, ok, err := a.Take(f)
			if ok && (err != nil || m.Op == Continuation || m.Op > Pong || len(m.Payload) > 2000) || a.Pending() > 2000 {
				t.Fatal(m, ok, err)
			}
		})
	})
}

func reference(b []byte, max uint64) (payload []byte, key uint32, size int, bad bool) {
	if len(b) < 2 {
		return nil, 0, 0, false
	}
	n, h := uint64(b[1]%128), 2
	for ext := map[uint64]int{126: 2, 127: 8}[n]; h-2 < ext; h++ {
		if len(b) < 2+ext {
			return nil, 0, 0, false
		}
		if h == 2 {
			n = 0
		}
		n = n<<8 | uint64(b[h])
	}
	if n > max {
		return nil, 0, 0, true
	}
	if b[1] >= 128 {
		if len(b) < h+4 {
			return nil, 0, 0, false
		}
		key = uint32(b[h])<<24 | uint32(b[h+1])<<16 | uint32(b[h+2])<<8 | uint32(b[h+3])
		h += 4
	}
	if uint64(len(b)-h) < n {
		return nil, 0, 0, false
	}
	return b[h : h+int(n)], key, h + int(n), false
}
