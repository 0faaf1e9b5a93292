// Package zerocopy shows the three ways in which strings come into memory, what
// each costs, and what can go wrong with the cheapest.
//
//   - copy, the default: each string is an allocation of its own.
//   - shared: all strings of a message share one copy, which stays in memory as
//     long as any of them is in use.
//   - alias: strings lie in the input itself. Nothing is allocated, but they
//     change with the input, and keep all of it in memory.
//
// Byte slices are always copied, into the storage that the destination has.
package zerocopy

//go:generate go tool spangen

// Entry is a log entry of four strings.
//
//span:generate
type Entry struct {
	Level   string
	Host    string
	Service string
	Text    string
	Raw     []byte
	Time    int64
}
