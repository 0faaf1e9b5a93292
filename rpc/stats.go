package rpc

import "sync/atomic"

// Stats are counters of a server, a client or a session. They only grow, but for Open. A session has those of traffic, up to
// Notices; the others belong to its server or client.
type Stats struct {
	Open     int    // connections
	Accepted uint64 // connections that were ever open
	Refused  uint64 // connections over the limit, or refused by OnConnect
	BytesIn  uint64
	BytesOut uint64
	FramesIn uint64
	Requests uint64 // requests of the peers that wanted an answer
	OneWay   uint64 // one-way messages of the peers
	Calls    uint64 // calls of this side
	Notices  uint64 // one-way messages of this side

	Errors      uint64 // error answers given
	BadRequests uint64 // messages that could not be read
	Busy        uint64 // requests refused with 429
	Dropped     uint64 // one-way messages dropped at the limit
	Abandoned   uint64 // calls given up: timed out or cancelled
	Late        uint64 // answers to those, dropped
	Unmatched   uint64 // answers that nobody waited for, dropped
	Malformed   uint64 // connections closed for bytes that no frame begins with, or an unfinished frame
	Foreign     uint64 // connections closed because their first bytes were another protocol's
	Slow        uint64 // connections closed because the peer did not read
	Mismatches  uint64 // calls and messages of another layout: refused, or sent again as JSON
	Unplaced    uint64 // members of answers and messages that nothing had a place for, dropped
	Cut         uint64 // values that were changed for NewLife, which cannot carry them
	Panics      uint64 // handlers that panicked
}

// counters are those of one connection.
type counters struct {
	bytesIn, bytesOut, framesIn, requests, oneWay, told atomic.Uint64
}

// rareCounters are those that one connection seldom has anything to add to: its owner's.
type rareCounters struct {
	errors, badRequests, busy, dropped, abandoned, late, unmatched, malformed, foreign, slow, mismatches, unplaced, cut, panics atomic.Uint64
}

// add adds the traffic of a connection that has ended.
func (s *Stats) add(t *Stats) {
	s.BytesIn += t.BytesIn
	s.BytesOut += t.BytesOut
	s.FramesIn += t.FramesIn
	s.Requests += t.Requests
	s.OneWay += t.OneWay
	s.Notices += t.Notices
	s.Calls += t.Calls
}

// addTo adds what c has counted.
func (c *conn) addTo(s *Stats) {
	c.count.addTo(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Calls += c.calls.ops
}

// addTo adds what k has counted.
func (k *counters) addTo(s *Stats) {
	s.BytesIn += k.bytesIn.Load()
	s.BytesOut += k.bytesOut.Load()
	s.FramesIn += k.framesIn.Load()
	s.Requests += k.requests.Load()
	s.OneWay += k.oneWay.Load()
	s.Notices += k.told.Load()
}

// addTo adds what k has counted.
func (k *rareCounters) addTo(s *Stats) {
	s.Errors += k.errors.Load()
	s.BadRequests += k.badRequests.Load()
	s.Busy += k.busy.Load()
	s.Dropped += k.dropped.Load()
	s.Abandoned += k.abandoned.Load()
	s.Late += k.late.Load()
	s.Unmatched += k.unmatched.Load()
	s.Malformed += k.malformed.Load()
	s.Foreign += k.foreign.Load()
	s.Slow += k.slow.Load()
	s.Mismatches += k.mismatches.Load()
	s.Unplaced += k.unplaced.Load()
	s.Cut += k.cut.Load()
	s.Panics += k.panics.Load()
}
