package remoting

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
)

func TestErrorResponses(t *testing.T) {
	for _, k := range []struct {
		code int32
		want string
	}{
		{404, "C1011200084170692F496E666F940100000100000078"},
		{200, "81010E00084170692F496E666F0100000078"},
		{0, "81010E00084170692F496E666F0100000078"},
		{-1, "C1011200084170692F496E666FFFFFFFFF0100000078"},
	} {
		head := frame.Head(ReplyMode(k.code), 1)
		b, err := AppendFrame(nil, frame.Standard{}, head, 1, &Message{Action: []byte("Api/Info"), Code: k.code, Data: []byte("x")})
		if err != nil || !strings.EqualFold(hex.EncodeToString(b), k.want) {
			t.Fatalf("%d: %x %v", k.code, b, err)
		}
	}
	if string(ErrorText([]byte(`"bad"`))) != "bad" || NotFoundText("A/b") != "无法找到名为[A/b]的服务！" {
		t.Fatal("texts")
	}
}

// Absent, empty and filled data, with and without a tail, in every mode; written whole and piece by piece.
func TestRoundTrip(t *testing.T) {
	tails := []Tail{nil, {}, AppendTimeout(nil, time.Second), AppendDetails(AppendMetadata(nil, "k", ""), make([]byte, 300))}
	for _, mode := range []frame.Mode{frame.Request, frame.OneWay, frame.Response, frame.ErrorResponse} {
		for _, data := range [][]byte{nil, {}, []byte("x"), bytes.Repeat([]byte("y"), 1000)} {
			for _, tail := range tails {
				for _, action := range []string{"a", strings.Repeat("b", 128), strings.Repeat("b", 200)} {
					m := Message{Action: []byte(action), Data: data, Tail: tail}
					if mode == frame.ErrorResponse {
						m.Code = -7
					}
					b, err := Append([]byte("pre"), mode, &m)
					if err != nil || len(b) != 3+Size(mode, &m) || string(b[:3]) != "pre" {
						t.Fatal(len(b), Size(mode, &m), err)
					}
					got, err := Parse(mode, b[3:])
					if err != nil || fmt.Sprintf("%q %v %q %q", got.Action, got.Code, got.Data, got.Tail) != fmt.Sprintf("%q %v %q %q", m.Action, m.Code, m.Data, m.Tail) ||
						(got.Data == nil) != (data == nil) || (got.Tail == nil) != (tail == nil) {
						t.Fatalf("%v, want %v: %v", got, m, err)
					}
					c := AppendAction([]byte("pre"), action)
					if mode == frame.ErrorResponse {
						c = AppendCode(c, m.Code)
					}
					c, at := StartData(c)
					if c, err = FinishData(append(c, data...), at, data == nil, tail); err != nil || !bytes.Equal(b, c) {
						t.Fatalf("%x\n%x", c, b)
					}
					cutEverywhere(t, mode, b[3:], &m)
				}
			}
		}
	}
	for _, m := range []Message{{}, {Data: []byte("x")}} {
		if b, err := Append([]byte("pre"), 0, &m); err != ErrAction || string(b) != "pre" {
			t.Fatal(err)
		}
	}
	if b, err := FinishData([]byte("abc"), 2, false, nil); err != ErrTooLarge || string(b) != "ab" {
		t.Fatal(err)
	}
}

// cutEverywhere parses every beginning of a payload: never more than the whole has, and faults only inside its parts.
func cutEverywhere(t *testing.T, mode frame.Mode, p []byte, m *Message) {
	t.Helper()
	head := Size(mode, &Message{Action: m.Action})
	for i := range p {
		got, err := Parse(mode, p[:i])
		want := error(nil)
		switch data := head + 4 + len(m.Data); {
		case i < sizeUvarint(uint64(len(m.Action)))+len(m.Action):
			want = ErrAction
		case i < head:
			want = ErrCode
		case i > head && i < data:
			want = ErrData
		}
		var e *SyntaxError
		if !errors.Is(err, want) || err != nil && (!errors.As(err, &e) || e.Offset > i) || got.Tail != nil {
			t.Fatalf("%x: %v %v, want %v", p[:i], got, err, want)
		}
		if want != ErrAction && !bytes.Equal(got.Action, m.Action) {
			t.Fatalf("%x: action %q", p[:i], got.Action)
		}
	}
}

