// Package load drives echo servers: connections, calls in flight on each, and
// what came of it in time, processor time, memory and latency.
//
// A Peer is one way of serving and calling. The load of a Spec is closed-loop,
// where each caller calls again when it is answered, or open-loop, where calls
// are due at planned times and latency counts from those. Run does both ends in
// this process or each in a process of its own on a processor of its own.
package load
