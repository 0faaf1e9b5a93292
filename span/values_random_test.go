package span_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// randomOptions gives one of the eight settings of the switches.
func randomOptions(rng *rand.Rand) span.Options {
	return span.Options{BigEndian: rng.IntN(2) == 0, EncodeInt: rng.IntN(2) == 0, FullTime: rng.IntN(2) == 0}
}

// randomBits gives numbers of all sizes.
func randomBits(rng *rand.Rand) uint64 { return rng.Uint64() >> rng.IntN(64) }

// randomText gives strings and bytes of all lengths up to a little over most.
func randomText(rng *rand.Rand, most int) string {
	b := make([]byte, rng.IntN(1+rng.IntN(most)))
	for i := range b {
		b[i] = byte(rng.IntN(256))
	}
	return string(b)
}

// randomValues gives n values of random methods.
func randomValues(rng *rand.Rand, n int) []value {
	values := make([]value, n)
	for i := range values {
		if rng.IntN(2) == 0 {
			values[i] = randomNumber(rng)
		} else {
			values[i] = randomScalar(rng)
		}
	}
	return values
}

func randomNumber(rng *rand.Rand) value {
	x := randomBits(rng)
	switch rng.IntN(13) {
	case 0:
		return valBool(x&1 == 0)
	case 1:
		return val("Uint8", (*span.Writer).WriteUint8, (*span.Reader).ReadUint8, uint8(x))
	case 2:
		return valI16(int16(x))
	case 3:
		return valU16(uint16(x))
	case 4:
		return valI32(int32(x))
	case 5:
		return valU32(uint32(x))
	case 6:
		return valI64(int64(x))
	case 7:
		return valU64(x)
	case 8:
		return valUvarint(64, x)
	case 9:
		return valUvarint(16, x&(math.MaxUint64>>(64-16)))
	case 10:
		return valUvarint(32, x&(math.MaxUint64>>(64-32)))
	case 11:
		return valUvarint(64, uint64(int64(x)))
	}
	return valUvarint(64, wire.ZigZag(int64(x)))
}

func randomScalar(rng *rand.Rand) value {
	x := randomBits(rng)
	switch rng.IntN(12) {
	case 0:
		return valF32(float32(x))
	case 1:
		return valF64(float64(x))
	case 2:
		return valString(randomText(rng, 300))
	case 3:
		return valBytes([]byte(randomText(rng, 300)))
	case 4:
		return valTime(time.Unix(int64(x), int64(x%1e9)))
	case 5:
		return valDateTime(time.Unix(1+rng.Int64N(1<<32-2), 0).UTC())
	case 6:
		d, _ := span.DecimalFromBits([4]uint32{uint32(x), uint32(x >> 32), rng.Uint32(), rng.Uint32N(29)<<16 | rng.Uint32N(2)<<31})
		return valDecimal(d)
	case 7:
		var g span.GUID
		copy(g[:], randomText(rng, 16))
		return valGUID(g)
	case 8:
		return valChar(span.Char(x & 0xff))
	case 9:
		width := []int{0, 2, 4}[rng.IntN(3)]
		return val("Array", func(w *span.Writer, b []byte) { w.WriteArray(b, width) },
			func(r *span.Reader) []byte { return r.ReadArray(nil, width) }, []byte(randomText(rng, 300)))
	case 10:
		return val("LengthString", func(w *span.Writer, s string) { w.WriteArray([]byte(s), 1) },
			func(r *span.Reader) string { return string(r.ReadArray(nil, 1)) }, randomText(rng, 256))
	}
	size := 1 + rng.IntN(40)
	s := randomText(rng, 1+size)
	if len(s) > 0 {
		s = s[:len(s)-1] + "."
	}
	return val("StringN", func(w *span.Writer, s string) { w.WriteStringN(s, size) },
		func(r *span.Reader) string { return r.ReadStringN(size) }, s[:min(len(s), size)])
}

// rounds is how many random messages a test makes.
func rounds() int { return test.Count(500, 2000, 20_000) }

