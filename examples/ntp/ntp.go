// Package ntp reads and writes NTP packets (RFC 5905) and has a small client and
// server: 48 bytes whose first is three bit fields.
package ntp

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/spanwire/spanwire/binary"
)

// Packet is an NTP packet without extensions.
type Packet struct {
	Leap           uint8 `binary:"bits=2"`
	Version        uint8 `binary:"bits=3"`
	Mode           Mode  `binary:"bits=3"`
	Stratum        uint8
	Poll           int8 // log2 of seconds
	Precision      int8 // log2 of seconds
	RootDelay      Short
	RootDispersion Short
	RefID          [4]byte
	Reference      Time
	Origin         Time
	Receive        Time
	Transmit       Time
}

// Size is the length of a packet in bytes.
const Size = 48

// Mode is what a packet is.
type Mode uint8

// The modes of a client and its server.
const (
	Client Mode = 3
	Server Mode = 4
)

// Short is a number of seconds in 16.16 bits.
type Short uint32

// Duration gives the span of time.
func (s Short) Duration() time.Duration { return time.Duration(uint64(s) * 1e9 >> 16) }

// Time is the number of seconds since 1900 in 32.32 bits, modulo 2^32 seconds.
type Time uint64

const since1900 = 2208988800 // seconds to 1970

// TimeOf gives the form of t.
func TimeOf(t time.Time) Time {
	sec := uint64(t.Unix() + since1900)
	return Time(sec<<32 | uint64(t.Nanosecond())<<32/1e9)
}

// Time gives the time nearest to now that has this form.
func (t Time) Time(now time.Time) time.Time {
	ns := (uint64(t)&0xffffffff*1e9 + 1<<31) >> 32
	offset := int32(uint32(t>>32) - uint32(now.Unix()+since1900))
	return time.Unix(now.Unix()+int64(offset), int64(ns)).UTC()
}

// ErrAnswer is for a packet that is not an answer to what was asked.
var ErrAnswer = errors.New("ntp: not the answer")

// ErrNoTime says that the server has no valid time, or refuses to tell it.
var ErrNoTime = errors.New("ntp: no valid time")

const (
	unsynchronized = 3  // Leap
	maxStratum     = 15 // 0 refuses, with the reason in RefID; 16 is unsynchronized
)

// Result is what a server's answer tells.
type Result struct {
	Packet
	Offset time.Duration // to add to the clock here
	Delay  time.Duration // of the way there and back
}

// Query asks the server at the other end of conn for the time.
func Query(conn net.Conn) (*Result, error) {
	sent := time.Now()
	ask := &Packet{Version: 4, Mode: Client, Transmit: TimeOf(sent)}
	b, err := binary.Marshal(ask)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(b); err != nil {
		return nil, err
	}
	buf := make([]byte, 512)
	n, err := conn.Read(buf)
	if err != nil {
		return nil, err
	}
	got := time.Now()
	r := &Result{}
	if _, err := (binary.Options{Strict: true}).UnmarshalFirst(buf[:n], &r.Packet); err != nil {
		return nil, err
	}
	if r.Mode != Server || r.Origin != ask.Transmit || r.Transmit == 0 {
		return nil, fmt.Errorf("%w: mode %d", ErrAnswer, r.Mode)
	}
	if r.Leap == unsynchronized || r.Stratum < 1 || r.Stratum > maxStratum || r.Receive == 0 {
		return nil, fmt.Errorf("%w: leap %d, stratum %d, %q", ErrNoTime, r.Leap, r.Stratum, r.RefID)
	}
	there, back := r.Receive.Time(got), r.Transmit.Time(got)
	r.Offset = (there.Sub(sent) + back.Sub(got)) / 2
	r.Delay = got.Sub(sent) - back.Sub(there)
	return r, nil
}

// Serve answers the queries that come to conn with the time of this computer,
// until reading fails.
func Serve(conn net.PacketConn) error {
	buf := make([]byte, 512)
	out := make([]byte, 0, Size)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return err
		}
		var ask Packet
		if _, err := (binary.Options{Strict: true}).UnmarshalFirst(buf[:n], &ask); err != nil || ask.Mode != Client {
			continue // not for us
		}
		now := TimeOf(time.Now())
		answer := &Packet{
			Version: ask.Version, Mode: Server, Stratum: 10, Poll: ask.Poll, Precision: -20,
			RefID: [4]byte{'L', 'O', 'C', 'L'}, Reference: now, Origin: ask.Transmit, Receive: now, Transmit: TimeOf(time.Now()),
		}
		if out, err = binary.Append(out[:0], answer); err != nil {
			return err
		}
		if _, err := conn.WriteTo(out, from); err != nil {
			return err
		}
	}
}