func TestTail(t *testing.T) {
	tail := AppendTimeout(nil, 1500*time.Microsecond)
	tail = AppendBody(AppendBody(tail, Plain), Span)
	tail = AppendTrace(tail, "00-abc-01")
	tail = AppendMetadata(AppendMetadata(tail, "k", "v1"), "k", "")
	tail = append(tail, 77, 2, 'x', 'y') // unknown: skipped
	tail = AppendDetails(AppendCredit(tail, 1<<40), []byte("why"))
	p := appendTail(nil, tail)
	got := parseTail(p)
	ms, ok := got.Timeout()
	credit, ok2 := got.Credit()
	if !ok || !ok2 || ms != 2*time.Millisecond || got.Body() != Span || string(got.Trace()) != "00-abc-01" || credit != 1<<40 || string(got.Details()) != "why" {
		t.Fatal(ms, got.Body(), got.Trace(), credit, got.Details())
	}
	var pairs []string
	for k, v := range got.Metadata() {
		pairs = append(pairs, string(k)+"="+string(v))
	}
	if strings.Join(pairs, " ") != "k=v1 k=" {
		t.Fatal(pairs)
	}
	for range got.Metadata() {
		break
	}
	none := Tail{}
	if _, ok := none.Timeout(); ok || none.Body() != Plain || none.Trace() != nil || none.Details() != nil {
		t.Fatal("empty tail")
	}
	for i := range p { // cut, it is none
		if parseTail(p[:i]) != nil {
			t.Fatalf("cut at %d", i)
		}
	}
	for name, h := range map[string]string{
		"byte behind": "f5580000", "length padded": "f5588000", "length over": "f5580101", "key padded": "f55804810001 07",
		"value over": "f558020302", "timeout of two": "f55804 01020107", "timeout padded": "f55804 01028100", "empty timeout": "f55802 0100",
		"body of two": "f55804 02020101", "metadata key over": "f55803 040105", "another mark": "f55900", "uvarint without end": "f558ffffffffffffffffffffff",
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(h, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := parseTail(b); got != nil {
			t.Errorf("%s: %x", name, got)
		}
		m, err := Parse(frame.Request, append([]byte("\x01a\x01\x00\x00\x00d"), b...))
		if err != nil || m.Tail != nil || string(m.Data) != "d" {
			t.Errorf("%s: %v %v", name, m, err)
		}
	}
	for d, want := range map[time.Duration]time.Duration{-1: 0, 0: 0, 1: time.Millisecond, math.MaxInt64: math.MaxInt64 / time.Millisecond * time.Millisecond} {
		if got, _ := AppendTimeout(nil, d).Timeout(); got != want {
			t.Errorf("%v: %v, want %v", d, got, want)
		}
	}
	if got, ok := (appendNumber(nil, keyTimeout, math.MaxUint64)).Timeout(); !ok || got <= 0 {
		t.Error(got)
	}
	for _, junk := range []Tail{{1}, {1, 9, 9}, {0xFF}, {4, 1, 9}, {2, 0}} { // made by hand, not parsed: no panic
		junk.Timeout()
		junk.Body()
		for range junk.Metadata() {
		}
	}
}

func TestControls(t *testing.T) {
	for _, k := range []struct {
		c    Control
		t    Tail
		want string
	}{
		{Cancel, nil, "81070800072463616e63656c"},
		{Credit, AppendCredit(nil, 300), "810713000724637265646974fffffffff55804 0502ac02"},
		{GoAway, nil, "410708000724676f61776179"},
		{Ping, Tail{}, "01070d00052470696e67fffffffff55800"},
		{Layout, Tail{}, "01070f0007246c61796f7574fffffffff55800"},
		{NoControl, nil, ""}, {Unknown, nil, ""},
	} {
		b := AppendControl(nil, k.c, 7, k.t)
		if hex.EncodeToString(b) != strings.ReplaceAll(k.want, " ", "") {
			t.Fatalf("%d: %x", k.c, b)
		}
		if k.want == "" {
			continue
		}
		f, n, err := frame.Standard{}.ParseFrame(b)
		m, err2 := Parse(f.Mode(), f.Payload)
		if err != nil || err2 != nil || n != len(b) || ControlOf(f.Mode(), m.Action) != k.c || !Reserved(m.Action) {
			t.Fatal(m, err, err2)
		}
		for _, mode := range []frame.Mode{frame.Request, frame.OneWay, frame.Response, frame.ErrorResponse} {
			if c := ControlOf(mode, m.Action); mode != f.Mode() && c != Unknown {
				t.Fatal(mode, c)
			}
		}
	}
	if Reserved(nil) || ValidAction(nil) || !ValidAction([]byte("a")) || ValidAction([]byte("a\x7f")) {
		t.Fatal("actions")
	}
	if ControlOf(frame.Request, []byte("a$")) != NoControl || ControlOf(frame.Request, []byte("$x")) != Unknown {
		t.Fatal("control")
	}
}

func TestStreamMarks(t *testing.T) {
	for _, k := range []struct {
		request, item, end byte
	}{{0x31, 0x21, 0x31}, {0x30, 0x20, 0x30}, {0x01, 0x01, 0x01}, {0x21, 0x21, 0x21}, {0x11, 0x11, 0x11}, {0x3F, 0x2F, 0x3F}} {
		if ItemFlag(k.request) != k.item || EndFlag(k.request) != k.end {
			t.Fatalf("%x: %x %x", k.request, ItemFlag(k.request), EndFlag(k.request))
		}
		marked := k.item != k.end
		response := func(m frame.Mode, flag byte) frame.Frame { return frame.Frame{Head: frame.Head(m, flag)} }
		if StreamEnd(k.request, response(frame.Response, k.item), nil) == marked || // a null item, or the end
			StreamEnd(k.request, response(frame.Response, k.item), []byte{}) ||
			!StreamEnd(k.request, response(frame.Response, k.end), nil) ||
			StreamEnd(k.request, response(frame.Response, k.end), []byte("x")) ||
			!StreamEnd(k.request, response(frame.ErrorResponse, k.item), []byte("x")) {
			t.Fatalf("%x", k.request)
		}
	}
}

func TestAllocations(t *testing.T) {
	call, _ := AppendFrame(nil, frame.Standard{}, 1, 1, &Message{Action: []byte("Test/Echo"), Data: make([]byte, 32), Tail: AppendTimeout(nil, time.Second)})
	b := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		f, _, _ := frame.Standard{}.ParseFrame(call)
		m, _ := Parse(f.Mode(), f.Payload)
		m.Tail.Timeout()
		b, _ = AppendFrame(b[:0], frame.Standard{}, f.Head|0x80, f.Seq, &m)
		b = AppendControl(b[:0], Cancel, 1, nil)
		b = AppendAction(b[:0], "Test/Echo")
	}); n != 0 {
		t.Fatal(n)
	}
}

