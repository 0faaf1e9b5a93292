package span_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spanwire/spanwire/span"
)

// Order is any struct: without generated code it goes by reflection, to the
// same bytes.
type Order struct {
	ID    uint32
	Note  string
	Lines []Line
}

type Line struct {
	Item  string
	Count uint16
}

func Example() {
	in := Order{ID: 7, Note: "gift", Lines: []Line{{"pen", 2}, {"ink", 1}}}
	b, err := span.Marshal(&in)
	if err != nil {
		fmt.Println(err)
		return
	}
	var out Order
	if err := span.Unmarshal(b, &out); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(b), out.ID, out.Note, out.Lines)
	// Output: 22 7 gift [{pen 2} {ink 1}]
}

// The fields follow each other without names: a fixed number, a string after
// its length, a list after its count.
func ExampleMarshal() {
	b, err := span.Marshal(&Order{ID: 7, Note: "gift", Lines: []Line{{"pen", 2}}})
	fmt.Printf("%x %v\n", b, err)
	// Output: 070000000467696674010370656e0200 <nil>
}

// Append goes on in the buffer it is given, which may serve for every message.
func ExampleAppend() {
	var buf []byte
	for _, line := range []Line{{"pen", 2}, {"ink", 1}} {
		var err error
		if buf, err = span.Append(buf[:0], &line); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%x\n", buf)
	}
	// Output:
	// 0370656e0200
	// 03696e6b0100
}

// MarshalWrite writes a value of any size through a small buffer.
func ExampleMarshalWrite() {
	var file bytes.Buffer
	err := span.MarshalWrite(&file, &Line{"pen", 2})
	fmt.Printf("%x %v\n", file.Bytes(), err)
	// Output: 0370656e0200 <nil>
}

// Size finds the length of a message without writing it.
func ExampleSize() {
	n, err := span.Size(&Line{"pen", 2})
	fmt.Println(n, err)
	// Output: 6 <nil>
}

// The memory of the destination is used again where it fits.
func ExampleUnmarshal() {
	line := Line{Item: "nothing yet"}
	err := span.Unmarshal([]byte("\x03pen\x02\x00"), &line)
	fmt.Println(line, err)

	err = span.Unmarshal([]byte("\x03pen\x02\x00, and more"), &line)
	fmt.Println(errors.Is(err, span.ErrTrailing))
	// Output:
	// {pen 2} <nil>
	// true
}

// Messages that tell where they end may follow each other.
func ExampleUnmarshalFirst() {
	rest := []byte("\x03pen\x02\x00\x03ink\x01\x00")
	for len(rest) > 0 {
		var line Line
		var err error
		if rest, err = span.UnmarshalFirst(rest, &line); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(line, len(rest))
	}
	// Output:
	// {pen 2} 6
	// {ink 1} 0
}

// UnmarshalRead reads the one message that a file or a request's body is.
func ExampleUnmarshalRead() {
	var line Line
	err := span.UnmarshalRead(strings.NewReader("\x03pen\x02\x00"), &line)
	fmt.Println(line, err)

	err = span.Options{MaxBytes: 4}.UnmarshalRead(strings.NewReader("\x03pen\x02\x00"), &line)
	fmt.Println(errors.Is(err, span.ErrLimit))
	// Output:
	// {pen 2} <nil>
	// true
}

// A mark before the message lets nil be a value as well.
func ExampleAppendMarked() {
	some, _ := span.AppendMarked(nil, &Line{"pen", 2})
	none, _ := span.AppendMarked(nil, (*Line)(nil))
	fmt.Printf("%x %x\n", some, none)

	var line Line
	for _, b := range [][]byte{some, none} {
		n, present, err := span.ConsumeMarked(b, &line)
		fmt.Println(n, present, err)
	}
	// Output:
	// 010370656e0200 00
	// 7 true <nil>
	// 1 false <nil>
}

