package remoting

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Message is what the payload of a Standard frame says.
type Message struct {
	Action []byte // name of what is called; a response repeats the caller's spelling
	Code   int32  // error responses only: neither 0 nor 200
	Data   []byte // nil when absent
	Tail   Tail   // nil when there is none
}

// Reasons for which a payload or a message is refused.
var (
	ErrMalformed = errors.New("malformed message")
	ErrAction    = errors.New("action missing or cut")
	ErrCode      = errors.New("code cut")
	ErrData      = errors.New("data cut")
	ErrTooLarge  = errors.New("data too large")
)

// SyntaxError says what a payload lacks.
type SyntaxError struct {
	Offset int   // place in the payload
	Reason error // ErrAction, ErrCode, ErrData
}

// Error formats e as "remoting: reason at byte offset".
func (e *SyntaxError) Error() string {
	return "remoting: " + e.Reason.Error() + " at byte " + strconv.Itoa(e.Offset)
}

// Unwrap returns the reason.
func (e *SyntaxError) Unwrap() error { return e.Reason }

// Is reports that e is ErrMalformed, whatever its reason.
func (e *SyntaxError) Is(target error) bool { return target == ErrMalformed }

const (
	lengthSize = 4 // bytes of a data length and of a code
	absent     = 1<<32 - 1
	maxData    = 1<<31 - 1
)

// Parse reads a payload that came in a frame of mode m. Bytes behind the data that are no tail are ignored, and so is the
// data where its length is negative. With an error the message holds what stands before the fault.
func Parse(m frame.Mode, p []byte) (msg Message, err error) {
	n, w := uvarint(p)
	if w <= 0 || n == 0 || n > uint64(len(p)-w) {
		return msg, &SyntaxError{0, ErrAction}
	}
	at := w + int(n)
	msg.Action = p[w:at:at]
	if m == frame.ErrorResponse {
		if len(p)-at < lengthSize {
			return msg, &SyntaxError{at, ErrCode}
		}
		msg.Code = int32(binary.LittleEndian.Uint32(p[at:]))
		at += lengthSize
	}
	if at == len(p) {
		return msg, nil
	}
	if len(p)-at < lengthSize {
		return msg, &SyntaxError{at, ErrData}
	}
	size := binary.LittleEndian.Uint32(p[at:])
	at += lengthSize
	if size <= maxData {
		if uint64(size) > uint64(len(p)-at) {
			return msg, &SyntaxError{at - lengthSize, ErrData}
		}
		end := at + int(size)
		msg.Data = p[at:end:end]
		at = end
	}
	if at < len(p) {
		msg.Tail = parseTail(p[at:])
	}
	return msg, nil
}

// Size returns the bytes of msg in a frame of mode m.
func Size(m frame.Mode, msg *Message) int {
	n := sizeUvarint(uint64(len(msg.Action))) + len(msg.Action)
	if m == frame.ErrorResponse {
		n += lengthSize
	}
	if msg.Data != nil || msg.Tail != nil {
		n += lengthSize + len(msg.Data)
	}
	return n + sizeTail(msg.Tail)
}

// Append writes msg as the payload of a frame of mode m behind b. A message without action, or with data over 2^31-1 bytes, is
// refused: b comes back as it was, with ErrAction or ErrTooLarge.
func Append(b []byte, m frame.Mode, msg *Message) ([]byte, error) {
	if len(msg.Action) == 0 {
		return b, ErrAction
	}
	if uint64(len(msg.Action)) > maxData || uint64(len(msg.Data)) > maxData {
		return b, ErrTooLarge
	}
	b = AppendAction(b, msg.Action)
	if m == frame.ErrorResponse {
		b = binary.LittleEndian.AppendUint32(b, uint32(msg.Code))
	}
	switch {
	case msg.Data != nil:
		b = binary.LittleEndian.AppendUint32(b, uint32(len(msg.Data)))
		b = append(b, msg.Data...)
	case msg.Tail != nil:
		b = binary.LittleEndian.AppendUint32(b, absent)
	}
	return appendTail(b, msg.Tail), nil
}

// AppendFrame writes msg as a whole Standard frame with that head byte and number. The limit is c's.
func AppendFrame(b []byte, c frame.Standard, head, seq byte, msg *Message) ([]byte, error) {
	old := len(b)
	b, mark := frame.StartFrame(b, head, seq)
	b, err := Append(b, frame.Mode(head)&frame.ErrorResponse, msg)
	if err != nil {
		return b[:old], err
	}
	return c.FinishFrame(b, mark)
}

// AppendAction writes the action, the beginning of every message, behind b.
func AppendAction[A ~string | ~[]byte](b []byte, action A) []byte {
	return append(binary.AppendUvarint(b, uint64(len(action))), action...)
}

// AppendCode writes the code that follows the action of an error response.
func AppendCode(b []byte, code int32) []byte {
	return binary.LittleEndian.AppendUint32(b, uint32(code))
}

// StartData reserves the length of data that the caller appends next; FinishData, given mark, completes it.
func StartData(b []byte) (_ []byte, mark int) { return append(b, 0, 0, 0, 0), len(b) }

// FinishData writes the length of the data behind mark and then the tail. With null the data is absent: what was appended is
// dropped. Data over 2^31-1 bytes is ErrTooLarge.
func FinishData(b []byte, mark int, null bool, t Tail) ([]byte, error) {
	n := len(b) - mark - lengthSize
	switch {
	case n < 0 || uint64(n) > maxData:
		return b[:min(mark, len(b))], ErrTooLarge
	case null && t == nil:
		return b[:mark], nil
	case null:
		b = binary.LittleEndian.AppendUint32(b[:mark], absent)
	default:
		binary.LittleEndian.PutUint32(b[mark:], uint32(n))
	}
	return appendTail(b, t), nil
}

// uvarint reads a uvarint of at most five bytes, padded or not: w bytes, 0 or less when there is none.
func uvarint(p []byte) (v uint64, w int) {
	if len(p) > 0 && p[0] < 0x80 {
		return uint64(p[0]), 1
	}
	return binary.Uvarint(p[:min(len(p), 5)])
}

func sizeUvarint(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}