// BenchmarkCall parses and writes the payload of a call with 32 bytes of data.
func BenchmarkCall(b *testing.B) {
	for name, tail := range map[string]Tail{"plain": nil, "tail": AppendTimeout(nil, time.Second)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			p, _ := Append(nil, frame.Request, &Message{Action: []byte("Test/Echo"), Data: make([]byte, 32), Tail: tail})
			out := make([]byte, 0, 128)
			for range b.N {
				m, err := Parse(frame.Request, p)
				if err != nil {
					b.Fatal(err)
				}
				out, _ = Append(out[:0], frame.Response, &m)
			}
		})
	}
}

// FuzzMessage compares Parse with a plain reading of the format, and what Append makes of it.
func FuzzMessage(f *testing.F) {
	for _, s := range []string{"\x09Test/Echo\x02\x00\x00\x00hi\xf5\x58\x04\x01\x02\xe8\x07", "\x01a\xff\xff\xff\xff\xf5\x58\x00", "\x81\x00a", "\x01a\xf4\x01\x00\x00\x01\x00\x00\x00x"} {
		f.Add(byte(0), []byte(s))
		f.Add(byte(0xC0), []byte(s))
	}
	f.Fuzz(func(t *testing.T, head byte, p []byte) {
		mode := frame.Frame{Head: head}.Mode()
		got, err := Parse(mode, p)
		want, reason := reference(mode, p)
		if !errors.Is(err, reason) || (err != nil) != (reason != nil) {
			t.Fatalf("%x: %v, reference %v", p, err, reason)
		}
		if !bytes.Equal(got.Action, want.Action) || got.Code != want.Code || !bytes.Equal(got.Data, want.Data) || (got.Data == nil) != (want.Data == nil) ||
			!bytes.Equal(got.Tail, want.Tail) || (got.Tail == nil) != (want.Tail == nil) {
			t.Fatalf("%x: %+v, reference %+v", p, got, want)
		}
		if err != nil {
			return
		}
		b, err := Append(nil, mode, &got)
		if err != nil || len(b) != Size(mode, &got) || len(b) > len(p) {
			t.Fatalf("%x: %x %v", p, b, err)
		}
		again, err := Parse(mode, b)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%x: %v, want %v", b, again, got)
		}
		for k, v := range got.Tail.Metadata() {
			_, _ = k, v
		}
	})
}

