// Command modbustcp reads and writes the registers of a Modbus TCP device. It shows how rpc speaks the protocol of a device: the
// frame is a length field behind four bytes of header, and a request hook makes the transaction numbers.
//
//	transaction:2 protocol:2   length:2 BE   unit:1 function:1 data
//	`---- header: Offset 4 --' `- Size -2 -' `--- payload -------'
//
//	go run ./examples/modbustcp -dial device:502 -unit 1 -read 0 -count 4
//	go run ./examples/modbustcp -dial device:502 -unit 1 -write 3 -value 1234
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/spanwire/spanwire/examples/modbustcp/device"
)

func main() {
	address := flag.String("dial", "127.0.0.1:502", "address of the device")
	unit := flag.Int("unit", 1, "unit")
	read := flag.Int("read", 0, "first register to read")
	count := flag.Int("count", 1, "registers to read")
	write := flag.Int("write", -1, "register to write instead")
	val := flag.Int("value", 0, "what to write")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	err := run(ctx, *address, byte(*unit), uint16(*read), uint16(*count), *write, uint16(*val))
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address string, unit byte, first, count uint16, write int, val uint16) error {
	d, err := device.Dial(ctx, address, unit)
	if err != nil {
		return err
	}
	defer d.Close()
	if write >= 0 {
		return d.WriteRegister(ctx, uint16(write), val)
	}
	values, err := d.ReadHolding(ctx, first, count)
	for i, v := range values {
		fmt.Printf("%d: %d\n", int(first)+i, v)
	}
	return err
}
