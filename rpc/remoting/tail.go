package remoting

import (
	"encoding/binary"
	"iter"
	"math"
	"time"
)

// Tail is the content of an extension tail: its entries as they are on the wire, without the mark and the length. Nil is no
// tail, Tail{} the one that only says "of this kind". Build one with the AppendX functions; of keys that may stand once the
// first counts.
type Tail []byte

// Encoding is how a body is written where it is not text, NewLife's JSON or raw bytes.
type Encoding byte

// The encodings.
const (
	Plain    Encoding = 0 // text, NewLife's JSON or raw bytes; never on the wire
	Span     Encoding = 1 // the span format
	Lossless Encoding = 2 // one JSON value, written so that nothing is lost
)

// Refusal says why the library itself has refused a message: the handler was not entered.
type Refusal byte

// The refusals.
const (
	NoRefusal   Refusal = 0 // never on the wire
	NotBegun    Refusal = 1 // there was no room for it, or the peer is closing: it may be repeated
	OtherLayout Refusal = 2 // its span body has another layout than what is read: it may be repeated as lossless JSON
)

// Keys of the entries.
const (
	keyTimeout  = 1 // uvarint, milliseconds
	keyBody     = 2 // one byte
	keyTrace    = 3 // traceparent, W3C form
	keyMetadata = 4 // uvarint length, key, the rest is the value
	keyCredit   = 5 // uvarint, bytes
	keyDetails  = 6 // any bytes
	keyLayouts  = 7 // layouts of argument and result, 8 bytes each, big-endian
	keyRefusal  = 8 // one byte
	keyLast     = 9 // empty
)

const layoutsSize = 16

const (
	mark0 = 0xF5
	mark1 = 0x58
)

// parseTail returns the content of the tail that b is, nil when it is none.
func parseTail(b []byte) Tail {
	if len(b) < 3 || b[0] != mark0 || b[1] != mark1 {
		return nil
	}
	n, w := strict(b[2:])
	if w == 0 || n != uint64(len(b)-2-w) {
		return nil
	}
	t := Tail(b[2+w : len(b) : len(b)])
	for rest := t; len(rest) > 0; {
		key, v, size := entry(rest)
		if size == 0 || !sound(key, v) {
			return nil
		}
		rest = rest[size:]
	}
	return t
}

// entry reads the first entry of t: its key, value and size, 0 when it is malformed.
func entry(t Tail) (key uint64, v []byte, size int) {
	key, kw := strict(t)
	if kw == 0 {
		return 0, nil, 0
	}
	n, nw := strict(t[kw:])
	at := kw + nw
	if nw == 0 || n > uint64(len(t)-at) {
		return 0, nil, 0
	}
	end := at + int(n)
	return key, t[at:end:end], end
}

// sound tells that v is a value that key may have.
func sound(key uint64, v []byte) bool {
	switch key {
	case keyTimeout, keyCredit:
		_, w := strict(v)
		return w > 0 && w == len(v)
	case keyBody, keyRefusal:
		return len(v) == 1
	case keyLayouts:
		return len(v) == layoutsSize
	case keyLast:
		return len(v) == 0
	case keyMetadata:
		n, w := strict(v)
		return w > 0 && n <= uint64(len(v)-w)
	}
	return true
}

// strict reads a uvarint in its shortest form: w bytes, 0 when there is none.
func strict(p []byte) (v uint64, w int) {
	v, w = binary.Uvarint(p)
	if w <= 0 || w > 1 && p[w-1] == 0 {
		return 0, 0
	}
	return v, w
}

func sizeTail(t Tail) int {
	if t == nil {
		return 0
	}
	return 2 + sizeUvarint(uint64(len(t))) + len(t)
}

func appendTail(b []byte, t Tail) []byte {
	if t == nil {
		return b
	}
	b = append(b, mark0, mark1)
	b = binary.AppendUvarint(b, uint64(len(t)))
	return append(b, t...)
}

// find returns the value of the first entry with that key.
func (t Tail) find(want uint64) ([]byte, bool) {
	for len(t) > 0 {
		key, v, size := entry(t)
		if size == 0 {
			break
		}
		if key == want && sound(key, v) {
			return v, true
		}
		t = t[size:]
	}
	return nil, false
}

func (t Tail) number(key uint64) (uint64, bool) {
	v, ok := t.find(key)
	if !ok {
		return 0, false
	}
	n, _ := strict(v)
	return n, true
}

