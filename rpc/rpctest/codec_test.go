package rpctest

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/websocket"
)

func payloads(ps ...string) (fs []frame.Frame) {
	for _, p := range ps {
		fs = append(fs, frame.Frame{Payload: []byte(p)})
	}
	return fs
}

func bad(ss ...string) (out [][]byte) {
	for _, s := range ss {
		out = append(out, []byte(s))
	}
	return out
}

var standardFrames = []frame.Frame{{Head: 1, Seq: 2, Payload: []byte("Open")}, {}, {Head: 0xFF, Seq: 255, Payload: make([]byte, 300)}}

func TestCodecs(t *testing.T) {
	t.Run("standard", func(t *testing.T) {
		Codec(t, frame.Standard{}, Sample{Frames: append(standardFrames, frame.Frame{Head: 0x81, Payload: make([]byte, 70_000)}),
			Bad: bad("\x01\x01\xff\xff\xff\xff\xff\xff", "\x01\x01\x00\x00\x01\x01\xff\xff\x01\x00\x80\x00more")})
	})
	for _, size := range []int{0, 1, 2, 4, -2, -4} {
		t.Run("lengthfield", func(t *testing.T) {
			Codec(t, frame.LengthField{Size: size, Offset: 3, Max: 200}, Sample{Frames: payloads("hi", "", strings.Repeat("x", 190)),
				Bad: bad("123\xff\xff\xff\xff\xff\xff")})
		})
	}
	t.Run("delimited", func(t *testing.T) {
		Codec(t, frame.Delimited{Max: 100}, Sample{Frames: payloads("a", "", "b\r", "\n", "c\nd"), Bad: bad("ok\r\n" + strings.Repeat("x", 103))})
	})
	t.Run("delimited-keep", func(t *testing.T) {
		Codec(t, frame.Delimited{Delimiter: "##", Keep: true}, Sample{Frames: payloads("a##", "##", "b#c##")})
	})
	t.Run("json", func(t *testing.T) {
		Codec(t, frame.JSON{}, Sample{Frames: payloads(`{"n":"你","m":[1,2.5e3,null]}`, "42", "true", `"\u4e2d\n"`, "[]", "-0.5"), Bad: bad(`{} {bad`, "[1]]", "1true")})
	})
	t.Run("websocket", func(t *testing.T) {
		Codec(t, websocket.Codec{}, Sample{Frames: []frame.Frame{{Head: 0x81, Payload: []byte("Hello")}, {Head: 0x01, Seq: 0x80, Key: 0x37fa213d, Payload: []byte("Hel")},
			{Head: 0x82, Payload: make([]byte, 200)}, {Head: 0x82, Seq: 0x80, Payload: make([]byte, 70_000)}, {Head: 0x89}},
			Bad: bad("\x89\x00\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff")})
	})
}

// broken is Standard with a fault.
type broken struct {
	frame.Standard
	fault string
}

func (c broken) AppendFrame(b []byte, f frame.Frame) ([]byte, error) {
	switch c.fault {
	case "append drops what is there":
		b = nil
	case "append changes the payload":
		if len(f.Payload) > 0 {
			f.Payload[0]++
		}
	case "append ignores the limit":
		c.Max = 1 << 30
	}
	return c.Standard.AppendFrame(b, f)
}

func (c broken) SizeFrame(f frame.Frame) int {
	if c.fault == "size" {
		return 4 + len(f.Payload)&0xFF
	}
	return c.Standard.SizeFrame(f)
}

func (c broken) ParseFrame(b []byte) (frame.Frame, int, error) {
	switch c.fault {
	case "cut is an error":
		if len(b) == 3 {
			return frame.Frame{}, 0, frame.Malformed("broken", 0, frame.ErrLength)
		}
	case "cut is a frame":
		if len(b) > 4 && len(b) < 4+int(binary.LittleEndian.Uint16(b[2:])) {
			return frame.Frame{Head: b[0], Seq: b[1], Payload: b[4:]}, len(b), nil
		}
	case "bad is need more":
		f, n, err := c.Standard.ParseFrame(b)
		if err != nil {
			return frame.Frame{}, 0, nil
		}
		return f, n, nil
	case "error has no place":
		f, n, err := c.Standard.ParseFrame(b)
		if err != nil {
			return f, n, &frame.Error{Op: "parse", Codec: "broken", Offset: 1 << 40, Reason: frame.ErrLength}
		}
		return f, n, nil
	}
	f, n, err := c.Standard.ParseFrame(b)
	switch {
	case n == 0:
	case c.fault == "parse changes the input":
		b[1]++
	case c.fault == "parse allocates":
		f.Payload = append([]byte(nil), f.Payload...)
		sinkhole = f.Payload
		f.Payload = f.Payload[:len(f.Payload):len(f.Payload)]
	case c.fault == "parse reads on":
		f.Payload = b[n-len(f.Payload) : min(len(b), n+1)]
	case c.fault == "parse leaves room":
		f.Payload = b[n-len(f.Payload) : n]
	case c.fault == "parse forgets the number":
		f.Seq = 0
	}
	return f, n, err
}

func (c broken) NewCutter() frame.Cutter { return cutter{c} }

// cutter asks ParseFrame.
type cutter struct{ c broken }

func (k cutter) Cut(b []byte) (int, error) {
	if k.c.fault == "cutter contradicts" && len(b) > 4 {
		return 5, nil
	}
	_, n, err := k.c.ParseFrame(b)
	return n, err
}

var sinkhole []byte

// Each fault is found, and by the check that is there for it.
func TestSuiteFindsFaults(t *testing.T) {
	for fault, check := range map[string]string{
		"": "", "append drops what is there": "append", "append changes the payload": "append", "size": "append", "append ignores the limit": "limit",
		"cut is an error": "cut", "cut is a frame": "cut", "bad is need more": "bad", "error has no place": "bad", "parse changes the input": "parse",
		"parse allocates": "allocations", "parse reads on": "parse", "parse leaves room": "parse", "parse forgets the number": "parse", "cutter contradicts": "stream",
	} {
		s := Sample{Frames: nil, Bad: bad("\x01\x01\xff\xff\xff\xff\xff\xff")}
		for _, f := range standardFrames {
			f.Payload = append([]byte{}, f.Payload...)
			s.Frames = append(s.Frames, f)
		}
		c := broken{Standard: frame.Standard{Max: 1 << 20}, fault: fault}
		found := map[string]bool{}
		for _, k := range checks {
			if k.name == "concurrent" && fault != "" {
				continue // the race detector finds what it is there for
			}
			if k.run(c, s) != nil {
				found[k.name] = true
			}
		}
		if fault == "" && len(found) > 0 || fault != "" && !found[check] {
			t.Errorf("%q: found by %v, want %q", fault, found, check)
		}
	}
}
