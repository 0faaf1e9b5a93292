package rpctest

import (
	"bytes"
	"flag"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/vectors"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

var update = flag.Bool("update", false, "write the golden transcripts")

// echo answers Test/Echo and Test/Fail on c until it ends, in pieces of n bytes; swapped answers pairs in reverse.
func echo(c net.Conn, n int, swapped bool) {
	defer c.Close()
	var held []byte
	d := frame.NewReader(frame.Standard{})
	for {
		k, err := c.Read(d.Space())
		d.Wrote(k)
		var out []byte
		for {
			f, ok := d.Next()
			if !ok {
				break
			}
			reply := answer(f)
			if swapped && held == nil {
				held = reply
				continue
			}
			out = append(append(out, reply...), held...)
			held = nil
		}
		for len(out) > 0 {
			k := min(n, len(out))
			if _, err := c.Write(out[:k]); err != nil {
				return
			}
			out = out[k:]
		}
		if err != nil {
			return
		}
	}
}

func answer(f frame.Frame) []byte {
	m, _ := remoting.Parse(f.Mode(), f.Payload)
	if string(m.Action) == "Test/Fail" {
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.ErrorResponse, f.Head), f.Seq, &remoting.Message{Action: m.Action, Code: 500, Data: []byte("boom")})
		return b
	}
	var msg *string
	reply := remoting.Message{Action: m.Action, Code: remoting.BadRequest}
	err := value.Dialect{}.Bind(m.Data, value.Param{Name: "msg", Into: &msg})
	mode := frame.ErrorResponse
	if err == nil {
		mode, reply.Code = frame.Response, 0
		b, kind, _ := value.Dialect{}.Append([]byte{}, msg)
		if kind != value.Absent {
			reply.Data = b
		}
	} else {
		reply.Data = []byte(err.Error())
	}
	b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(mode, f.Head), f.Seq, &reply)
	return b
}

// golden is the recorded conversation echo-string as a transcript, without the two calls whose answers have other texts here.
func golden(t *testing.T) []byte {
	var b bytes.Buffer
	r := NewRecorder(&b, frame.Standard{}, Remoting)
	for _, l := range vectors.Committed(t, "..", "remoting/echo-string.jsonl") {
		if !l.Has("frame") {
			continue
		}
		if seq := l.Sub(t, "parsed").Int(t, "seq"); seq == 13 || seq == 14 {
			continue
		}
		from := Client
		if l.Text("dir") == "s2c" {
			from = Server
		}
		r.Sent(from, l.Bytes(t, "frame").Head)
	}
	r.End(Client)
	r.End(Server)
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return b.Bytes()
}

