package frame

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	d, bare := NewReader(Delimited{Keep: true}), NewReader(Delimited{})
	pieces := [][]byte{[]byte("ab\r"), []byte("\ncd\r\n"), []byte("\r"), []byte("\n"), []byte("e\r\r\n")}
	fs, err := feedAll(d, pieces, nil)
	cut, _ := feedAll(bare, pieces, nil)
	for i, want := range []string{"ab\r\n", "cd\r\n", "\r\n", "e\r\r\n"} {
		if err != nil || string(fs[i].payload) != want || string(cut[i].payload)+"\r\n" != want {
			t.Fatal(fs, cut, err)
		}
	}
	c := Delimited{Max: 10}
	for _, pieces := range [][]string{{"0123456789\r\n"}, {"01234", "56789", "\r", "\n"}} {
		d := NewReader(c)
		for _, p := range pieces {
			if err := d.Feed([]byte(p), func(Frame) {}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, in := range []string{"0123456789a\r\n", "0123456789ab"} { // however it is cut, the limit counts the line
		for i := range in {
			d := NewReader(c)
			d.Feed([]byte(in[:i]), func(Frame) { t.Fatal("frame") })
			if err := d.Feed([]byte(in[i:]), func(Frame) { t.Fatal("frame") }); !errors.Is(err, ErrTooLarge) {
				t.Fatalf("%q cut at %d: %v", in, i, err)
			}
		}
	}
	overlap := Delimited{Delimiter: "##", Strict: true}
	if _, err := overlap.AppendFrame(nil, Frame{Payload: []byte("a#")}); !errors.Is(err, ErrFrame) {
		t.Fatal("a delimiter that begins inside the payload was not noticed")
	}
}

func TestLengthFieldBytes(t *testing.T) {
	for _, k := range []struct {
		size      int
		hi, three string
	}{{1, "02", ""}, {2, "0200", "2c01"}, {4, "02000000", "2c010000"}, {-2, "0002", "012c"}, {-4, "00000002", "0000012c"}, {0, "02", "ac02"}} {
		for _, offset := range []int{0, 3} {
			c := LengthField{Size: k.size, Offset: offset}
			zeros := strings.Repeat("00", offset)
			b, err := c.AppendFrame(nil, Frame{Payload: []byte("hi")})
			if err != nil || hex.EncodeToString(b) != zeros+k.hi+"6869" {
				t.Fatalf("%x %v", b, err)
			}
			b, err = c.AppendFrame(b, Frame{Payload: bytes.Repeat([]byte("a"), 300)})
			if (err != nil) != (k.three == "") || err == nil && hex.EncodeToString(b[offset+len(k.hi)/2+2:][:offset+len(k.three)/2]) != zeros+k.three {
				t.Fatalf("%x %v", b, err)
			}
			fs, err := feedAll(NewReader(c), single(b), nil)
			if err != nil || string(fs[0].payload) != "hi" || len(fs) == 2 && len(fs[1].payload) != 300 {
				t.Fatal(fs, err)
			}
		}
	}
	c := LengthField{Size: 2, Offset: 4}
	b, err := c.AppendHeaded(nil, []byte("abcd"), []byte("hi"))
	if err != nil || string(b) != "abcd\x02\x00hi" {
		t.Fatalf("%q %v", b, err)
	}
	if _, err := c.AppendHeaded(nil, []byte("abc"), nil); !errors.Is(err, ErrFrame) {
		t.Fatal(err)
	}
	for _, pieces := range [][][]byte{{b}, single(b)} {
		d := NewReader(c)
		for _, p := range pieces {
			d.Feed(p, func(f Frame) {
				if string(c.Header(d.Raw())) != "abcd" || string(f.Payload) != "hi" {
					t.Fatalf("%q %q", d.Raw(), f.Payload)
				}
			})
		}
	}
	// Padded uvarints are read, longer ones and ones over 32 bits are not.
	for in, want := range map[string]string{"8100aa": "ok", "8180808000aa": "ok", "818080808000": "bad", "ffffffff1f": "bad", "ffffffff0f": "bad", "8080": "more"} {
		_, n, err := LengthField{Max: 1 << 30}.ParseFrame(unhex(in))
		if got := map[bool]string{true: "bad", false: map[bool]string{true: "ok", false: "more"}[n > 0]}[err != nil]; got != want {
			t.Fatalf("%s: %d %v", in, n, err)
		}
	}
}

func TestJSONFrames(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for in, want := range map[string]string{
		`{"n":"你"}`: "1", `42 `: "1", `42`: "0", `[1,2]{"a":[]}"x"`: "3", "": "0", " \r\n\t": "0", deep: "1",
		"[" + deep: "!depth", `{bad`: "!1", `nul1`: "!3", `{"a":01}`: "!6", "\"\x01\"": "!1", `[1,]`: "!3", `{"a" 1}`: "!5",
		`-a`: "!1", `"\x"`: "!2", `1true`: "!1", `1"a"`: "2", `]`: "!0", `{"a":1]`: "!6", `"\u12g4"`: "!5", `1.e1`: "!2",
	} {
		n := 0
		var out string
		err := NewReader(JSON{}).Feed([]byte(in), func(Frame) { n++ })
		var e *Error
		switch {
		case errors.Is(err, ErrDepth):
			out = "!depth"
		case errors.As(err, &e):
			out = fmt.Sprintf("!%d", e.Offset)
		default:
			out = fmt.Sprint(n)
		}
		if out != want {
			t.Errorf("%q: %s, want %s (%v)", in, out, want, err)
		}
	}
	c := JSON{}
	if b, err := c.AppendFrame(nil, Frame{Payload: []byte("-9")}); err != nil || string(b) != "-9\n" {
		t.Fatalf("%q %v", b, err)
	}
	if b, err := c.AppendFrame(nil, Frame{Payload: []byte("42")}); err != nil || string(b) != "42\n" || c.SizeFrame(Frame{Payload: []byte("42")}) != 3 {
		t.Fatalf("%q %v", b, err)
	}
	for _, bad := range []string{"", "hello", "1 2", `{"a":1`, "{}x"} {
		if _, err := c.AppendFrame(nil, Frame{Payload: []byte(bad)}); !errors.Is(err, ErrFrame) {
			t.Fatalf("%q: %v", bad, err)
		}
	}
}
