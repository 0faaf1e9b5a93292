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
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
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
	defer cancel()
	if err := run(ctx, *address, byte(*unit), uint16(*read), uint16(*count), *write, uint16(*val)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address string, unit byte, first, count uint16, write int, val uint16) error {
	d, err := Dial(ctx, address, unit)
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

// Codec is the frame of Modbus TCP: at most 254 bytes behind the length.
var Codec = frame.LengthField{Offset: 4, Size: -2, Max: 254}

// The functions used here.
const (
	readHolding   = 3
	writeRegister = 6
	writeMany     = 16
	failed        = 0x80 // set in the function of an answer that is an exception
)

// Exception is what a device answers when it refuses.
type Exception struct {
	Function, Code byte
}

func (e *Exception) Error() string {
	return fmt.Sprintf("modbus: function %d: exception %d", e.Function, e.Code)
}

var errAnswer = errors.New("modbus: answer to something else")

// Device is a unit behind a connection. Its methods may be used by any number of goroutines; they take turns.
type Device struct {
	cl   *rpc.Client
	unit byte
}

// Dial connects to a device. Modbus devices work on one request at a time: InFlight 1. The header's transaction number is
// counted by the hook, and the client closes the connection when an answer has another: no value is ever of another request.
func Dial(ctx context.Context, address string, unit byte) (*Device, error) {
	var transaction atomic.Uint32
	cl, err := rpc.Dial(ctx, "tcp", address, &rpc.Options{
		Codec:    Codec,
		MaxConns: 1,
		Limits:   rpc.Limits{InFlight: 1},
		Header: func([]byte) []byte {
			return binary.BigEndian.AppendUint32(nil, transaction.Add(1)<<16) // the protocol's number is 0
		},
	})
	if err != nil {
		return nil, err
	}
	return &Device{cl, unit}, nil
}

// Close ends the connection.
func (d *Device) Close() { _ = d.cl.Close() } // returns nil

// call sends a function with its data and returns the data of the answer.
func (d *Device) call(ctx context.Context, function byte, data ...byte) ([]byte, error) {
	req := append([]byte{d.unit, function}, data...)
	res, err := d.cl.Call(ctx, nil, "", req)
	switch {
	case err != nil:
		return nil, err
	case len(res) < 3 || res[0] != d.unit: // another unit's answer, or its exception
		return nil, errAnswer
	case res[1] == function|failed && len(res) == 3:
		return nil, &Exception{function, res[2]}
	case res[1] != function:
		return nil, errAnswer
	}
	return res[2:], nil
}

// ReadHolding reads count holding registers, 1 to 125, from first.
func (d *Device) ReadHolding(ctx context.Context, first, count uint16) ([]uint16, error) {
	b, err := d.call(ctx, readHolding, byte(first>>8), byte(first), byte(count>>8), byte(count))
	if err != nil {
		return nil, err
	}
	if len(b) != 1+2*int(count) || int(b[0]) != 2*int(count) {
		return nil, errors.New("modbus: wrong number of registers")
	}
	values := make([]uint16, count)
	for i := range values {
		values[i] = binary.BigEndian.Uint16(b[1+2*i:])
	}
	return values, nil
}

// WriteRegister writes one holding register.
func (d *Device) WriteRegister(ctx context.Context, at, v uint16) error {
	data := []byte{byte(at >> 8), byte(at), byte(v >> 8), byte(v)}
	b, err := d.call(ctx, writeRegister, data...)
	if err == nil && string(b) != string(data) {
		err = errors.New("modbus: not confirmed")
	}
	return err
}

// WriteRegisters writes 1 to 123 holding registers from first.
func (d *Device) WriteRegisters(ctx context.Context, first uint16, values ...uint16) error {
	n := len(values)
	data := []byte{byte(first >> 8), byte(first), byte(n >> 8), byte(n), byte(2 * n)}
	for _, v := range values {
		data = binary.BigEndian.AppendUint16(data, v)
	}
	b, err := d.call(ctx, writeMany, data...)
	if err == nil && string(b) != string(data[:4]) {
		err = errors.New("modbus: not confirmed")
	}
	return err
}