func reference(mode frame.Mode, p []byte) (m Message, reason error) {
	n, w := binary.Uvarint(p)
	if w <= 0 || w > 5 || n == 0 || n > uint64(len(p)-w) {
		return m, ErrAction
	}
	m.Action, p = p[w:w+int(n)], p[w+int(n):]
	if mode == frame.ErrorResponse {
		if len(p) < 4 {
			return m, ErrCode
		}
		m.Code, p = int32(binary.LittleEndian.Uint32(p)), p[4:]
	}
	if len(p) == 0 {
		return m, nil
	}
	if len(p) < 4 {
		return m, ErrData
	}
	size := int64(int32(binary.LittleEndian.Uint32(p)))
	p = p[4:]
	if size > int64(len(p)) {
		return m, ErrData
	}
	if size >= 0 {
		m.Data, p = append([]byte{}, p[:size]...), p[size:]
	}
	rest, ok := bytes.CutPrefix(p, []byte{0xF5, 0x58})
	if !ok {
		return m, nil
	}
	take := func() (uint64, bool) {
		n, w := binary.Uvarint(rest)
		if w <= 0 || len(binary.AppendUvarint(nil, n)) != w {
			return 0, false
		}
		rest = rest[w:]
		return n, true
	}
	if n, ok := take(); !ok || n != uint64(len(rest)) {
		return m, nil
	}
	tail := append(Tail{}, rest...)
	for len(rest) > 0 {
		key, ok := take()
		n, ok2 := take()
		if !ok || !ok2 || n > uint64(len(rest)) {
			return m, nil
		}
		after := rest[n:]
		rest = rest[:n]
		switch key {
		case 1, 5:
			if _, ok := take(); !ok || len(rest) > 0 {
				return m, nil
			}
		case 2, 8:
			if n != 1 {
				return m, nil
			}
		case 7:
			if n != 16 {
				return m, nil
			}
		case 9:
			if n != 0 {
				return m, nil
			}
		case 4:
			if k, ok := take(); !ok || k > uint64(len(rest)) {
				return m, nil
			}
		}
		rest = after
	}
	m.Tail = tail
	return m, nil
}