func TestVectorTranscript(t *testing.T) {
	file := filepath.Join("testdata", "echo-string.txt")
	want := golden(t)
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s is not the recording (-update writes it): %v", file, err)
	}
	tr, err := ReadTranscript(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := tr.WriteTo(&again); err != nil || again.String() != string(got) {
		t.Fatalf("writes\n%s", again.String())
	}
	// It plays against a server that answers so, and what is recorded of that is the same transcript.
	for _, n := range []int{1, 7, 1 << 20} {
		client, server := net.Pipe()
		go echo(server, n, false)
		var b bytes.Buffer
		r := NewRecorder(&b, frame.Standard{}, Remoting)
		c := r.Conn(client, Client)
		if err := tr.Play(c, Client, false); err != nil {
			t.Fatal(err)
		}
		r.End(Server) // net.Pipe knows no half close: the client's end ended both
		c.Close()
		if b.String() != string(got) {
			t.Fatalf("recorded\n%s", b.String())
		}
	}
	// The server's side plays against a client as well.
	client, server := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- tr.Play(server, Server, false) }()
	if err := tr.Play(client, Client, false); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestPlay(t *testing.T) {
	call := func(seq byte, text string) string {
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, 1, seq, &remoting.Message{Action: []byte("Test/Echo"), Data: []byte(text)})
		return string((&Step{From: Client, Bytes: b}).append(nil))
	}
	reply := func(seq byte, text string) string {
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, 0x81, seq, &remoting.Message{Action: []byte("Test/Echo"), Data: []byte(text)})
		return string((&Step{From: Server, Bytes: b}).append(nil))
	}
	long := strings.Repeat("long-", 100)
	both := call(1, "a") + call(2, long) + reply(1, "a") + reply(2, long)
	for _, k := range []struct {
		name, text string
		swapped    bool
		any        bool
		want       string // in the error
	}{
		{"in order", both + ">!\n", false, false, ""},
		{"in order, any", both, false, true, ""},
		{"swapped", both, true, false, "line 11: byte 1 differs"},
		{"swapped, any", both, true, true, ""},
		{"another text", call(1, "a") + reply(1, "b"), false, false, "line 2: byte 18 differs\ngot  81010f"},
		{"another text, any", call(1, "a") + reply(1, "b"), false, true, "line 2: no step of this group"},
		{"any byte", call(1, "a") + strings.Replace(reply(1, "b"), "0062", "00..", 1), false, false, ""},
		{"any byte, any", call(1, "a") + strings.Replace(reply(1, "b"), "0062", "00..", 1), false, true, ""},
		{"wrong end", call(1, "a") + "<!\n", false, false, "line 2: want the end, got 81010f"},
		{"no end", call(1, "a") + reply(1, "a") + ">!\n<!\n", false, false, "line 4: want the end"},
	} {
		t.Run(k.name, func(t *testing.T) {
			tr, err := ReadTranscript(strings.NewReader(k.text))
			if err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				if c, err := l.Accept(); err == nil {
					echo(c, 5, k.swapped)
				}
			}()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(10 * time.Second))
			err = tr.Play(c, Client, k.any)
			if k.name == "no end" {
				if err != nil { // the server ends after the client does
					t.Fatal(err)
				}
				return
			}
			if (err == nil) != (k.want == "") || err != nil && !strings.Contains(err.Error(), k.want) {
				t.Fatalf("%v, want %q", err, k.want)
			}
		})
	}
	client, server := net.Pipe()
	server.Close()
	tr, _ := ReadTranscript(strings.NewReader("< 0102\n"))
	if err := tr.Play(client, Client, false); err == nil || !strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Fatal(err)
	}
}

func TestReadTranscript(t *testing.T) {
	tr, err := ReadTranscript(strings.NewReader("# c\n\n> 01 0 2\n+ 03..\n    note one\n\tnote two\n<!\n"))
	if err != nil || len(tr.Steps) != 2 {
		t.Fatal(tr, err)
	}
	k := tr.Steps[0]
	if k.From != Client || !bytes.Equal(k.Bytes, []byte{1, 2, 3, 0}) || !k.matches([]byte{1, 2, 3, 9}) || k.matches([]byte{1, 2, 4, 0}) || k.matches([]byte{1, 2, 3}) ||
		k.Note != "note one\nnote two" || k.Line != 3 || !tr.Steps[1].End || tr.Steps[1].From != Server {
		t.Fatalf("%+v", tr.Steps)
	}
	for _, bad := range []string{"x 01", "> 0", "> 0g", "+ 01", "<!\n+ 01", "> ... "} {
		if _, err := ReadTranscript(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestRecorder(t *testing.T) {
	var b strings.Builder
	r := NewRecorder(&b, frame.Standard{}, Remoting)
	r.Sent(Client, []byte("\x01\x01"))
	r.Sent(Server, []byte("\x41\x07\x02\x00\x01n"))
	r.Sent(Client, []byte("\x00\x00\x01\x01\xff\xff\xff\xff\xff\xff"))
	r.Sent(Client, []byte("GET"))
	r.Sent(Server, []byte("\x81"))
	r.End(Server)
	r.End(Server)
	r.Sent(Server, []byte("late"))
	want := "< 410702000" + "16e\n    oneway 7 n\n> 01010000\n    request 1 (remoting: action missing or cut at byte 0)\n> 0101ffffffffffff\n    no frame\n> 474554\n    no frame\n< 81\n    frame cut\n<!\n"
	if b.String() != want {
		t.Fatalf("%s\nwant\n%s", b.String(), want)
	}
	if s := printable([]byte(strings.Repeat("中", 100))); !strings.HasPrefix(s, "中中") || !strings.HasSuffix(s, "... 300 bytes") {
		t.Fatal(s)
	}
	if s := printable([]byte{0, 255}); s != "00ff" {
		t.Fatal(s)
	}
}
