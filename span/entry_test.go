package span_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/span"
)

func TestDestinations(t *testing.T) {
	var nilPointer *int8
	for _, dst := range []any{nil, 5, nilPointer, "x", map[string]int{}} {
		if err := span.Unmarshal([]byte{1}, dst); err == nil || !strings.Contains(err.Error(), "must be a pointer") {
			t.Errorf("%T: %v", dst, err)
		}
	}
	_, err := span.Marshal(nil)
	isError(t, here(), err, span.ErrNil)
	_, err = span.Marshal(nilPointer)
	isError(t, here(), err, span.ErrNil)
	_, err = span.Size(nilPointer)
	isError(t, here(), err, span.ErrNil)
	isError(t, here(), span.MarshalWrite(io.Discard, nil), span.ErrNil)
	isError(t, here(), span.NewEncoder(io.Discard).Encode(nil), span.ErrNil)
}

func TestUnsupportedTypes(t *testing.T) {
	type inner struct {
		C chan int
		M map[*int]string
	}
	type bad struct {
		A int8
		F func()
		L []inner
	}
	for range 2 { // the second time from the cache
		_, err := span.Marshal(&bad{})
		var e *span.Error
		if !errors.As(err, &e) || !errors.Is(err, span.ErrUnsupported) || e.Op != "marshal" || e.Type != "span_test.bad" {
			t.Fatalf("%v", err)
		}
		for _, path := range []string{"bad.F", "bad.L[].C", "bad.L[].M"} {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("%v does not name %s", err, path)
			}
		}
		err = span.Unmarshal(nil, &bad{})
		if !errors.As(err, &e) || e.Op != "unmarshal" {
			t.Errorf("%v", err)
		}
	}
}

// endless is a type without values.
type endless *endless

func TestEndlessType(t *testing.T) {
	_, err := span.Marshal(endless(nil))
	isError(t, here(), err, span.ErrUnsupported)
	isError(t, here(), span.Unmarshal(nil, new(endless)), span.ErrUnsupported)
}

func TestTrailing(t *testing.T) {
	var v int16
	err := span.Unmarshal([]byte{1, 2, 3}, &v)
	var e *span.Error
	if !errors.As(err, &e) || !errors.Is(err, span.ErrTrailing) || e.Offset != 2 {
		t.Errorf("%v", err)
	}
	isError(t, here(), span.UnmarshalRead(bytes.NewReader([]byte{1, 2, 3}), &v), span.ErrTrailing)
	rest, err := span.Options{Strings: span.SharedStrings}.UnmarshalFirst([]byte{1, 2, 3}, &v)
	if err != nil || v != 0x0201 || len(rest) != 1 || rest[0] != 3 {
		t.Errorf("%x %v", rest, err)
	}
	rest, err = span.UnmarshalFirst([]byte{1}, &v)
	if len(rest) != 1 {
		t.Errorf("%x", rest)
	}
	isError(t, here(), err, io.ErrUnexpectedEOF)
	type open struct {
		A int8 `span:"optional"`
	}
	_, err = span.UnmarshalFirst([]byte{1}, &open{})
	isError(t, here(), err, span.ErrNotSelfDelimiting)
}

func TestMarked(t *testing.T) {
	v := &nlSub{P: 1, Q: 2}
	b, err := span.AppendMarked([]byte{9}, v)
	if err != nil || !bytes.Equal(b, []byte{9, 1, 1, 2}) {
		t.Errorf("%x %v", b, err)
	}
	var none *nlSub
	for _, x := range []any{none, nil} {
		if b, err := span.AppendMarked(nil, x); err != nil || !bytes.Equal(b, []byte{0}) {
			t.Errorf("%x %v", b, err)
		}
	}
	for in, want := range map[string]struct {
		n       int
		present bool
		err     error
	}{
		"010304ff": {3, true, nil},
		"050304":   {3, true, nil},
		"00":       {1, false, nil},
		"":         {0, false, io.ErrUnexpectedEOF},
		"0103":     {2, true, nil},
	} {
		var v nlSub
		n, present, err := span.ConsumeMarked(unhex(t, in), &v)
		if n != want.n || present != want.present || present && v.P != 3 {
			t.Errorf("%s: %d %v %+v", in, n, present, v)
		}
		isError(t, here(), err, want.err)
	}
	_, _, err = span.ConsumeMarked([]byte{2, 1}, &one[int8]{})
	isError(t, here(), err, span.ErrMalformed)
	_, err = span.AppendMarked(nil, struct{ C span.Char }{300})
	var e *span.Error
	if !errors.As(err, &e) || e.Offset != 1 || e.Path != "C" {
		t.Errorf("%v", err)
	}
}

