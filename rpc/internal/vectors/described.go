package vectors

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Described returns what a line says was written, "string hello" or "int 123":
// its kind, in lower case, and its value, without the remark in brackets behind.
// The word empty stands for a value without bytes, CRLF for a line's end.
func Described(s string) (kind, value string) {
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i]
	}
	kind, value, _ = strings.Cut(s, " ")
	if value == "empty" {
		value = ""
	}
	value = strings.ReplaceAll(strings.ReplaceAll(value, " CRLF ", "\r\n"), " LF ", "\n")
	return strings.ToLower(kind), value
}

// Payload returns the bytes that the recorded StandardCodec makes of a described
// value, and whether they are text, which has flag 0. It does not know messages.
func Payload(kind, value string) (b []byte, text, ok bool) {
	switch kind {
	case "byte[]", "ipacket", "packet", "arraypacket", "ownerpacket":
		b, err := hex.DecodeString(value)
		return b, false, err == nil
	case "bool", "boolean":
		yes, err := strconv.ParseBool(value)
		return []byte(map[bool]string{true: "True", false: "False"}[yes]), true, err == nil
	case "datetime":
		at, err := time.Parse(time.DateTime, value)
		return at.AppendFormat(nil, "01/02/2006 15:04:05"), true, err == nil
	case "defaultmessage":
		return nil, false, false
	}
	return []byte(value), true, true
}
