package load

import (
	"time"
)

// Spec is one load on one peer.
type Spec struct {
	Peer    string
	Network string // tcp, unix, tls
	Conns   int
	Window  int           // calls in flight on each connection
	Size    int           // of a message with its 4-byte header
	Wait    time.Duration // in the handler
	Rate    float64       // planned calls a second, all connections; 0: closed loop
	For     time.Duration // measured, after a quarter of it to warm up
	Idle    bool          // one echo on each connection, then silence
	Apart   bool          // client and server in processes of their own
	Profile string        // file for a processor profile of the server's side
}

// Out is what came of a load.
type Out struct {
	Rate         float64 // calls a second
	CPU          float64 // microseconds a call, both ends
	ServerCPU    float64 // microseconds a call, when apart
	P50, P99     float64 // microseconds
	P999         float64
	Allocs       float64 // a call, both ends, when not apart
	ServerRSS    float64 // MiB under load, when apart
	ServerIdle   float64 // KiB a connection, when idle
	ServerBefore float64 // MiB before the first connection
	Goroutines   int
	Behind       float64 // share of the planned calls that were not done, in an open loop
}

// Slot is what one connection counts.
type Slot struct {
	N    atomicCount
	Hist Hist
	run  *state
}

// Stopped says that the loop must end.
func (s *Slot) Stopped() bool { return s.run.stop.Load() }

// Recording says that latencies are wanted.
func (s *Slot) Recording() bool { return s.run.rec.Load() }
