package rpctest

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
)

// counting is Delimited that counts the bytes which its cutters and ParseFrame are given to look at anew.
type counting struct {
	frame.Delimited
	parsed *int
}

func (c counting) ParseFrame(b []byte) (frame.Frame, int, error) {
	*c.parsed += len(b)
	return c.Delimited.ParseFrame(b)
}

// A large frame in many pieces costs a recorder as much as in one, give or take: in memory, and in bytes that are looked at.
func TestRecorderLinear(t *testing.T) {
	const size, piece = 1 << 20, 16
	parsed := 0
	for name, c := range map[string]frame.Codec{"standard": frame.Standard{}, "length": frame.LengthField{Size: 4}, "delimited": counting{frame.Delimited{Max: size}, &parsed},
		"json": frame.JSON{}} {
		b, err := c.AppendFrame(nil, frame.Frame{Head: 1, Seq: 1, Payload: []byte(`"` + strings.Repeat("x", size-2) + `"`)})
		if err != nil {
			t.Fatal(err)
		}
		w := new(lines)
		r := NewRecorder(w, c, nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := 0; i < len(b); i += piece {
			r.Sent(Client, b[i:min(i+piece, len(b))])
		}
		runtime.ReadMemStats(&after)
		if w.n != 1 {
			t.Fatalf("%s: %d frames", name, w.n)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 30*size {
			t.Errorf("%s: %d bytes of memory for %d", name, n, size)
		}
	}
	if parsed > 2*size {
		t.Errorf("%d bytes looked at for %d", parsed, size)
	}
}

// lines counts steps.
type lines struct{ n int }

func (l *lines) Write(p []byte) (int, error) { l.n++; return len(p), nil }

// However a stream is cut, the same is recorded: white space between values, several frames in one piece and what is no frame
// too.
func TestRecorderCuts(t *testing.T) {
	for name, k := range map[string]struct {
		c  frame.Codec
		in string
	}{
		"json": {frame.JSON{}, "{\"a\":1} \n [2]\t\r\n\"x\"3 4 }{"}, "delimited": {frame.Delimited{Max: 8}, "a\r\n\r\nbc\r\n123456789\r\nd"},
		"standard": {frame.Standard{}, "\x01\x02\x01\x00x\x01\x03\x00\x00\x01\x02\xff\xff\x01\x00\x00\x00y\x01\x02\x05"},
	} {
		var want bytes.Buffer
		record := func(w io.Writer, pieces ...[]byte) {
			r := NewRecorder(w, k.c, nil)
			for _, p := range pieces {
				r.Sent(Server, p)
			}
			r.End(Server)
		}
		record(&want, []byte(k.in))
		if n := strings.Count(want.String(), "<"); n < 4 {
			t.Fatalf("%s: %s", name, want.String())
		}
		everyCut([]byte(k.in), func(pieces [][]byte) error {
			var got bytes.Buffer
			record(&got, pieces...)
			if frames(got.String()) != frames(want.String()) {
				t.Errorf("%s in %d pieces:\n%swant\n%s", name, len(pieces), got.String(), want.String())
			}
			return nil
		})
	}
}

// frames is what a recording has before what is no frame, which stands as it came.
func frames(s string) string {
	if i := strings.Index(s, "    no frame"); i >= 0 {
		s = s[:strings.LastIndex(s[:i], "<")]
	}
	return s
}

// In any order: a step may be the beginning of another, or match what another means.
func TestPlayAnyOrder(t *testing.T) {
	for _, k := range []struct{ steps, sent, want string }{
		{"< 01\n< 0102\n", "\x01\x02\x01", ""}, {"< 01\n< 0102\n", "\x01\x01\x02", ""}, {"< 0102\n< 01\n", "\x01\x01\x02", ""},
		{"< ..\n< 01\n", "\x01\x05", ""}, {"< ..\n< 01\n", "\x05\x01", ""}, {"< ..\n< 01\n", "\x05\x05", "no step"},
		{"< 01..\n< 0103\n< ..03\n", "\x01\x03\x09\x03\x01\x07", ""}, {"< 01..\n< 0103\n< ..03\n", "\x01\x03\x09\x03\x08\x07", "no step"},
		{"< 01\n< 01\n< 01\n", "\x01\x01\x01", ""}, {"< 01\n< 01\n< 01\n", "\x01\x01", "unexpected EOF"}, {"< 0102\n< 0103\n", "\x01\x03\x01\x03", "no step"},
		{"< 01\n< 0102\n> 07\n< 05\n", "\x01\x02\x01\x05", ""},
	} {
		for _, piece := range []int{1, 100} {
			tr, err := ReadTranscript(strings.NewReader(k.steps))
			if err != nil {
				t.Fatal(err)
			}
			client, server := net.Pipe()
			go io.Copy(io.Discard, server)
			go func() {
				for b := []byte(k.sent); len(b) > 0; b = b[min(piece, len(b)):] {
					server.Write(b[:min(piece, len(b))])
				}
				if k.want == "unexpected EOF" {
					server.Close()
				}
			}()
			err = tr.Play(client, Client, true)
			if (err == nil) != (k.want == "") || err != nil && !strings.Contains(err.Error(), k.want) {
				t.Errorf("%q for %q in pieces of %d: %v, want %q", k.sent, k.steps, piece, err, k.want)
			}
			client.Close()
			server.Close()
		}
	}
}
