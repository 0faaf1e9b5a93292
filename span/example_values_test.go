package span_test

import (
	"fmt"
	"time"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

func ExampleGUIDFromUUID() {
	uuid := [16]byte{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}
	g := span.GUIDFromUUID(uuid)
	fmt.Println(g)
	fmt.Printf("%x\n", g[:]) // on the wire
	// Output:
	// 00112233-4455-6677-8899-aabbccddeeff
	// 33221100554477668899aabbccddeeff
}

func ExampleDecimal() {
	price, err := span.ParseDecimal("1.10")
	fmt.Println(price, price.Scale(), err)
	_, err = span.ParseDecimal("79228162514264337593543950336")
	fmt.Println(err)
	// Output:
	// 1.10 2 <nil>
	// out of range: "79228162514264337593543950336" does not fit a decimal exactly
}

func ExampleUnspecified() {
	t := time.Date(2025, 6, 1, 12, 30, 0, 0, span.Unspecified())
	ticks, ok := wire.TimeTicks(t)
	back, _ := wire.TimeFromTicks(ticks)
	fmt.Println(ticks>>62&3, ok, back)
	// Output:
	// 0 true 2025-06-01 12:30:00 +0000 Unspecified
}
