package websocket

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Code is a close code.
type Code uint16

// The codes of RFC 6455, 7.4.1, and what is said of them. NoCode and Abnormal are never on the wire.
const (
	Normal        Code = 1000
	GoingAway     Code = 1001
	ProtocolError Code = 1002
	Unsupported   Code = 1003 // kind of data that is not accepted
	NoCode        Code = 1005 // a close frame without a code
	Abnormal      Code = 1006 // the stream ended without a close frame
	BadText       Code = 1007 // text that is not UTF-8
	Policy        Code = 1008
	TooLarge      Code = 1009
	NoExtension   Code = 1010
	Internal      Code = 1011
)

// valid tells that c may stand in a close frame.
func (c Code) valid() bool {
	switch {
	case c >= 3000 && c < 5000:
		return true
	case c == 1004, c == NoCode, c == Abnormal:
		return false
	}
	return c >= Normal && c <= 1014
}

// CloseError is why a connection is to be closed, or was.
type CloseError struct {
	Code   Code
	Reason string
}

// Error formats e as "websocket: code: reason".
func (e *CloseError) Error() string {
	return "websocket: " + strconv.Itoa(int(e.Code)) + ": " + e.Reason
}

// CodeOf returns the code to close with after err: that of a CloseError, TooLarge for a frame over the limit, ProtocolError
// for any other malformed frame, else Internal; Normal for nil.
func CodeOf(err error) Code {
	var e *CloseError
	switch {
	case err == nil:
		return Normal
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, frame.ErrTooLarge):
		return TooLarge
	case errors.Is(err, frame.ErrMalformed):
		return ProtocolError
	}
	return Internal
}

// AppendClose writes a close frame behind b. NoCode writes none; a reason is cut to 123 bytes at a character. A code that may
// not be sent is frame.ErrFrame. A client passes a fresh key, a server nil.
func AppendClose(b []byte, code Code, reason string, key *[4]byte) ([]byte, error) {
	if code == NoCode {
		return AppendMessage(b, Close, nil, key)
	}
	if !code.valid() {
		return b, frame.Unwritable(name, frame.ErrFrame)
	}
	for len(reason) > maxControl-2 || !utf8.ValidString(reason) {
		reason = cutReason(reason)
	}
	var p [maxControl]byte
	p[0], p[1] = byte(code>>8), byte(code)
	return AppendMessage(b, Close, p[:2+copy(p[2:], reason)], key)
}

// cutReason shortens a reason that is too long or not UTF-8.
func cutReason(s string) string {
	good := 0
	for i, r := range s {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(s[i:])
			if size == 1 {
				break
			}
		}
		if i+size > maxControl-2 {
			break
		}
		good = i + size
	}
	return s[:good]
}

// ParseClose reads the payload of a close frame. An empty one is NoCode. One byte, a code that may not be sent and a reason
// that is not UTF-8 are a CloseError with the code to answer.
func ParseClose(payload []byte) (Code, string, error) {
	if len(payload) == 0 {
		return NoCode, "", nil
	}
	if len(payload) == 1 {
		return 0, "", &CloseError{ProtocolError, "close code cut"}
	}
	code := Code(payload[0])<<8 | Code(payload[1])
	if !code.valid() {
		return code, "", &CloseError{ProtocolError, "close code " + strconv.Itoa(int(code))}
	}
	if !utf8.Valid(payload[2:]) {
		return code, "", &CloseError{BadText, "close reason is not UTF-8"}
	}
	return code, string(payload[2:]), nil
}
