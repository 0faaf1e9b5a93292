// Package jt808 reads and writes messages of JT/T 808, the protocol of vehicle
// terminals, in its versions of 2011, 2013 and 2019.
//
// A message is a header, a body and a checksum, with 7e before and behind and
// the bytes 7d and 7e inside replaced by two. The structs say all but that last
// step: bit fields for the properties, BCD for the phone number, a length in
// the header for the body, sizes that depend on the version.
package jt808

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/spanwire/spanwire/binary"
)

// Message is a message between its flags, without escapes.
type Message struct {
	Header
	Body  []byte `binary:"count=Length"`
	Check uint8  `binary:"sum=xor"`
}

// Header tells what a message is and who sends it.
type Header struct {
	ID         uint16
	_          uint8  `binary:"bits=1,const=0"`
	Versioned  bool   `binary:"bits=1"` // from 2019 on
	Split      bool   `binary:"bits=1"`
	Encryption uint8  `binary:"bits=3"` // 1 is RSA
	Length     uint16 `binary:"bits=10"`
	Version    uint8  `binary:"if=Versioned"` // of the protocol, 1 in 2019
	Phone      string `binary:"if=!Versioned,bcd=6"`
	LongPhone  string `binary:"if=Versioned,bcd=10"`
	Serial     uint16
	Total      uint16 `binary:"if=Split"` // packets of a split message
	Index      uint16 `binary:"if=Split"` // counted from 1
}

// Kinds of messages.
const (
	IDRegister = 0x0100
	IDLocation = 0x0200
)

// Register is the body of IDRegister: a terminal introduces itself.
type Register struct {
	Province     uint16
	City         uint16
	Manufacturer string `binary:"size=5,version=2011;size=5,version=2013;size=11,version=2019"`
	Model        string `binary:"size=8,version=2011;size=20,version=2013;size=30,version=2019"`
	Terminal     string `binary:"size=7,version=2011;size=7,version=2013;size=30,version=2019"`
	PlateColor   uint8
	Plate        string `binary:"rest"`
}

// Location is the body of IDLocation: where a vehicle is.
type Location struct {
	Alarm     uint32
	Status    uint32
	Latitude  uint32 // millionths of a degree
	Longitude uint32
	Altitude  uint16 // m
	Speed     uint16 // tenths of km/h
	Direction uint16 // degrees from north
	Time      string `binary:"bcd=6"` // yyMMddHHmmss in China
	Extra     []Item `binary:"rest"`
}

// Item is an addition to a location.
type Item struct {
	ID     uint8
	Length uint8
	Data   []byte `binary:"count=Length"`
}

var china = time.FixedZone("UTC+8", 8*3600)

// At gives the instant of the location.
func (l *Location) At() (time.Time, error) {
	return time.ParseInLocation("060102150405", l.Time, china)
}

// Options gives the options of a version, "2011", "2013" or "2019". Text is GBK:
// pass binary.TextEncoding(simplifiedchinese.GBK) of golang.org/x/text.
func Options(version string, gbk binary.Encoding) binary.Options {
	return binary.Options{UseFieldSize: true, TrimZero: true, Version: version, Encoding: gbk}
}

// ErrFrame is for bytes that are not a message between two flags.
var ErrFrame = errors.New("jt808: malformed frame")

const (
	flag   = 0x7e
	escape = 0x7d
)

// Append appends the frame of a message: with its length and checksum, escaped,
// between two flags.
func Append(dst []byte, m *Message) ([]byte, error) {
	raw, err := binary.Marshal(m)
	if err != nil {
		return dst, err
	}
	dst = append(dst, flag)
	for _, c := range raw {
		switch c {
		case flag:
			dst = append(dst, escape, 2)
		case escape:
			dst = append(dst, escape, 1)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, flag), nil
}

// Parse reads a frame that Append made.
func Parse(frame []byte, m *Message) error {
	n := len(frame)
	if n < 2 || frame[0] != flag || frame[n-1] != flag {
		return fmt.Errorf("%w: it has no flags", ErrFrame)
	}
	raw := make([]byte, 0, n)
	for in := frame[1 : n-1]; len(in) > 0; in = in[1:] {
		switch {
		case in[0] == flag:
			return fmt.Errorf("%w: a flag inside", ErrFrame)
		case in[0] != escape:
			raw = append(raw, in[0])
			continue
		case len(in) < 2 || in[1] < 1 || in[1] > 2:
			return fmt.Errorf("%w: a wrong escape", ErrFrame)
		}
		in = in[1:]
		raw = append(raw, escape+in[0]-1)
	}
	return binary.Unmarshal(raw, m)
}

// Split is a bufio.SplitFunc that finds frames in a stream. What stands between
// two frames is dropped.
func Split(data []byte, atEOF bool) (advance int, frame []byte, err error) {
	start := bytes.IndexByte(data, flag)
	if start < 0 {
		return len(data), nil, nil
	}
	for start+1 < len(data) && data[start+1] == flag { // an end, then a start
		start++
	}
	end := bytes.IndexByte(data[start+1:], flag)
	switch {
	case end >= 0:
		end += start + 2
		return end, data[start:end], nil
	case atEOF:
		return len(data), nil, nil
	}
	return start, nil, nil
}
