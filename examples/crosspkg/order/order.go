// Package order generates code for types that are made of other packages' types:
// generated ones, plain ones, and those of the standard library that write
// themselves as binary or as text.
package order

import (
	"math/big"
	"net/netip"
	"net/url"

	"github.com/spanwire/spanwire/examples/crosspkg/catalog"
	"github.com/spanwire/spanwire/examples/crosspkg/plain"
)

//go:generate go tool spangen

// Order calls the methods of catalog's types and has the code for plain's types
// in its own.
//
//span:generate
type Order struct {
	Items  catalog.Items
	Gift   *catalog.Item
	To     plain.Address `span:"fields"` // what it keeps to itself is given up
	In     plain.Category
	Client netip.Addr
	Link   *url.URL
	Total  big.Int
}
