package rpc_test

import (
	"context"
	"fmt"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// upper answers in capitals. Without the envelope requests have no action.
func upper(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	for _, c := range r.Body {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst, nil
}

// Lines of text: both sides name the codec.
func ExampleServer_lines() {
	s := &rpc.Server{Codec: frame.Delimited{Delimiter: "\n"}, Handler: rpc.HandlerFunc(upper)}
	defer s.Close()
	cl := open(rpc.Dialer{Codec: frame.Delimited{Delimiter: "\n"}}, serving(s))
	defer cl.Close()

	b, err := cl.Call(context.Background(), nil, "", []byte("hello"))
	fmt.Printf("%s %v\n", b, err)
	// Output: HELLO <nil>
}

// Frames of a device: 2 bytes of an address, a length of 2 bytes big-endian, the
// payload. The client makes the header, the reply repeats it.
func ExampleServer_lengthField() {
	codec := frame.LengthField{Offset: 2, Size: -2}
	s := &rpc.Server{Codec: codec, Handler: rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		return fmt.Appendf(dst, "device %x has %q", r.Header, r.Body), nil
	})}
	defer s.Close()
	cl := open(rpc.Dialer{Codec: codec, Header: func([]byte) []byte { return []byte{0x12, 0x34} }}, serving(s))
	defer cl.Close()

	b, err := cl.Call(context.Background(), nil, "", []byte("on"))
	fmt.Printf("%s %v\n", b, err)
	// Output: device 1234 has "on" <nil>
}

// A stream of JSON documents, with typed values on both sides.
func ExampleTyped() {
	s := &rpc.Server{Codec: frame.JSON{}, Handler: rpc.Typed(add)}
	defer s.Close()
	cl := open(rpc.Dialer{Codec: frame.JSON{}}, serving(s))
	defer cl.Close()

	var reply AddReply
	err := cl.Invoke(context.Background(), "", &AddRequest{1, 2}, &reply)
	fmt.Println(reply.Sum, err)
	b, err := cl.Call(context.Background(), nil, "", []byte(`{"A":3,"B":4}`))
	fmt.Println(string(b), err)
	// Output:
	// 3 <nil>
	// {"Sum":7} <nil>
}

// Raw leaves out the envelope of the Standard codec: frames with numbers, so
// that calls run beside each other, and payloads that are the program's alone.
func ExampleServer_raw() {
	s := &rpc.Server{Raw: true, Handler: rpc.HandlerFunc(upper)}
	defer s.Close()
	cl := open(rpc.Dialer{Raw: true}, serving(s))
	defer cl.Close()

	b, err := cl.Call(context.Background(), nil, "", []byte("hello"))
	fmt.Printf("%s %v\n", b, err)
	// Output: HELLO <nil>
}