// Options have the entry points as methods. A map has no order of its own;
// Deterministic gives it one, Strict refuses what is tolerated otherwise.
func ExampleOptions() {
	o := span.Options{Deterministic: true}
	b, err := o.Marshal(map[string]uint8{"b": 2, "a": 1})
	fmt.Printf("%x %v\n", b, err)

	var m map[string]uint8
	err = span.Options{Strict: true}.Unmarshal([]byte("\x02\x01a\x01\x01a\x02"), &m)
	fmt.Println(errors.Is(err, span.ErrDuplicateKey), err)
	// Output:
	// 02016101016202 <nil>
	// true span: unmarshal map[string]uint8 at ["a"] (byte 4): duplicate map key
}

// The switches of NewLife's SpanWriter change what integers and times look
// like.
func ExampleOptions_NewWriter() {
	for _, o := range []span.Options{{}, {BigEndian: true}, {EncodeInt: true}} {
		w := o.NewWriter(nil)
		w.WriteInt32(300)
		w.WriteUint16(7)
		w.WriteString("hi")
		fmt.Printf("%x\n", w.Bytes())
	}
	// Output:
	// 2c0100000700026869
	// 0000012c0007026869
	// ac0207026869
}

// An Encoder puts the length of each message before it, a Decoder ends with
// io.EOF, bare, after the last one.
func ExampleEncoder() {
	var file bytes.Buffer
	enc := span.NewEncoder(&file)
	for _, line := range []Line{{"pen", 2}, {"ink", 1}} {
		if err := enc.Encode(&line); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%x\n", file.Bytes())

	dec := span.NewDecoder(&file)
	for {
		var line Line
		err := dec.Decode(&line)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(line)
	}
	// Output:
	// 060370656e02000603696e6b0100
	// {pen 2}
	// {ink 1}
}

// A file that has been cut off ends in io.ErrUnexpectedEOF, never in io.EOF:
// the loop tells the two apart. An error is final, since what follows it can't
// be trusted.
func ExampleDecoder() {
	file := strings.NewReader("\x06\x03pen\x02\x00\x06\x03in")
	dec := span.Options{MaxBytes: 1 << 20}.NewDecoder(file) // a message
	for {
		var line Line
		switch err := dec.Decode(&line); {
		case err == nil:
			fmt.Println(line)
			continue
		case err == io.EOF:
			fmt.Println("all read")
		case errors.Is(err, io.ErrUnexpectedEOF):
			fmt.Println("cut off")
		default:
			fmt.Println(err)
		}
		break
	}
	// Output:
	// {pen 2}
	// cut off
}

// Strings are copied one by one unless the call says otherwise. Those of the
// first two modes outlive the input; with AliasStrings nobody may change or use
// it again while one of them lives.
func ExampleStringMode() {
	in := []byte("\x02\x03pen\x03ink")
	var copied, shared, alias []string
	fmt.Println(span.Unmarshal(in, &copied))                                      // an allocation a string
	fmt.Println(span.Options{Strings: span.SharedStrings}.Unmarshal(in, &shared)) // one a message
	fmt.Println(span.Options{Strings: span.AliasStrings}.Unmarshal(in, &alias))   // none
	fmt.Println(copied, shared, alias)
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// [pen ink] [pen ink] [pen ink]
}

// An Error says where the fault is, in the value and in the message; errors.Is
// finds its kind.
func ExampleError() {
	var order Order
	err := span.Unmarshal([]byte("\x07\x00\x00\x00\x00\x01\x03pen\x02"), &order)
	fmt.Println(err)

	var e *span.Error
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.Type, e.Path, e.Offset)
	}
	fmt.Println(errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// span: unmarshal span_test.Order at Lines[0].Count (byte 11): unexpected EOF: 2 bytes are needed, 1 are left
	// unmarshal span_test.Order Lines[0].Count 11
	// true
}

// Two programs whose types have equal fingerprints read each other's messages.
func ExampleFingerprint() {
	type renamed struct {
		Item   string
		Number uint16
	}
	type same struct {
		Item  string
		Count uint16
	}
	fmt.Println(span.Fingerprint[Line]() == span.Fingerprint[same](), span.Fingerprint[Line]() == span.Fingerprint[renamed]())
	// Output: true false
}