func TestEncoderDecoder(t *testing.T) {
	type open struct {
		A string
		B []int32 `span:"optional"`
	}
	values := []open{{"a", nil}, {strings.Repeat("x", 300), []int32{1, 2}}, {}, {"z", make([]int32, 50_000)}}
	var buf bytes.Buffer
	enc := span.NewEncoder(&buf)
	for i := range values {
		if err := enc.Encode(&values[i]); err != nil {
			t.Fatal(err)
		}
	}
	if b := buf.Bytes(); !bytes.HasPrefix(b, unhex(t, "03 0161 00 b702 ac02")) {
		t.Errorf("%x", b[:20])
	}
	for name, src := range map[string]io.Reader{
		"whole":        bytes.NewReader(buf.Bytes()),
		"byte by byte": iotest.OneByteReader(bytes.NewReader(buf.Bytes())),
		"data and EOF": iotest.DataErrReader(bytes.NewReader(buf.Bytes())),
	} {
		dec := span.NewDecoder(src)
		var v open
		for i := range values {
			if err := dec.Decode(&v); err != nil || !equal(v, values[i]) {
				t.Fatalf("%s: %d: %v", name, i, err)
			}
		}
		if err := dec.Decode(&v); err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
	isError(t, here(), (&span.Encoder{Unframed: true}).Encode(&values[0]), span.ErrNotSelfDelimiting)
	dec := span.NewDecoder(bytes.NewReader(buf.Bytes()))
	dec.Unframed = true
	isError(t, here(), dec.Decode(&values[0]), span.ErrNotSelfDelimiting)

	dec = span.NewDecoder(bytes.NewReader([]byte{2, 1, 2, 1, 3}))
	var b int8
	err := dec.Decode(&b)
	isError(t, here(), err, span.ErrTrailing)
	isError(t, here(), dec.Decode(&b), span.ErrTrailing) // for good
	isError(t, here(), span.NewDecoder(bytes.NewReader([]byte{2, 1})).Decode(new(int16)), io.ErrUnexpectedEOF)
	isError(t, here(), span.Options{MaxBytes: 100}.NewDecoder(bytes.NewReader([]byte{200, 1})).Decode(new(string)), span.ErrLimit)
}

func TestEncoderUnframed(t *testing.T) {
	var buf bytes.Buffer
	enc := span.NewEncoder(&buf)
	enc.Unframed = true
	for i := range 3 {
		if err := enc.Encode(int16(i)); err != nil {
			t.Fatal(err)
		}
	}
	if buf.Len() != 6 {
		t.Errorf("%x", buf.Bytes())
	}
	dec := span.Options{MaxBytes: 2}.NewDecoder(&buf)
	dec.Unframed = true
	for i := range 3 {
		var v int16
		if err := dec.Decode(&v); err != nil || int(v) != i {
			t.Errorf("%d: %d %v", i, v, err)
		}
	}
	isError(t, here(), dec.Decode(new(int16)), io.EOF)
}

func TestEncoderErrors(t *testing.T) {
	var buf bytes.Buffer
	enc := span.NewEncoder(&buf)
	isError(t, here(), enc.Encode([]span.Char{1, 300}), span.ErrRange)
	if err := enc.Encode("a"); err != nil || buf.String() != "\x02\x01a" {
		t.Errorf("after a value without a message: %q %v", buf.String(), err)
	}
	broken := errors.New("broken")
	enc = span.NewEncoder(brokenWriter{broken})
	isError(t, here(), enc.Encode("a"), broken)
	isError(t, here(), enc.Encode([]span.Char{300}), broken)
	isError(t, here(), span.MarshalWrite(brokenWriter{broken}, "a"), broken)
	isError(t, here(), span.UnmarshalRead(iotest.ErrReader(broken), new(string)), broken)
	isError(t, here(), span.UnmarshalRead(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("\x02ab"))), new(string)), iotest.ErrTimeout)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestMaxBytes(t *testing.T) {
	limit := span.Options{MaxBytes: 3}
	_, err := limit.Marshal("abc")
	isError(t, here(), err, span.ErrLimit)
	_, err = limit.Marshal("ab")
	isError(t, here(), err, nil)
	isError(t, here(), limit.Unmarshal([]byte("\x03abc"), new(string)), span.ErrLimit)
	isError(t, here(), limit.Unmarshal([]byte("\x02ab"), new(string)), nil)
	_, err = limit.UnmarshalFirst([]byte("\x03abcd"), new(string))
	isError(t, here(), err, span.ErrLimit)
	_, err = limit.UnmarshalFirst([]byte("\x02abcd"), new(string))
	isError(t, here(), err, nil)
	isError(t, here(), limit.UnmarshalRead(strings.NewReader("\x03abc"), new(string)), span.ErrLimit)
	isError(t, here(), limit.UnmarshalRead(strings.NewReader("\x02ab"), new(string)), nil)
	isError(t, here(), span.UnmarshalRead(strings.NewReader("\xff\xff\xff\xff\x07"), new(string)), span.ErrLimit)
}

