package rpc

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/value"
)

// config is what all connections of a client or server have in common. It does not change while there are any.
type config struct {
	codec    frame.Codec
	std      frame.Standard
	length   *frame.LengthField // when that is the codec
	numbered bool               // Standard: answers find their requests by number, else by order
	envelope bool               // payloads are Remoting messages
	notify   bool               // no answers at all
	server   bool
	foreign  bool // connections may begin as those of other protocols do
	redials  bool // there is somebody to turn to when this connection takes no more calls

	lim      Limits
	clock    *clock.Clock
	log      *slog.Logger
	dialect  value.Dialect
	verdicts verdicts
	peers    PeerKind
	assume   atomic.Bool // the next connection's peer counts as NewLife
	seen     atomic.Bool // there was a peer of ours
	only     *method     // the handler of everything, when there is one
	router   router      // who answers requests, nil on most clients
	header   func(payload []byte) []byte
	bare     bare      // what is usual without the envelope
	calls    sync.Pool // of *call
	batches  sync.Pool // of *batch
	rare     rareCounters
	pushes   *atomic.Uint32 // numbers of one-way messages, server-wide

	drops  limiter // logs of one-way messages that are dropped
	panics limiter // and of panics

	parting   atomic.Int32                // connections that are closed gently
	bytesHeld *atomic.Int64               // server: what all connections are charged
	overHeld  func(c *conn, all, n int64) // they are charged too much

	pacer pacer

	closed func(c *conn, err error) // after the last byte
	spent  func(c *conn)            // takes no more calls
	failed func(c *conn, err error) // the peer broke the protocol
}

// name is the codec's name in errors.
func (g *config) name() string {
	if n, ok := g.codec.(interface{ Name() string }); ok {
		return n.Name()
	}
	return "codec"
}

// setCodec sorts out what a codec can do.
func (g *config) setCodec(c frame.Codec, raw, notify bool) {
	if c == nil {
		c = frame.Standard{}
	}
	g.notify = notify
	switch k := c.(type) {
	case frame.Standard:
		g.std, g.numbered, g.envelope = k, true, !raw
	case frame.LengthField:
		g.length = &k
	case frame.Delimited:
		if !notify { // answers find their requests by order: a payload that arrives as two frames would answer two
			k.Strict = true
		}
		c = k
	}
	g.codec = c
}

// longest is the longest payload that any codec lets through.
func (g *config) longest() int64 {
	if n := g.most(); n > 0 {
		return int64(n)
	}
	if l, ok := g.codec.(frame.Limiter); ok {
		return int64(l.MaxFrame())
	}
	return frame.DefaultMax
}

// setLimits fills in the limits, when the codec is known.
func (g *config) setLimits(l Limits) {
	g.lim = l.withDefaults()
	if l.InFlightBytes == 0 {
		g.lim.InFlightBytes = max(inFlightMin, g.longest()+inFlightOver)
	}
}

// misconfigured returns what is wrong with the codec's settings and the limits, nil if nothing is.
func (g *config) misconfigured() error {
	if least := g.longest() + inFlightOver; g.lim.InFlightBytes < least {
		return fmt.Errorf("rpc: Limits.InFlightBytes is %d, below the codec's longest payload and 64 KiB, %d: %w", g.lim.InFlightBytes, least, frame.ErrConfig)
	}
	if _, err := g.codec.AppendFrame(nil, frame.Frame{Payload: []byte("0")}); errors.Is(err, frame.ErrConfig) {
		return fmt.Errorf("rpc: codec %+v: %w", g.codec, err)
	}
	return nil
}
