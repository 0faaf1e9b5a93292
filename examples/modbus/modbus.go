// Package modbus speaks Modbus over TCP, in its own framing (MBAP) and in that of
// serial lines (RTU): reading and writing of holding registers, as client and
// server.
package modbus

import (
	"errors"
	"fmt"

	"github.com/spanwire/spanwire/binary"
)

// TCP is a frame of Modbus TCP. Its length counts the unit and the PDU.
type TCP struct {
	Transaction uint16
	_           uint16 `binary:"const=0"` // the protocol
	Length      uint16
	Unit        uint8
	PDU         []byte `binary:"count=Length,offset=-1"`
}

// RTU is a frame of Modbus RTU around one kind of PDU.
type RTU[T any] struct {
	Unit uint8
	PDU  T
	CRC  uint16 `binary:"sum=crc16-modbus,le"`
}

// Functions.
const (
	ReadHolding   = 3
	WriteSingle   = 6
	WriteMultiple = 16

	failed = 0x80 // in the function of an exception
)

// Request is the PDU of a request.
type Request struct {
	Function uint8
	Address  uint16
	Value    uint16 // of WriteSingle, else the number of registers
	Bytes    uint8  `binary:"if=Function.4"` // of WriteMultiple
	Data     []byte `binary:"if=Function.4,count=Bytes"`
}

// Registers is the PDU that answers ReadHolding.
type Registers struct {
	Function uint8
	Bytes    uint8
	Data     []byte `binary:"count=Bytes"`
}

// Written is the PDU that answers a write.
type Written struct {
	Function uint8
	Address  uint16
	Value    uint16
}

// Exception is the PDU that refuses a request.
type Exception struct {
	Function uint8 // that of the request + 0x80
	Code     Code
}

// Code says why a request is refused. It is an error.
type Code uint8

// Codes of exceptions.
const (
	IllegalFunction Code = 1
	IllegalAddress  Code = 2
	IllegalValue    Code = 3
	ServerFailure   Code = 4
)

func (c Code) Error() string {
	switch c {
	case IllegalFunction:
		return "modbus: illegal function"
	case IllegalAddress:
		return "modbus: illegal address"
	case IllegalValue:
		return "modbus: illegal value"
	}
	return fmt.Sprintf("modbus: exception %d", uint8(c))
}

// ErrAnswer is for bytes that are not an answer to what was asked.
var ErrAnswer = errors.New("modbus: not the answer")

// options refuse a frame that ends too soon.
var options = binary.Options{Strict: true}

const mostRegisters = 123 // that one request can write; 125 can be read

// bytesOf gives the bytes of registers.
func bytesOf(values []uint16) ([]byte, error) {
	return binary.Marshal(&struct {
		V []uint16 `binary:"rest"`
	}{values})
}

// registersOf gives the registers of bytes.
func registersOf(b []byte) ([]uint16, error) {
	var v struct {
		V []uint16 `binary:"rest"`
	}
	err := options.Unmarshal(b, &v)
	return v.V, err
}
