package span

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
)

// GUID is .NET's Guid, held as its 16 bytes on the wire: int32, int16 and int16
// little-endian, then 8 bytes as they stand. The text
// 00112233-4455-6677-8899-aabbccddeeff is the bytes
// 33221100 5544 7766 8899aabbccddeeff, whatever byte order the message has.
//
// Other Go packages hold UUIDs in the order of their text (RFC 9562); convert
// with GUIDFromUUID and UUID, never by copying the bytes.
type GUID [16]byte

// guidText is the length of the usual text, 8-4-4-4-12.
const guidText = 36

// guidDash tells after which bytes, counted in the order of the text, a dash
// stands.
const guidDash = 1<<4 | 1<<6 | 1<<8 | 1<<10

// GUIDFromUUID converts a UUID in the order of RFC 9562, as held by other Go
// packages.
func GUIDFromUUID(u [16]byte) GUID {
	return GUID(swapGUID(u))
}

// UUID gives the bytes in the order of RFC 9562.
func (g GUID) UUID() [16]byte {
	return swapGUID(g)
}

// swapGUID converts between the two orders, either way.
func swapGUID(u [16]byte) [16]byte {
	return [16]byte{
		u[3], u[2], u[1], u[0], u[5], u[4], u[7], u[6],
		u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15],
	}
}

// NewGUID makes a random GUID (version 4) from crypto/rand, which does not
// fail. It is Guid.NewGuid.
func NewGUID() GUID {
	var u [16]byte
	rand.Read(u[:])
	u[6] = u[6]&0x0f | 0x40 // version 4
	u[8] = u[8]&0x3f | 0x80 // variant of RFC 9562
	return GUIDFromUUID(u)
}

// ParseGUID reads the text forms that Guid.ToString calls D, N, B and P, in
// either case:
//
//	00112233-4455-6677-8899-aabbccddeeff
//	00112233445566778899aabbccddeeff
//	{00112233-4455-6677-8899-aabbccddeeff}
//	(00112233-4455-6677-8899-aabbccddeeff)
//
// Anything else, blanks around the text included, is ErrMalformed.
func ParseGUID(s string) (GUID, error) {
	g, ok := parseGUID(s)
	if !ok {
		return GUID{}, because(ErrMalformed, "%.50q is not a GUID", s)
	}
	return g, nil
}

// parseGUID is ParseGUID for text in either form of storage.
func parseGUID[T string | []byte](s T) (GUID, bool) {
	if n := len(s); n == guidText+2 {
		if !(s[0] == '{' && s[n-1] == '}' || s[0] == '(' && s[n-1] == ')') {
			return GUID{}, false
		}
		s = s[1 : n-1]
	}
	dashes := len(s) == guidText
	if !dashes && len(s) != 32 {
		return GUID{}, false
	}
	var u [16]byte
	for i, k := 0, 0; i < len(u); i++ {
		if dashes && guidDash>>i&1 != 0 {
			if s[k] != '-' {
				return GUID{}, false
			}
			k++
		}
		hi, lo := hexDigit(s[k]), hexDigit(s[k+1])
		if hi|lo > 15 {
			return GUID{}, false
		}
		u[i] = hi<<4 | lo
		k += 2
	}
	return GUIDFromUUID(u), true
}

// hexDigit gives the value of a hexadecimal digit, 255 for other characters.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// IsZero reports whether g is Guid.Empty.
func (g GUID) IsZero() bool {
	return g == GUID{}
}

// Compare orders GUIDs as .NET does, which is the order of their text.
func (g GUID) Compare(h GUID) int {
	a, b := g.UUID(), h.UUID()
	return bytes.Compare(a[:], b[:])
}

// String gives the lower-case text 00112233-4455-6677-8899-aabbccddeeff.
func (g GUID) String() string {
	var b [guidText]byte
	return string(g.appendText(b[:0]))
}

// AppendText appends what String gives. It never fails.
func (g GUID) AppendText(b []byte) ([]byte, error) {
	return g.appendText(b), nil
}

// MarshalText gives what String gives. It never fails.
func (g GUID) MarshalText() ([]byte, error) {
	return g.appendText(make([]byte, 0, guidText)), nil
}

// UnmarshalText reads any text that ParseGUID reads. On an error g keeps its
// value.
func (g *GUID) UnmarshalText(text []byte) error {
	v, ok := parseGUID(text)
	if !ok {
		return because(ErrMalformed, "%.50q is not a GUID", text)
	}
	*g = v
	return nil
}

func (g GUID) appendText(b []byte) []byte {
	u := g.UUID()
	b = append(hex.AppendEncode(b, u[:4]), '-')
	b = append(hex.AppendEncode(b, u[4:6]), '-')
	b = append(hex.AppendEncode(b, u[6:8]), '-')
	b = append(hex.AppendEncode(b, u[8:10]), '-')
	return hex.AppendEncode(b, u[10:])
}
