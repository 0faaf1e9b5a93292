// Package rpcpeers holds the ways of remote procedure call that are compared:
// raw connections, prototypes of the framing, libraries, and spanwire.
package rpcpeers

import (
	"slices"

	"github.com/spanwire/spanwire/bench/load"
)

// All returns every peer.
func All() []*load.Peer {
	return slices.Concat(rawPeers(), protoPeers(), productPeers(), stdPeers(), grpcPeers(), loopPeers(), natsPeers())
}

// ByName returns a peer or nil.
func ByName(name string) *load.Peer {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
