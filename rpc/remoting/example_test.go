package remoting_test

import (
	"fmt"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// A call and its answer, written in place: frame, action, value and tail in one buffer.
func Example() {
	codec, dialect := frame.Standard{}, value.Dialect{}

	b, at := frame.StartFrame(nil, frame.Head(frame.Request, 1), 1)
	b = remoting.AppendAction(b, "Test/Add")
	b, data := remoting.StartData(b)
	b, kind, err := dialect.Append(b, struct{ A, B int }{1, 2})
	if err != nil {
		fmt.Println(err)
	}
	b, _ = remoting.FinishData(b, data, kind == value.Absent, remoting.AppendTimeout(nil, time.Second))
	b, _ = codec.FinishFrame(b, at)
	fmt.Printf("%x\n", b)

	request, _, err := codec.ParseFrame(b)
	call, err2 := remoting.Parse(request.Mode(), request.Payload)
	var x, y int
	err3 := dialect.Bind(call.Data, value.Param{Name: "a", Into: &x}, value.Param{Name: "b", Into: &y})
	left, _ := call.Tail.Timeout()
	fmt.Println(string(call.Action), string(call.Data), left, x, y, err, err2, err3)

	text, _, _ := dialect.Append(nil, x+y)
	b, err = remoting.AppendFrame(nil, codec, frame.Head(frame.Response, request.Head), request.Seq,
		&remoting.Message{Action: call.Action, Data: text})
	fmt.Printf("%x %v\n", b, err)
	// Output:
	// 0101210008546573742f4164640d0000007b2241223a312c2242223a327df558040102e807
	// Test/Add {"A":1,"B":2} 1s 1 2 <nil> <nil> <nil>
	// 81010e0008546573742f4164640100000033 <nil>
}

// point writes itself in the span format, here by hand.
type point struct{ x, y byte }

func (p point) AppendSpan(b []byte) ([]byte, error) { return append(b, p.x, p.y), nil }

// A span body is announced by the tail and answered in kind.
func Example_span() {
	dialect := value.Dialect{ReadSpan: func(data []byte, dst any) error {
		p := dst.(*point)
		p.x, p.y = data[0], data[1]
		return nil
	}}
	data, kind, _ := dialect.AppendBody(nil, point{3, 4})
	tail := remoting.Tail{}
	if kind == value.Span {
		tail = remoting.AppendBody(tail, remoting.Span)
	}
	b, _ := remoting.Append(nil, frame.Request, &remoting.Message{Action: []byte("Geo/Move"), Data: data, Tail: tail})

	m, err := remoting.Parse(frame.Request, b)
	var p point
	err2 := dialect.ReadBody(m.Data, m.Tail.Body() == remoting.Span, &p)
	fmt.Println(p, err, err2)
	// Output: {3 4} <nil> <nil>
}
