package remoting

import (
	"bytes"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Codes of error responses that the library itself gives. A handler may give any other.
const (
	OK              int32 = 200 // no error, like 0: never in an error response
	BadRequest      int32 = 400
	Unauthorized    int32 = 401
	Forbidden       int32 = 403
	NotFound        int32 = 404
	Mismatch        int32 = 412 // another layout, or a member that the reader has no place for
	PayloadTooLarge int32 = 413
	TooManyRequests int32 = 429
	Cancelled       int32 = 499
	Internal        int32 = 500
	Unavailable     int32 = 503
	Timeout         int32 = 504 // the time of the handler's context was over
)

// Success reports that a code is no error: 0 or 200. A client that reads an error response with such a code has a result.
func Success(code int32) bool { return code == 0 || code == OK }

// ReplyMode is the mode of the frame that answers with a code: the code is on the wire exactly in error responses.
func ReplyMode(code int32) frame.Mode {
	if Success(code) {
		return frame.Response
	}
	return frame.ErrorResponse
}

// ErrorText returns the text of an error response: its data without quotes at both ends, as NewLife's client shows it.
func ErrorText(data []byte) []byte { return bytes.Trim(data, `"`) }

// NotFoundText is the text with which NewLife answers the call of an action that does not exist.
func NotFoundText(action string) string { return "无法找到名为[" + action + "]的服务！" }

// ValidAction reports that NewLife would look an action up: not empty, and every byte below 7F. Others it drops without an
// answer; they get BadRequest here.
func ValidAction(action []byte) bool {
	for _, c := range action {
		if c >= 0x7F {
			return false
		}
	}
	return len(action) > 0
}

// ActionProblem says why an action of this name could not be called, "" when it can.
func ActionProblem(name string) string {
	switch {
	case name == "":
		return "has no name"
	case Reserved([]byte(name)):
		return "begins with $, which the protocol keeps for itself"
	case !ValidAction([]byte(name)):
		return "has a byte above 7E, which NewLife does not look up"
	}
	return ""
}

// Reserved reports that an action is one of the protocol's own: it begins with $.
func Reserved(action []byte) bool { return len(action) > 0 && action[0] == '$' }

// Control is a message of the protocol itself.
type Control byte

// The control messages.
const (
	NoControl Control = iota
	Cancel            // to a server: the call with this number is to end
	Credit            // to a server: more of this number's stream may be sent
	GoAway            // no new calls on this connection
	Ping              // answer anything
	Layout            // is this the layout that one-way messages of the action in the data are read with? answered 200 or 412
	Alive             // the sender lives although it does not read at the moment: ignored
	Unknown           // a reserved action without a meaning, or in the wrong mode: ignore it, or answer NotFound a request
)

// controls has name and mode of each control message.
var controls = [...]struct {
	action string
	mode   frame.Mode
}{Cancel: {"$cancel", frame.Response}, Credit: {"$credit", frame.Response}, GoAway: {"$goaway", frame.OneWay}, Ping: {"$ping", frame.Request},
	Layout: {"$layout", frame.Request}, Alive: {"$alive", frame.Response}}

// ControlOf tells which control message an action is in a frame of mode m.
func ControlOf(m frame.Mode, action []byte) Control {
	if !Reserved(action) {
		return NoControl
	}
	for c := Cancel; c < Unknown; c++ {
		if k := &controls[c]; k.mode == m && k.action == string(action) {
			return c
		}
	}
	return Unknown
}

// AppendControl writes a whole frame with a control message behind b: for Cancel and Credit seq is the number of the call they
// are about. Another value of c writes nothing.
func AppendControl(b []byte, c Control, seq byte, t Tail) []byte {
	if c < Cancel || c >= Unknown {
		return b
	}
	const packet = 1 // the flag of NewLife's own messages
	k := &controls[c]
	b, mark := frame.StartFrame(b, frame.Head(k.mode, packet), seq)
	b = AppendAction(b, k.action)
	b, data := StartData(b)
	b, _ = FinishData(b, data, true, t)
	b, _ = frame.Standard{}.FinishFrame(b, mark)
	return b
}

// Stream marks: the two flag bits of a stream request between peers of this package.
const (
	streamBit = 0x20
	endBit    = 0x10
	// StreamBits are set in the flag of a request for a stream.
	StreamBits byte = streamBit | endBit
)

// ItemFlag is the flag of a stream's items, given the flag of the request: a request with both bits gets them marked, any
// other flag is copied, as NewLife does.
func ItemFlag(request byte) byte {
	if request&StreamBits == StreamBits {
		return request &^ endBit
	}
	return request
}

// EndFlag is the flag of the frame that ends a stream, given the flag of the request.
func EndFlag(request byte) byte { return request }

// StreamEnd reports that a response ends the stream, given the flag of the request it belongs to and the response's data. If
// not, it is an item, a null one when data is nil. A peer that does not mark items cannot send a null one: it ends the stream.
// An error response always ends it.
func StreamEnd(request byte, response frame.Frame, data []byte) bool {
	if response.Mode() == frame.ErrorResponse {
		return true
	}
	marked := request&StreamBits == StreamBits && response.Flag()&StreamBits == streamBit
	return data == nil && !marked
}
