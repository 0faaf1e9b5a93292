package value

import (
	"bytes"
)

// Member is what a client adds to the arguments of a call: its token, headers, the trace.
type Member struct{ Name, Value string }

// AppendMembers adds members to the arguments that stand behind mark at the end of b, written there by Append as kind. They go
// behind the object's own members, in their order, each unless one of its name, ASCII letters in any case, is there already;
// those without a value are left out.
//
// How deep the arguments nest was for Append's Dialect to say, and is not looked at again.
//
// No arguments, JSON arrays and a []byte stay as they are: they cannot carry members and NewLife sends them without. For a
// scalar, a Packet, a value that writes itself and a span body the error is ErrNoObject; send those without members.
func AppendMembers(b []byte, mark int, kind Kind, members ...Member) ([]byte, error) {
	body := b[min(mark, len(b)):]
	object := kind == JSON && len(body) > 1 && body[0] == '{' && body[len(body)-1] == '}'
	if !object {
		if wanted(members) && kind != Absent && kind != Bytes && !(kind == JSON && len(body) > 0 && body[0] == '[') {
			return b, &Error{Reason: ErrNoObject}
		}
		return b, nil
	}
	for _, m := range members {
		if m.Value == "" {
			continue
		}
		_, there, err := find(b[mark:], m.Name, writtenDepth)
		if err != nil {
			return b, err
		}
		if there {
			continue
		}
		b = bytes.TrimRight(b[:len(b)-1], " \t\r\n") // the }
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(appendString(b, m.Name), ':')
		b = append(appendString(b, m.Value), '}')
	}
	return b, nil
}

// writtenDepth is how deep that may nest which Append has written. It only bounds the stack: Dialect.Depth has been kept to, but
// for what values with MarshalJSON say, of which encoding/json has taken at most 10,000 levels.
const writtenDepth = 1 << 16

func wanted(members []Member) bool {
	for _, m := range members {
		if m.Value != "" {
			return true
		}
	}
	return false
}

// FindMember is Dialect.FindMember of the zero Dialect.
func FindMember(data []byte, name string) (string, bool) { return Dialect{}.FindMember(data, name) }

// FindMember returns the text of a member of the JSON object that data is: the last of that name, ASCII letters in any case. It
// is false when data is not an object, nests deeper than Depth or has no such member, or a null one. Objects and arrays come as
// their JSON.
func (d Dialect) FindMember(data []byte, name string) (string, bool) {
	raw, ok, err := find(data, name, d.depth())
	if !ok || err != nil || string(raw) == "null" {
		return "", false
	}
	if raw[0] == '"' {
		p := scanner{b: raw}
		s, err := p.text()
		return textOf(s), err == nil
	}
	return textOf(raw), true
}

// find returns the bytes of a member's value in data, which nests at most so deep.
func find(data []byte, name string, depth int) (raw []byte, ok bool, err error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return nil, false, nil
	}
	p := scanner{b: data, most: depth}
	err = p.object(func(n []byte) error {
		start := p.i
		if err := p.skip(); err != nil {
			return err
		}
		if sameName(n, name) {
			raw, ok = p.b[start:p.i], true
		}
		return nil
	})
	return raw, ok, err
}
