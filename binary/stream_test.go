package binary_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spanwire/spanwire/binary"
)

// brokenReader gives its bytes, then an error.
type brokenReader struct {
	io.Reader
	err error
}

func (r *brokenReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err == io.EOF {
		err = r.err
	}
	return n, err
}

var errBroken = errors.New("the line is cut")

func TestBrokenStreams(t *testing.T) {
	d := binary.NewDecoder(&brokenReader{strings.NewReader("\x00\x00\x00\x07\x05St"), errBroken})
	v := stone{Code: 1, Name: "old"}
	err := d.Decode(&v)
	var e *binary.Error
	if !errors.Is(err, errBroken) || !errors.As(err, &e) || e.Path != "Name" || v.Code != 7 {
		t.Errorf("%v, %+v", err, v)
	}
	if err := binary.NewDecoder(&brokenReader{strings.NewReader(""), errBroken}).Decode(&v); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if err := binary.NewDecoder(iotest.ErrReader(io.EOF)).Decode(&v); err != io.EOF { // it must be io.EOF itself
		t.Errorf("error %v", err)
	}
	if err := binary.NewDecoder(silent{}).Decode(&v); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v", err)
	}
	if err := binary.NewDecoder(impossible{}).Decode(&v); err == nil {
		t.Error("an invalid count is accepted")
	}
	big := binary.Options{MaxSize: 1 << 20}.NewDecoder(endless{})
	if err := big.Decode(&data{}); !errors.Is(err, binary.ErrLimit) {
		t.Errorf("error %v", err)
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

type impossible struct{}

func (impossible) Read(b []byte) (int, error) { return len(b) + 1, nil }

// endless gives a length of 16 MiB and then ones for ever.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0x80
	}
	if len(b) > 3 {
		b[3] = 8
	}
	return len(b), nil
}

// shortWriter takes n bytes of each write.
type shortWriter struct {
	n   int
	err error
}

func (w *shortWriter) Write(b []byte) (int, error) { return min(w.n, len(b)), w.err }

func TestBrokenWriters(t *testing.T) {
	e := binary.NewEncoder(&shortWriter{n: 3})
	if err := e.Encode(&stone{1, "x"}); !errors.Is(err, io.ErrShortWrite) || e.Total() != 3 {
		t.Errorf("%v, Total %d", err, e.Total())
	}
	if err := e.Encode(&stone{1, "x"}); !errors.Is(err, io.ErrShortWrite) || e.Total() != 3 {
		t.Errorf("after a failure: %v, Total %d", err, e.Total())
	}
	e = binary.NewEncoder(&shortWriter{err: errBroken})
	if err := e.Encode(&stone{1, "x"}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	var buf bytes.Buffer
	e = binary.NewEncoder(&buf)
	type half struct {
		A uint32
		T time.Time
	}
	if err := e.Encode(&half{T: time.Unix(-1, 0)}); !errors.Is(err, binary.ErrRange) || buf.Len() != 0 {
		t.Errorf("%v, %x written", err, buf.Bytes())
	}
	if err := e.Encode(&stone{1, "x"}); err != nil || buf.Len() != 6 {
		t.Errorf("after a value without form: %v, %x", err, buf.Bytes())
	}
}
