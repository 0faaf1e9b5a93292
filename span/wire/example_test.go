package wire_test

import (
	"fmt"
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// A header of a length and a time, written and read by hand.
func ExampleConsumeError() {
	b := wire.AppendString(nil, "start")
	b = wire.AppendTime(b, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	fmt.Printf("%x\n", b)

	name, n := wire.ConsumeString(b)
	at, m := wire.ConsumeTime(b[n:])
	fmt.Println(name, at, n+m)

	_, n = wire.ConsumeTime(b[n : len(b)-1])
	fmt.Println(wire.ConsumeError(n))
	// Output:
	// 057374617274808574670000000000000000
	// start 2025-01-01 00:00:00 +0000 UTC 18
	// unexpected EOF
}