// What is written reads back under every setting of the switches, from memory
// and from a stream that comes byte by byte; all kinds of Writer agree.
func TestValuesRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds() {
		o := randomOptions(rng)
		values := randomValues(rng, rng.IntN(12))
		b := written(t, o, values...)
		for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
			var r span.Reader
			r.Reset(b, mode)
			o.Strings = mode
			r.Configure(o)
			reads(t, here(), &r, values...)
		}
		r := o.NewStreamReader(iotest.OneByteReader(bytes.NewReader(b)))
		reads(t, here(), r, values...)
		if r.Offset() != int64(len(b)) {
			t.Fatalf("stream: read %d of %d bytes", r.Offset(), len(b))
		}
		sameWriters(t, o, b, values)
		if t.Failed() {
			return
		}
	}
}

// sameWriters checks that fixed and flushing Writers give b as well.
func sameWriters(t *testing.T, o span.Options, b []byte, values []value) {
	t.Helper()
	var w span.Writer
	for _, size := range []int{len(b), len(b) - 1} {
		if size < 0 {
			continue
		}
		w = *span.NewFixedWriter(make([]byte, size))
		w.Configure(o)
		for _, v := range values {
			v.write(&w)
		}
		if size == len(b) {
			isError(t, here(), w.Err(), nil)
			if !bytes.Equal(w.Bytes(), b) {
				t.Errorf("a fixed buffer has other bytes")
			}
		} else {
			isError(t, here(), w.Err(), span.ErrShortBuffer)
		}
	}
	var dst bytes.Buffer
	stream := o.NewStreamWriter(&dst)
	for _, v := range values {
		v.write(stream)
	}
	if err := stream.Flush(); err != nil || !bytes.Equal(dst.Bytes(), b) {
		t.Errorf("a flushing Writer gives %d bytes of %d, error %v", dst.Len(), len(b), err)
	}
}

// Every prefix of a message fails, and nothing is read after that.
func TestValuesPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range rounds() / 10 {
		o := randomOptions(rng)
		values := randomValues(rng, 1+rng.IntN(4))
		b := written(t, o, values...)
		for n := range b {
			r := reader(b[:n:n], o)
			s := o.NewStreamReader(iotest.HalfReader(bytes.NewReader(b[:n])))
			for _, v := range values {
				v.read(r)
				v.read(s)
			}
			isError(t, row(values[0].name), r.Err(), io.ErrUnexpectedEOF)
			isError(t, row(values[0].name), s.Err(), io.ErrUnexpectedEOF)
			if v := r.ReadUint8(); v != 0 || r.ReadString() != "" || slices.Collect(r.Elements()) != nil {
				t.Errorf("a failed Reader goes on reading")
			}
		}
	}
}

// FuzzValues reads any bytes by any methods: it must end in an error or in
// values that write the bytes anew, save what is tolerated.
func FuzzValues(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for seed := range uint64(40) {
		script := rand.New(rand.NewPCG(seed, 0))
		o := randomOptions(script)
		f.Add(seed, written(f, o, randomValues(script, 5)...), rng.IntN(2) == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, b []byte, strict bool) {
		script := rand.New(rand.NewPCG(seed, 0))
		o := randomOptions(script)
		o.Strict = strict
		methods := randomValues(script, 5)
		stream := o.NewStreamReader(iotest.OneByteReader(bytes.NewReader(b)))
		r := reader(b, o)
		var w span.Writer
		w.Configure(o)
		for i := range methods {
			m := &methods[i]
			m.want = m.read(r)
			if other := m.read(stream); !same(m.want, other) {
				t.Fatalf("%s: %v from memory, %v from a stream", m.name, m.want, other)
			}
			m.write(&w)
		}
		if (r.Err() == nil) != (stream.Err() == nil) {
			t.Fatalf("error %v from memory, %v from a stream", r.Err(), stream.Err())
		}
		if r.Err() != nil {
			return
		}
		reads(t, here(), reader(w.Bytes(), o), methods...)
		if n := r.Offset(); strict && !o.FullTime && !bytes.Equal(w.Bytes(), b[:n]) || n != stream.Offset() {
			t.Fatalf("read %x, %d bytes from a stream, wrote %x", b[:n], stream.Offset(), w.Bytes())
		}
	})
}