// Timeout is the time that was left for the call when it was sent.
func (t Tail) Timeout() (time.Duration, bool) {
	ms, ok := t.number(keyTimeout)
	return time.Duration(min(ms, math.MaxInt64/uint64(time.Millisecond))) * time.Millisecond, ok
}

// Body is the encoding of the data.
func (t Tail) Body() Encoding {
	v, ok := t.find(keyBody)
	if !ok {
		return Plain
	}
	return Encoding(v[0])
}

// Trace is the traceparent, nil without one.
func (t Tail) Trace() []byte {
	v, _ := t.find(keyTrace)
	return v
}

// Credit is how many more bytes of a stream its sender may send, with 64 for each item.
func (t Tail) Credit() (uint64, bool) { return t.number(keyCredit) }

// Details are what an error says beside its text, nil without any.
func (t Tail) Details() []byte {
	v, _ := t.find(keyDetails)
	return v
}

// Layouts are the fingerprints of the layouts that the sender has of argument and result: 0 is not read, 1 is wanted as JSON.
func (t Tail) Layouts() (arg, result uint64, ok bool) {
	v, ok := t.find(keyLayouts)
	if !ok {
		return 0, 0, false
	}
	return binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:]), true
}

// Refusal tells whether an error answer is a refusal of the library itself.
func (t Tail) Refusal() Refusal {
	v, ok := t.find(keyRefusal)
	if !ok {
		return NoRefusal
	}
	return Refusal(v[0])
}

// Last tells that the frame, a $goaway, is the last one that its sender sends.
func (t Tail) Last() bool {
	_, ok := t.find(keyLast)
	return ok
}

// Metadata ranges over the metadata pairs in the order they were sent. Keys may repeat.
func (t Tail) Metadata() iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		for rest := t; len(rest) > 0; {
			key, v, size := entry(rest)
			if size == 0 {
				return
			}
			rest = rest[size:]
			if key != keyMetadata || !sound(key, v) {
				continue
			}
			n, w := strict(v)
			end := w + int(n)
			if !yield(v[w:end:end], v[end:]) {
				return
			}
		}
	}
}

// AppendTimeout adds the time that is left, rounded up to milliseconds; nothing left is 0.
func AppendTimeout(t Tail, d time.Duration) Tail {
	ms := uint64(max(d, 0)) / uint64(time.Millisecond)
	if max(d, 0)%time.Millisecond != 0 {
		ms++
	}
	return appendNumber(t, keyTimeout, ms)
}

// AppendBody adds the encoding of the data; Plain adds nothing.
func AppendBody(t Tail, e Encoding) Tail {
	if e == Plain {
		return t
	}
	return append(t, keyBody, 1, byte(e))
}

// AppendTrace adds a traceparent.
func AppendTrace(t Tail, traceparent string) Tail {
	t = binary.AppendUvarint(append(t, keyTrace), uint64(len(traceparent)))
	return append(t, traceparent...)
}

// AppendMetadata adds a pair.
func AppendMetadata(t Tail, key, value string) Tail {
	n := sizeUvarint(uint64(len(key))) + len(key) + len(value)
	t = binary.AppendUvarint(append(t, keyMetadata), uint64(n))
	t = append(binary.AppendUvarint(t, uint64(len(key))), key...)
	return append(t, value...)
}

// AppendCredit adds stream credit in bytes.
func AppendCredit(t Tail, n uint64) Tail { return appendNumber(t, keyCredit, n) }

// AppendDetails adds what an error says beside its text.
func AppendDetails(t Tail, details []byte) Tail {
	t = binary.AppendUvarint(append(t, keyDetails), uint64(len(details)))
	return append(t, details...)
}

// AppendLayouts adds the fingerprints of argument and result.
func AppendLayouts(t Tail, arg, result uint64) Tail {
	t = append(t, keyLayouts, layoutsSize)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(t, arg), result)
}

// AppendRefusal adds why the library itself has refused; NoRefusal adds nothing.
func AppendRefusal(t Tail, r Refusal) Tail {
	if r == NoRefusal {
		return t
	}
	return append(t, keyRefusal, 1, byte(r))
}

// AppendLast adds that this is the last frame that this side sends.
func AppendLast(t Tail) Tail { return append(t, keyLast, 0) }

func appendNumber(t Tail, key byte, n uint64) Tail {
	return binary.AppendUvarint(append(t, key, byte(sizeUvarint(n))), n)
}
