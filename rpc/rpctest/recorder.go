package rpctest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// Recorder writes a transcript as a conversation goes on: one line for each frame, when it is whole. It is safe for concurrent
// use; frames of the two sides stand in the order in which their last bytes came.
type Recorder struct {
	mu       sync.Mutex
	w        io.Writer
	c        frame.Codec
	describe func(frame.Frame) string
	sides    map[Side]*side
	err      error
}

// side is what one side has sent.
type side struct {
	b     []byte       // bytes of a frame that is not whole
	blank int          // how many of them in front belong to none
	need  int          // how many they will be, where it is known
	cut   frame.Cutter // nil where frames begin with their length, and for codecs that have none
	raw   bool         // frames cannot be told any more
	ended bool
}

// NewRecorder writes to w what is sent in c's frames, with what describe says of each below it; nil says nothing.
func NewRecorder(w io.Writer, c frame.Codec, describe func(frame.Frame) string) *Recorder {
	r := &Recorder{w: w, c: c, describe: describe, sides: map[Side]*side{Client: new(side), Server: new(side)}}
	if k, ok := c.(frame.Resumer); ok {
		for _, s := range r.sides {
			s.cut = k.NewCutter()
		}
	}
	return r
}

// Sent records bytes that a side has sent. Bytes that the codec refuses stand as they came.
func (r *Recorder) Sent(from Side, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sides[from]
	if s.ended || len(p) == 0 {
		return
	}
	s.b = append(s.b, p...)
	b := s.b
	for len(b) > 0 && !s.raw {
		f, n, err := s.next(r.c, b)
		if err != nil {
			s.raw = true
			break
		}
		if n == 0 {
			break
		}
		note := ""
		if r.describe != nil {
			note = r.describe(f)
		}
		r.write(Step{From: from, Bytes: b[:n], Note: note})
		b = b[n:]
	}
	if s.raw && len(b) > 0 {
		r.write(Step{From: from, Bytes: b, Note: "no frame"})
		b = nil
	}
	if len(b) < len(s.b) {
		s.b = append(s.b[:0], b...)
	}
}

// next is ParseFrame for b, which has grown since it was last not whole: what was looked at then is not looked at again.
func (s *side) next(c frame.Codec, b []byte) (frame.Frame, int, error) {
	for s.cut != nil && s.need == 0 {
		n, err := s.cut.Cut(b[s.blank:])
		switch {
		case err != nil || n == 0:
			return frame.Frame{}, 0, err
		case n > 0:
			s.need = s.blank + n
		case s.blank-n == len(b):
			s.blank -= n
			return frame.Frame{}, 0, nil
		default:
			s.blank -= n
		}
	}
	if s.need > len(b) {
		return frame.Frame{}, 0, nil
	}
	s.blank, s.need = 0, 0
	return c.ParseFrame(b)
}

// End records that a side sends no more; what is pending of a frame stands before it.
func (r *Recorder) End(from Side) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sides[from]
	if s.ended {
		return
	}
	s.ended = true
	if len(s.b) > 0 {
		r.write(Step{From: from, Bytes: s.b, Note: "frame cut"})
	}
	s.b = nil
	r.write(Step{From: from, End: true})
}

// Err returns the first error of the writer.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recorder) write(k Step) {
	if r.err == nil {
		_, r.err = r.w.Write(k.append(nil))
	}
}

// Conn returns c, whose user is the side local, with everything that goes over it recorded. Bytes that a failing Write did not
// send are recorded, too.
func (r *Recorder) Conn(c net.Conn, local Side) net.Conn { return &recorded{c, r, local} }

type recorded struct {
	net.Conn
	r     *Recorder
	local Side
}

func (c *recorded) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.r.Sent(c.local.Peer(), p[:n])
	if errors.Is(err, io.EOF) {
		c.r.End(c.local.Peer())
	}
	return n, err
}

// Write records p before it is written, so that the answer cannot stand before it.
func (c *recorded) Write(p []byte) (int, error) {
	c.r.Sent(c.local, p)
	return c.Conn.Write(p)
}

func (c *recorded) Close() error {
	c.r.End(c.local)
	return c.Conn.Close()
}

// CloseWrite ends what this side sends, where the connection can.
func (c *recorded) CloseWrite() error {
	w, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	c.r.End(c.local)
	return w.CloseWrite()
}

// Remoting describes a Standard frame with a Remoting message: mode, number, flag where it is not 1, action, code, data.
func Remoting(f frame.Frame) string {
	s := f.Mode().String() + " " + strconv.Itoa(int(f.Seq))
	if f.Flag() != 1 {
		s += fmt.Sprintf(" flag %02x", f.Flag())
	}
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if err != nil {
		return s + " (" + err.Error() + ")"
	}
	s += " " + printable(m.Action)
	if f.Mode() == frame.ErrorResponse {
		s += " code " + strconv.Itoa(int(m.Code))
	}
	if m.Data != nil {
		s += " " + printable(m.Data)
	}
	if m.Tail != nil {
		s += fmt.Sprintf(" tail %x", []byte(m.Tail))
	}
	return s
}

// printable shows data on one line: text as it is, other bytes in hexadecimal, long data cut.
func printable(data []byte) string {
	const most = 200
	rest := ""
	if len(data) > most {
		rest = fmt.Sprintf("... %d bytes", len(data))
		data = data[:most]
	}
	if !utf8.Valid(data) || bytes.ContainsFunc(data, func(r rune) bool { return !unicode.IsPrint(r) }) {
		if text := strings.ToValidUTF8(string(data), ""); rest != "" && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) && len(text) > most-4 {
			return text + rest // a character cut by the limit
		}
		return fmt.Sprintf("%x", data) + rest
	}
	if s := string(data); strings.TrimSpace(s) != s || s == "" {
		return strconv.Quote(s) + rest
	}
	return string(data) + rest
}
