package rpctest

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Side is who sends.
type Side byte

// The sides.
const (
	Client Side = '>'
	Server Side = '<'
)

// Peer is the other side.
func (s Side) Peer() Side {
	if s == Client {
		return Server
	}
	return Client
}

// Step is one line of a transcript that means something: bytes from a side, or the end of what it sends.
type Step struct {
	From  Side
	Bytes []byte
	Any   []bool // places of Bytes whose value does not count when compared; nil when all do
	End   bool   // Bytes is empty: the side sends no more
	Note  string // description below the line, without the indent
	Line  int    // place in the file it was read from
}

// Transcript is a conversation.
type Transcript struct {
	Steps []Step
}

const (
	wrap   = 64 // bytes on a line
	indent = "    "
)

// ReadTranscript reads the text form. An error names the line.
func ReadTranscript(r io.Reader) (*Transcript, error) {
	t := new(Transcript)
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 16<<20)
	for n := 1; sc.Scan(); n++ {
		if err := t.line(strings.TrimRight(sc.Text(), " \t\r"), n); err != nil {
			return nil, fmt.Errorf("rpctest: line %d: %w", n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("rpctest: %w", err)
	}
	return t, nil
}

func (t *Transcript) line(s string, n int) error {
	if s == "" || s[0] == '#' {
		return nil
	}
	last := len(t.Steps) - 1
	switch c := s[0]; c {
	case ' ', '\t':
		if note := strings.TrimSpace(s); last >= 0 && note != "" {
			k := &t.Steps[last]
			if k.Note != "" {
				k.Note += "\n"
			}
			k.Note += note
		}
		return nil
	case '+':
		if last < 0 || t.Steps[last].End {
			return fmt.Errorf("no bytes to go on with")
		}
		return t.Steps[last].add(s[1:])
	case byte(Client), byte(Server):
		k := Step{From: Side(c), Line: n}
		if s[1:] == "!" {
			k.End = true
		} else if err := k.add(s[1:]); err != nil {
			return err
		}
		t.Steps = append(t.Steps, k)
		return nil
	}
	return fmt.Errorf("a line begins with %q", s[0])
}

// add appends bytes in hexadecimal, with .. for any.
func (k *Step) add(s string) error {
	s = strings.ReplaceAll(s, " ", "")
	if len(s)%2 != 0 {
		return fmt.Errorf("half a byte at the end")
	}
	for i := 0; i < len(s); i += 2 {
		if s[i:i+2] == ".." {
			if k.Any == nil {
				k.Any = make([]bool, len(k.Bytes))
			}
			k.Bytes, k.Any = append(k.Bytes, 0), append(k.Any, true)
			continue
		}
		b, err := hex.DecodeString(s[i : i+2])
		if err != nil {
			return fmt.Errorf("%q is no byte", s[i:i+2])
		}
		k.Bytes = append(k.Bytes, b[0])
		if k.Any != nil {
			k.Any = append(k.Any, false)
		}
	}
	return nil
}

// WriteTo writes the text form.
func (t *Transcript) WriteTo(w io.Writer) (int64, error) {
	var b []byte
	for i := range t.Steps {
		b = t.Steps[i].append(b)
	}
	n, err := w.Write(b)
	return int64(n), err
}

// append writes the step's lines behind b.
func (k *Step) append(b []byte) []byte {
	b = append(b, byte(k.From))
	if k.End {
		b = append(b, '!')
	} else {
		b = append(b, ' ')
	}
	for i, c := range k.Bytes {
		if i > 0 && i%wrap == 0 {
			b = append(b, "\n+ "...)
		}
		if k.Any != nil && k.Any[i] {
			b = append(b, ".."...)
		} else {
			b = hex.AppendEncode(b, []byte{c})
		}
	}
	b = append(b, '\n')
	if k.Note != "" {
		for _, l := range strings.Split(k.Note, "\n") {
			b = append(append(append(b, indent...), l...), '\n')
		}
	}
	return b
}

// matches tells that got is what the step says.
func (k *Step) matches(got []byte) bool {
	if len(got) != len(k.Bytes) {
		return false
	}
	for i, c := range got {
		if c != k.Bytes[i] && (k.Any == nil || !k.Any[i]) {
			return false
		}
	}
	return true
}
