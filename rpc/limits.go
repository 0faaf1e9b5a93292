package rpc

import (
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/calltable"
)

// Limits bound what one connection, or one server, takes of memory and time. The zero value has the defaults; a negative time
// never ends. The largest payload is the codec's Max (8 MiB).
type Limits struct {
	// InFlight is how many requests one connection works on at a time, and how many calls it has under way: at most, and by
	// default, 256.
	InFlight int
	// Streams is how many of them may be streams (64).
	Streams int
	// InFlightBytes is how many bytes of requests and one-way messages one connection holds, those that run and those that wait for
	// their turn, each with 512 bytes for itself. Over it nothing more is read, or, while calls of this side are under way, nothing
	// more is taken. 0 is 16 MiB, or the codec's Max and 64 KiB where that is more; a value below Max and 64 KiB is frame.ErrConfig.
	InFlightBytes int64
	// Backlog is how many bytes may wait to be written on one connection before it takes no more: 1 MiB, and one frame over it. While
	// that many bytes of answers wait no handler starts.
	Backlog int
	// Connections is how many a server holds (16,384). More are closed at once.
	Connections int
	// Buffered is how many bytes a server holds in all (256 MiB): unfinished frames, requests, one-way messages and answers that are
	// not sent, each with what it takes beside its bytes, and what the arguments of typed handlers take that were read from JSON of 128
	// bytes and more, until the handler returns. Over it the connection ends that has most unsent answers, else the one that
	// holds most; while half of it is held, what takes more waits a moment.
	Buffered int64

	// CallTimeout ends a call whose context has no deadline (15 s). The time that it waits for its turn counts. Calls are looked at
	// six times a second: it is up to a third of a second late.
	CallTimeout time.Duration
	// WriteTimeout is how long 64 KiB may take to be accepted by the peer before the connection is closed (10 s).
	WriteTimeout time.Duration
	// FirstByte is how long a server waits for the first byte of a connection (10 s).
	FirstByte time.Duration
	// Silence is how long no byte of an unfinished frame may come (5 s).
	Silence time.Duration
	// Grace is the age from which an unfinished frame must have come at Rate on average (30 s).
	Grace time.Duration
	// Rate is in bytes a second (1,024).
	Rate int
	// Linger is how long a closing server waits for the peer to close as well (1 s).
	Linger time.Duration
	// Ping is how often a peer known as ours is asked for a sign of life when it is silent (60 s).
	Ping time.Duration
	// PingOthers is the same for other peers (never); NewLife drops sessions that are silent for 20 minutes, so 10 minutes
	// keep them.
	PingOthers time.Duration

	// ReadBuffer is the size in bytes that a connection's receive buffer gets when data comes (4 KiB).
	ReadBuffer int
}

const (
	inFlightMin   = 16 << 20 // what a connection may hold at least, by default
	inFlightOver  = 64 << 10 // what it must be able to hold beside its longest payload
	maxNumbers    = calltable.Numbers
	retiredMax    = 128       // so many numbers without an answer and the connection takes no more calls
	secondConn    = 192       // so many calls under way and a client opens another connection
	ownBuffer     = 64 << 10  // answers from this size on are not copied behind others
	bufferFull    = 256 << 10 // no more is put into a buffer that has so much
	keptBuffer    = 80 << 10  // larger buffers are not pooled: a payload of 64 KiB with what stands around it still is
	aheadMost     = 32 << 10  // what is queued while more is being written, before one-way messages wait
	writeChunk    = 64 << 10  // what WriteTimeout is about
	creditWindow  = 256 << 10 // bytes of a stream that may be under way between our own peers
	foreignWindow = 1 << 20   // bytes of a NewLife stream that wait to be read
)

// withDefaults fills what is zero.
func (l Limits) withDefaults() Limits {
	orInt(&l.InFlight, maxNumbers)
	l.InFlight = min(l.InFlight, maxNumbers)
	orInt(&l.Streams, 64)
	orInt(&l.Backlog, 1<<20)
	orInt(&l.Connections, 16384)
	if l.Buffered == 0 {
		l.Buffered = 256 << 20
	}
	orTime(&l.CallTimeout, 15*time.Second)
	orTime(&l.WriteTimeout, 10*time.Second)
	orTime(&l.FirstByte, 10*time.Second)
	orTime(&l.Linger, time.Second)
	orTime(&l.Ping, time.Minute)
	return l
}

// watch returns the watch of a connection's unfinished frames.
func (l *Limits) watch() frame.Watch {
	return frame.Watch{Silence: l.Silence, Grace: l.Grace, Rate: l.Rate}
}

func orInt(v *int, standard int) {
	if *v <= 0 {
		*v = standard
	}
}

func orTime(v *time.Duration, standard time.Duration) {
	if *v == 0 {
		*v = standard
	}
}
