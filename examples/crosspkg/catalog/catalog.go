// Package catalog has generated types for other packages to use.
package catalog

//go:generate go tool spangen

// Item has methods of its own, which code for types of other packages calls.
//
//span:generate
type Item struct {
	SKU   string
	Cents int64
}

// Items has methods although it is no struct.
//
//span:generate
type Items []Item