func TestStrict(t *testing.T) {
	strict := span.Options{Strict: true}
	var m map[string]int8
	in := unhex(t, "02 016101 016102")
	if err := span.Unmarshal(in, &m); err != nil || m["a"] != 2 || len(m) != 1 {
		t.Errorf("%v %v", m, err)
	}
	isError(t, here(), strict.Unmarshal(in, &m), span.ErrDuplicateKey)
}

// Nothing that entry points return shares memory with their pools.
func TestMarshalOwns(t *testing.T) {
	a, _ := span.Marshal("first")
	b, _ := span.Marshal("other")
	if string(a) != "\x05first" || string(b) != "\x05other" || cap(a) > 16 {
		t.Errorf("%q %q", a, b)
	}
}

// The error that ended a Decoder stays as it is.
func TestDecoderFinal(t *testing.T) {
	type pair struct {
		S string
		B bool
	}
	for _, unframed := range []bool{false, true} {
		in := []byte{3, 1, 'a', 2, 3, 1, 'b', 1}
		if unframed {
			in = in[1:]
		}
		dec := span.NewDecoder(bytes.NewReader(in))
		dec.Unframed = unframed
		first := dec.Decode(new(pair))
		if first == nil {
			t.Fatal("a bool of 2 was read")
		}
		text := first.Error()
		for range 2 {
			if err := dec.Decode(new(pair)); !errors.Is(err, span.ErrMalformed) || err.Error() != text {
				t.Errorf("%v, first %s", err, text)
			}
		}
		if err := dec.Decode(new(string)); err == nil || err.Error() != text {
			t.Errorf("%v, first %s", err, text)
		}
	}
}

// A message that is cut is truncated even where its value might end there.
func TestDecoderCut(t *testing.T) {
	type lenient struct {
		_ struct{} `span:"newlife"`
		A uint8
		B uint16
	}
	for _, in := range []string{"03", "03 01", "05 01 0200"} {
		isError(t, here(), span.NewDecoder(bytes.NewReader(unhex(t, in))).Decode(new(lenient)), io.ErrUnexpectedEOF)
	}
	isError(t, here(), span.NewDecoder(bytes.NewReader(unhex(t, "04 01 0200 07"))).Decode(new(lenient)), span.ErrTrailing)
	isError(t, here(), span.NewDecoder(bytes.NewReader(unhex(t, "01 01"))).Decode(new(lenient)), nil)
}
