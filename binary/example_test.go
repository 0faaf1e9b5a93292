package binary_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/spanwire/spanwire/binary"
)

func Example() {
	type Header struct {
		Magic  uint16 `binary:"const=0x7e7e"`
		Kind   uint8
		Length uint16
	}
	type Frame struct {
		Header
		Body  []byte `binary:"count=Length"`
		Check uint16 `binary:"sum=crc16-modbus,from=Kind,le"`
	}
	f := &Frame{Header: Header{Kind: 1}, Body: []byte("hello")}
	b, err := binary.Marshal(f)
	fmt.Printf("%x %v\n", b, err)
	b[5] = 'j'
	fmt.Println(binary.Unmarshal(b, f))
	// Output:
	// 7e7e01000568656c6c6f53a6 <nil>
	// binary: unmarshal *binary_test.Frame at Check (byte 10): wrong checksum: crc16-modbus is 0xa653, the bytes have 0x662a
}

// A handler decides how a type that the package does not know is written.
type complexHandler struct{}

func (complexHandler) Write(e *binary.Encoder, v reflect.Value) error {
	if v.Kind() != reflect.Complex128 {
		return errors.ErrUnsupported
	}
	e.WriteFloat64(real(v.Complex()))
	e.WriteFloat64(imag(v.Complex()))
	return nil
}

func (complexHandler) Read(d *binary.Decoder, v reflect.Value) error {
	if v.Kind() != reflect.Complex128 {
		return errors.ErrUnsupported
	}
	v.SetComplex(complex(d.ReadFloat64(), d.ReadFloat64()))
	return nil
}

func ExampleHandler() {
	handlers := slices.Insert(binary.DefaultHandlers(), 0, binary.Handler(complexHandler{}))
	b, err := binary.Options{Handlers: handlers}.Marshal([]complex128{1 + 2i})
	fmt.Printf("%x %v\n", b, err)
	// Output:
	// 013ff00000000000004000000000000000 <nil>
}
