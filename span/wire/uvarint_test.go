package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"testing"

	"github.com/spanwire/spanwire/span/wire"
)

// TestEncodeIntRecorded has bytes that NewLife's WriteEncodedInt wrote.
func TestEncodeIntRecorded(t *testing.T) {
	for _, r := range []struct {
		at   row
		bits int
		v    int64
		wire string
	}{
		{here(), 16, 0, "00"},
		{here(), 16, 300, "ac02"},
		{here(), 16, 128, "8001"},
		{here(), 16, -1, "ffff03"},
		{here(), 16, -32768, "808002"},
		{here(), 32, 0, "00"},
		{here(), 32, 1, "01"},
		{here(), 32, 127, "7f"},
		{here(), 32, 128, "8001"},
		{here(), 32, 16383, "ff7f"},
		{here(), 32, 2097151, "ffff7f"},
		{here(), 32, 2097152, "80808001"},
		{here(), 32, 268435455, "ffffff7f"},
		{here(), 32, 268435456, "8080808001"},
		{here(), 32, 2147483647, "ffffffff07"},
		{here(), 32, -1, "ffffffff0f"},
		{here(), 32, -2147483648, "8080808008"},
		{here(), 64, 0, "00"},
		{here(), 64, 127, "7f"},
		{here(), 64, 34359738367, "ffffffff7f"},
		{here(), 64, 4398046511104, "80808080808001"},
		{here(), 64, 562949953421311, "ffffffffffff7f"},
		{here(), 64, 562949953421312, "8080808080808001"},
		{here(), 64, 72057594037927936, "808080808080808001"},
		{here(), 64, -1, "ffffffffffffffffff01"},
		{here(), 64, math.MinInt64, "80808080808080808001"},
	} {
		bits := unhex(t, r.wire)
		v := uint64(r.v) & (math.MaxUint64 >> (64 - r.bits))
		family[uint64]{wire.AppendUvarint, func(b []byte) (uint64, int) { return wire.ConsumeUvarint(b, r.bits, false) }, wire.SizeUvarint}.
			check(t, r.at, v, bits, func(a, b uint64) bool { return a == b })
	}
}

// consumers are the readers of uvarints by the width of their numbers.
var consumers = []struct {
	name            string
	bits            int
	strict, lenient func([]byte) (uint64, int)
}{
	{"Uvarint 16", 16, uvarint(16, false), uvarint(16, true)},
	{"Length", 31, length(false), length(true)},
	{"Uvarint 31", 31, uvarint(31, false), uvarint(31, true)},
	{"Uvarint 32", 32, uvarint(32, false), uvarint(32, true)},
	{"Uvarint 64", 64, uvarint(64, false), uvarint(64, true)},
}

func uvarint(width int, lenient bool) func([]byte) (uint64, int) {
	return func(b []byte) (uint64, int) { return wire.ConsumeUvarint(b, width, lenient) }
}

func length(lenient bool) func([]byte) (uint64, int) {
	return func(b []byte) (uint64, int) {
		v, n := wire.ConsumeLength(b, lenient)
		return uint64(v), n
	}
}

// TestUvarintForms covers overflow and padding at each width.
func TestUvarintForms(t *testing.T) {
	eof, malformed, tooBig := io.ErrUnexpectedEOF, wire.ErrMalformed, wire.ErrRange
	for _, r := range []struct {
		at      row
		bits    int
		wire    string
		v       uint64
		strict  error
		lenient error
	}{
		{here(), 16, "ffff03", 65535, nil, nil},
		{here(), 16, "ffff04", 0, tooBig, tooBig},
		{here(), 16, "ffff83", 0, tooBig, tooBig},
		{here(), 16, "808000", 0, malformed, nil},
		{here(), 16, "80808000", 0, tooBig, tooBig},
		{here(), 16, "ffff", 0, eof, eof},
		{here(), 31, "ffffffff07", math.MaxInt32, nil, nil},
		{here(), 31, "8080808008", 0, tooBig, tooBig},
		{here(), 31, "ffffffff0f", 0, tooBig, tooBig},
		{here(), 31, "8180808000", 1, malformed, nil},
		{here(), 31, "818080808000", 0, tooBig, tooBig},
		{here(), 32, "8080808010", 0, tooBig, tooBig},
		{here(), 32, "ffffffff7f", 0, tooBig, tooBig},
		{here(), 32, "ffffffffff01", 0, tooBig, tooBig},
		{here(), 32, "ffffffff0f", math.MaxUint32, nil, nil},
		{here(), 32, "ffffffff07", math.MaxInt32, nil, nil},
		{here(), 32, "8080808008", 1 << 31, nil, nil},
		{here(), 32, "8000", 0, malformed, nil},
		{here(), 32, "8100", 1, malformed, nil},
		{here(), 32, "8080808000", 0, malformed, nil},
		{here(), 32, "ff00", 127, malformed, nil},
		{here(), 32, "80808001", 1 << 21, nil, nil},
		{here(), 32, "80800100", 1 << 14, nil, nil}, // a byte is left
		{here(), 32, "80808080", 0, eof, eof},
		{here(), 64, "ffffffffffffffffff01", math.MaxUint64, nil, nil},
		{here(), 64, "ffffffffffffffffff02", 0, tooBig, tooBig},
		{here(), 64, "ffffffffffffffffff7f", 0, tooBig, tooBig},
		{here(), 64, "80808080808080808000", 0, malformed, nil},
		{here(), 64, "8080808080808080808000", 0, tooBig, tooBig},
		{here(), 64, "808080808080808080", 0, eof, eof},
		{here(), 64, "", 0, eof, eof},
	} {
		b := unhex(t, r.wire)
		for _, c := range consumers {
			if c.bits != r.bits {
				continue
			}
			at := r.at + row(" "+c.name)
			v, n := c.strict(b)
			isError(t, at, wire.ConsumeError(n), r.strict)
			if r.strict == nil && v != r.v || r.strict != nil && v != 0 {
				t.Errorf("%s: %d", at, v)
			}
			v, n = c.lenient(b)
			isError(t, at, wire.ConsumeError(n), r.lenient)
			if v != r.v {
				t.Errorf("%s lenient: %d", at, v)
			}
		}
	}
}

