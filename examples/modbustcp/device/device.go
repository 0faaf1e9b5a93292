// Package device is a Modbus TCP device for those who call it.
package device

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

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

// ErrAnswer is an answer that belongs to another request.
var ErrAnswer = errors.New("modbus: answer to something else")

// Device is a unit behind a connection. Its methods may be used by any number of goroutines; they take turns.
type Device struct {
	cl   *rpc.Client
	unit byte
}

// Dial connects to a device. Modbus devices work on one request at a time: InFlight 1. The header's transaction number is
// counted by the hook, and the client closes the connection when an answer has another: no value is ever of another request.
func Dial(ctx context.Context, address string, unit byte) (*Device, error) {
	var transaction atomic.Uint32
	cl, err := rpc.Dialer{
		Codec:    Codec,
		MaxConns: 1,
		Limits:   rpc.Limits{InFlight: 1},
		Header: func([]byte) []byte {
			return binary.BigEndian.AppendUint32(nil, transaction.Add(1)<<16) // the protocol's number is 0
		},
	}.Dial(ctx, "tcp", address)
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
		return nil, ErrAnswer
	case res[1] == function|failed && len(res) == 3:
		return nil, &Exception{function, res[2]}
	case res[1] != function:
		return nil, ErrAnswer
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
