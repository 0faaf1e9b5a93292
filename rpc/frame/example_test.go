package frame_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spanwire/spanwire/rpc/frame"
)

func ExampleStandard() {
	request := frame.Frame{Head: frame.Head(frame.Request, 1), Seq: 1, Payload: []byte("Open")}
	b, err := frame.Standard{}.AppendFrame(nil, request)
	fmt.Printf("%x %v\n", b, err)
	b, err = frame.Standard{}.AppendFrame(nil, request.Reply(frame.Response, []byte("OK")))
	fmt.Printf("%x %v\n", b, err)

	f, n, err := frame.Standard{}.ParseFrame(b)
	fmt.Println(f.Mode(), f.Flag(), f.Seq, string(f.Payload), n, err)
	_, n, err = frame.Standard{}.ParseFrame(b[:5])
	fmt.Println("need more:", n == 0 && err == nil)
	_, _, err = frame.Standard{}.ParseFrame([]byte("\x01\x01\xff\xff\xff\xff\xff\xff"))
	fmt.Println(err, errors.Is(err, frame.ErrLength))
	// Output:
	// 010104004f70656e <nil>
	// 810102004f4b <nil>
	// response 1 1 OK 6 <nil>
	// need more: true
	// standard: parse: impossible length at byte 4 true
}

// Chunks as they come, whole frames out of them without a copy.
func ExampleReader_Feed() {
	r := frame.NewReader(frame.Delimited{})
	for _, chunk := range []string{"ab\r", "\ncd\r\n\r\ne"} {
		err := r.Feed([]byte(chunk), func(f frame.Frame) { fmt.Printf("%q ", f.Payload) })
		if err != nil {
			fmt.Println(err)
		}
	}
	rest, err := r.End(nil)
	fmt.Printf("%q %v\n", rest, err)
	// Output: "ab" "cd" "" "e" delimited: read: unexpected EOF at byte 11
}

// Reading straight into the buffer.
func ExampleReader_Next() {
	conn := strings.NewReader(`{"a":1} [2] "x"`)
	r := frame.NewReader(frame.JSON{})
	for {
		n, err := conn.Read(r.Space())
		r.Wrote(n)
		for {
			f, ok := r.Next()
			if !ok {
				break
			}
			fmt.Printf("%s\n", f.Payload)
		}
		if errors.Is(err, io.EOF) || r.Err() != nil {
			break
		}
		r.Release() // hold no buffer while waiting
	}
	// Output:
	// {"a":1}
	// [2]
	// "x"
}