func TestUvarintSizes(t *testing.T) {
	for shift := range 65 {
		for _, add := range []uint64{^uint64(0), 0, 1} {
			v := uint64(1)<<shift + add
			b := wire.AppendUvarint(nil, v)
			if want := binary.AppendUvarint(nil, v); !bytes.Equal(b, want) {
				t.Errorf("%d: %x, want %x", v, b, want)
			}
			if n := wire.SizeUvarint(v); n != len(b) || n != max(1, (mathbits.Len64(v)+6)/7) {
				t.Errorf("%d: size %d, want %d", v, n, len(b))
			}
			if v <= wire.MaxLength && (wire.SizeLength(int(v)) != len(b) || !bytes.Equal(wire.AppendLength(nil, int(v)), b)) {
				t.Errorf("length %d: %d, %x", v, wire.SizeLength(int(v)), wire.AppendLength(nil, int(v)))
			}
		}
	}
	// What is no length never comes back as one.
	for _, n := range []int{-1, math.MinInt} {
		b := wire.AppendLength(nil, n)
		_, code := wire.ConsumeLength(b, true)
		isError(t, here(), wire.ConsumeError(code), wire.ErrRange)
	}
}

func TestZigZag(t *testing.T) {
	for _, v := range []int64{0, -1, 1, -2, 2, math.MaxInt16, math.MinInt16, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64} {
		var std [10]byte
		n := binary.PutVarint(std[:], v) // the same form under another name
		if b := wire.AppendUvarint(nil, wire.ZigZag(v)); !bytes.Equal(b, std[:n]) {
			t.Errorf("%d: %x, want %x", v, b, std[:n])
		}
		if v == int64(int16(v)) && wire.ZigZag(v) > math.MaxUint16 || v == int64(int32(v)) && wire.ZigZag(v) > math.MaxUint32 {
			t.Errorf("%d becomes %d", v, wire.ZigZag(v))
		}
	}
	for range 10000 {
		if v := int64(rand.Uint64()) >> rand.N(64); wire.UnZigZag(wire.ZigZag(v)) != v {
			t.Fatalf("%d comes back as %d", v, wire.UnZigZag(wire.ZigZag(v)))
		}
	}
}

func TestConsumeError(t *testing.T) {
	for _, n := range []int{0, 1, 5, math.MaxInt} {
		isError(t, here(), wire.ConsumeError(n), nil)
	}
	if wire.ConsumeError(math.MinInt) == nil {
		t.Error("a negative number is an error")
	}
}

// FuzzUvarint: an accepted form is the only one (strict), carries what
// encoding/binary reads (both), and verdicts on a prefix agree with those on the
// whole.
func FuzzUvarint(f *testing.F) {
	for _, s := range []string{"", "\x00", "\x80\x00", "\xff\xff\x03", "\xff\xff\xff\xff\x0f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x80\x80\x80\x80\x80\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		std, m := binary.Uvarint(b)
		for _, c := range consumers {
			v, n := c.strict(b)
			lv, ln := c.lenient(b)
			if n >= 0 && (n != ln || v != lv) {
				t.Fatalf("%s: strict %d, %d; lenient %d, %d", c.name, v, n, lv, ln)
			}
			if n > 0 && !bytes.Equal(wire.AppendUvarint(nil, v), b[:n]) {
				t.Fatalf("%s: %x is not the only form of %d", c.name, b[:n], v)
			}
			fits := m > 0 && m <= (c.bits+6)/7 && std>>(c.bits-1)>>1 == 0
			if fits != (ln > 0) || fits && (lv != std || ln != m) {
				t.Fatalf("%s: %d, %d; want %d, %d", c.name, lv, ln, std, m)
			}
			if n < 0 && n != ln && !errors.Is(wire.ConsumeError(n), wire.ErrMalformed) {
				t.Fatalf("%s: only padding makes a difference: %d, %d", c.name, n, ln)
			}
			for i := range min(len(b), 11) {
				if pv, pn := c.strict(b[:i]); !errors.Is(wire.ConsumeError(pn), io.ErrUnexpectedEOF) && (pn != n || pv != v) {
					t.Fatalf("%s: %x gives %d, %d, but %x gives %d, %d", c.name, b[:i], pv, pn, b, v, n)
				}
			}
		}
	})
}
