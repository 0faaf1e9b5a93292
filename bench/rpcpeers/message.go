package rpcpeers

//go:generate go tool spangen

// Message is what typed calls of spanwire carry: the same bytes field that the
// protobuf messages of the libraries beside it have.
//
//span:generate
type Message struct {
	Data []byte
}
