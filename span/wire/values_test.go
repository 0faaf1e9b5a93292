package wire_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// family holds the three functions of one primitive.
type family[T any] struct {
	append  func([]byte, T) []byte
	consume func([]byte) (T, int)
	size    func(T) int
}

// check holds a value against its bytes: all three functions agree, what is in
// front and behind does not matter, and every proper prefix is truncated.
func (f family[T]) check(t *testing.T, at row, v T, bits []byte, equal func(a, b T) bool) {
	t.Helper()
	b := f.append([]byte("front"), v)
	if string(b) != "front"+string(bits) {
		t.Errorf("%s: wrote %x, want %x", at, b[5:], bits)
	}
	if n := f.size(v); n != len(bits) {
		t.Errorf("%s: size %d, want %d", at, n, len(bits))
	}
	for _, behind := range []string{"", "\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if got, n := f.consume(append(bytes.Clone(bits), behind...)); n != len(bits) || !equal(got, v) {
			t.Errorf("%s: read %v, %d, want %v", at, got, n, v)
		}
	}
	for i := range bits {
		_, n := f.consume(bits[:i:i])
		isError(t, at, wire.ConsumeError(n), io.ErrUnexpectedEOF)
	}
}

func TestBool(t *testing.T) {
	bools := family[bool]{wire.AppendBool, wire.ConsumeBool, func(bool) int { return 1 }}
	bools.check(t, here(), false, []byte{0}, func(a, b bool) bool { return a == b })
	bools.check(t, here(), true, []byte{1}, func(a, b bool) bool { return a == b })
}

func TestBoolMalformed(t *testing.T) {
	for c := 2; c < 256; c++ {
		v, n := wire.ConsumeBool([]byte{byte(c)})
		isError(t, here(), wire.ConsumeError(n), wire.ErrMalformed)
		if v {
			t.Errorf("%d reads as true beside an error", c)
		}
	}
}

func TestStringsAndBytes(t *testing.T) {
	strs := family[string]{wire.AppendString, wire.ConsumeString, wire.SizeString}
	byts := family[[]byte]{wire.AppendBytes, wire.ConsumeBytes, wire.SizeBytes}
	long := strings.Repeat("b", 128)
	for _, r := range []struct {
		at   row
		s    string
		wire string
	}{
		{here(), "", "\x00"},
		{here(), "Hello World", "\x0bHello World"},
		{here(), "你好", "\x06\xe4\xbd\xa0\xe5\xa5\xbd"},
		{here(), "a\xffb", "\x03a\xffb"},
		{here(), long[:127], "\x7f" + long[:127]},
		{here(), long, "\x80\x01" + long},
		{here(), strings.Repeat("x", 16384), "\x80\x80\x01" + strings.Repeat("x", 16384)},
	} {
		strs.check(t, r.at, r.s, []byte(r.wire), func(a, b string) bool { return a == b })
		byts.check(t, r.at, []byte(r.s), []byte(r.wire), bytes.Equal)
	}
	if v, n := wire.ConsumeBytes([]byte{0}); v != nil || n != 1 {
		t.Errorf("%v, %d, want nil", v, n)
	}
	if b := wire.AppendBytes(nil, nil); string(b) != "\x00" {
		t.Errorf("nil is %x", b)
	}
	for _, r := range []struct {
		at   row
		wire string
		want error
	}{
		{here(), "05 61", io.ErrUnexpectedEOF},
		{here(), "ffffffff07", io.ErrUnexpectedEOF},
		{here(), "ffffffff08 61", wire.ErrRange},
		{here(), "8000", wire.ErrMalformed},
		{here(), "8100 61", wire.ErrMalformed},
		{here(), "", io.ErrUnexpectedEOF},
		{here(), "80", io.ErrUnexpectedEOF},
	} {
		s, n := wire.ConsumeString(unhex(t, r.wire))
		isError(t, r.at, wire.ConsumeError(n), r.want)
		v, m := wire.ConsumeBytes(unhex(t, r.wire))
		if m != n || s != "" || v != nil {
			t.Errorf("%s: %q, %q, %d beside an error", r.at, s, v, m)
		}
	}
}

// TestNoAliasing: what was read stays when the input changes, and no append to
// it reaches the input.
func TestNoAliasing(t *testing.T) {
	in := []byte("\x03abc\x03def")
	s, _ := wire.ConsumeString(in)
	v, n := wire.ConsumeBytes(in)
	_ = append(v, 'x')
	if in[n] != 3 {
		t.Error("append to a slice that was read changed the input")
	}
	copy(in, "\xff\xff\xff\xff")
	if s != "abc" || string(v) != "abc" {
		t.Errorf("%q, %q after the input changed", s, v)
	}
}

func TestTime(t *testing.T) {
	times := family[time.Time]{wire.AppendTime, wire.ConsumeTime, func(time.Time) int { return 12 }}
	times.check(t, here(), time.Date(2025, 1, 1, 0, 0, 0, 7, time.UTC), unhex(t, "8085746700000000 07000000"), time.Time.Equal)
	times.check(t, here(), time.Time{}, unhex(t, "00096e88f1ffffff 00000000"), time.Time.Equal)
	_, n := wire.ConsumeTime(unhex(t, "8085746700000000 00ca9a3b"))
	isError(t, here(), wire.ConsumeError(n), wire.ErrRange)
}

func TestValidDecimal(t *testing.T) {
	for flags, want := range map[uint32]bool{0: true, 28 << 16: true, 1<<31 | 2<<16: true, 29 << 16: false, 1: false, 1 << 15: false, 1 << 24: false, 1 << 30: false} {
		if wire.ValidDecimal(flags) != want {
			t.Errorf("%#x: want %v", flags, want)
		}
	}
}

func TestPrimitiveAllocs(t *testing.T) {
	buf := make([]byte, 0, 256)
	big := rand.Uint64() | 1<<63
	str, text := strings.Repeat("s", 200), []byte(strings.Repeat("s", 200))
	noAllocs(t, "append", func() {
		b := wire.AppendUvarint(buf, big)
		_ = wire.AppendTime(b, time.Time{})
		_ = wire.AppendString(b[:0], str)
		_ = wire.AppendBytes(b[:0], text)
	})
	in := wire.AppendUvarint(nil, big)
	noAllocs(t, "consume", func() {
		_, _ = wire.ConsumeUvarint(in, 64, false)
		_, _ = wire.ConsumeUvarint(in, 64, true)
		_, _ = wire.ConsumeLength(in, false)
		_, n := wire.ConsumeString(in)
		_ = wire.ConsumeError(n)
	})
}
