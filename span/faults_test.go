package span_test

import (
	"bytes"
	"io"
	"math"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

// TestFaultTexts (G13, G22): errors say how many, how many are needed and there,
// and which value it is.
func TestFaultTexts(t *testing.T) {
	type pair struct{ A, B uint32 }
	type text struct{ S string }
	type list struct{ L []pair }
	type small struct {
		N uint32 `span:"varint"`
	}
	type unix struct {
		T time.Time `span:"unix"`
	}
	type nano struct {
		T time.Time `span:"unixnano"`
	}
	type ticks struct {
		T time.Time `span:"ticks"`
	}
	type seconds struct {
		_ struct{} `span:"newlife"`
		T time.Time
	}
	type sized struct {
		P pair `span:"sized"`
	}
	for _, test := range []struct {
		name string
		in   []byte
		into any
		want string
	}{
		{"a number", []byte{1, 2, 3}, new(uint32), "unexpected EOF: 4 bytes are needed, 3 are left"},
		{"a field", []byte{1, 0, 0, 0, 2}, new(pair), "at B (byte 5): unexpected EOF: 4 bytes are needed, 1 are left"},
		{"a string", []byte{5, 'a'}, new(text), "at S (byte 2): unexpected EOF: a length of 5 with 1 bytes left"},
		{"elements", []byte{3, 1, 2, 3, 4, 5, 6, 7, 8}, new(list), "at L (byte 0): unexpected EOF: 3 elements of at least 8 bytes with 8 bytes left"},
		{"trailing", []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 4}, new(pair), "bytes are left after the value: 2 after the first 8"},
		{"too long", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 1}, new(small), "at N (byte 0): out of range: a uvarint too long for 32 bits"},
		{"a length too long", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 1}, new(text), "at S (byte 0): out of range: a uvarint too long for 31 bits"},
		{"padded", []byte{0x85, 0x80, 0}, new(small), "malformed: a padded uvarint, 3 bytes where 5 is written in 1"},
		{"a padded length", []byte{0x85, 0}, new(text), "malformed: a padded uvarint, 2 bytes where 5 is written in 1"},
		{"no time", []byte{0xff, 0xff, 0xff, 0xff}, new(seconds), "4294967295 is not a valid time in uint32 seconds since 1970"},
		{"ticks", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f}, new(ticks), "4611686018427387903 is not a valid time in ticks of the years 1 to 9999"},
		{"nanoseconds", []byte{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, new(time.Time), "4294967295 nanoseconds within a second"},
		{"a sized struct", []byte{9, 1, 2}, new(sized), "at P (byte 0): unexpected EOF: a length of 9 with 2 bytes left"},
		{"a flag", []byte{7}, new(bool), "malformed: a flag byte of 7"},
	} {
		err := span.Unmarshal(test.in, test.into)
		require.ErrorContains(t, err, test.want, test.name)
		if test.name != "trailing" {
			err = span.UnmarshalRead(iotest.DataErrReader(bytes.NewReader(test.in)), test.into)
			require.ErrorContains(t, err, test.want, "%s, from a stream", test.name)
		}
	}
	for name, test := range map[string]struct {
		in   any
		want string
	}{
		"before 1970": {&unix{time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)}, "at T (byte 0): out of range: the time 1969-12-31T23:59:59Z does not fit in uint32 seconds since 1970"},
		"far":         {&nano{time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)}, "the time 3000-01-01T00:00:00Z does not fit in int64 nanoseconds since 1970"},
		"year 10000":  {&ticks{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "the time 10000-01-01T00:00:00Z does not fit in ticks of the years 1 to 9999"},
		"minus 1":     {&[]span.Char{-1}, "at [0] (byte 1): out of range: Char(-1) is not a character"},
		"largest":     {&[]span.Char{math.MaxInt32}, "Char(2147483647) is not a character"},
		"euro":        {&[]span.Char{'€'}, "the character U+20AC does not fit in one byte"},
	} {
		_, err := span.Marshal(test.in)
		require.ErrorContains(t, err, test.want, name)
	}
	_, err := appendBy(nil, func(w *span.Writer) { w.WriteChar(-1) })
	require.ErrorContains(t, err, "Char(-1) is not a character")
	w := span.NewWriter(nil)
	w.WriteChar(-2)
	require.ErrorContains(t, w.Err(), "Char(-2) is not a character")
	w.Reset(nil)
	w.WriteDateTime(time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC))
	require.ErrorContains(t, w.Err(), "the time 2200-01-01T00:00:00Z does not fit in uint32 seconds since 1970")
}

// TestFaultTextsOfStreams: in a stream what is left may not be known.
func TestFaultTextsOfStreams(t *testing.T) {
	read := func(b []byte, v any, opts ...span.Options) error {
		return under(opts).UnmarshalRead(struct{ io.Reader }{bytes.NewReader(b)}, v)
	}
	require.ErrorContains(t, read(make([]byte, 10), new(uint32)), "6 after the first 4")
	require.ErrorContains(t, read(make([]byte, 100_000), new(uint32)), " or more after the first 4")
	require.ErrorContains(t, read([]byte{0xc0, 0x9a, 0x0c}, new(string), span.Options{MaxBytes: 50}), "limit exceeded by MaxBytes: a length of 200000 with 0 bytes left")
	require.ErrorContains(t, read([]byte{100}, new([]uint32), span.Options{MaxBytes: 50}), "limit exceeded by MaxBytes: 100 elements of at least 4 bytes with 0 bytes left")
	long := append([]byte{0xff, 0xff, 0xff, 0x7f}, make([]byte, 80_000)...)
	require.ErrorContains(t, read(long, new([]uint32), span.Options{MaxBytes: 100_000}), "268435455 elements of at least 4 bytes with 99996 bytes left by MaxBytes")
	var out bytes.Buffer
	require.NoError(t, span.NewEncoder(&out).Encode([]uint32{1, 2, 3}))
	require.ErrorContains(t, span.NewDecoder(&out).Decode(new(struct{ N uint32 })), "bytes are left after the value: 9 after the first 5")
}

// TestStreamEndsWithinMessage: the error counts the bytes that came, not those
// that the message or a sized struct promised.
func TestStreamEndsWithinMessage(t *testing.T) {
	type inner struct {
		A []byte
		B []int32
	}
	type outer struct {
		X int32
		S inner `span:"sized"`
		T string
	}
	v := outer{1, inner{[]byte("abc"), []int32{1, 2, 3}}, "text"}
	var framed bytes.Buffer
	require.NoError(t, span.NewEncoder(&framed).Encode(&v))
	b := framed.Bytes()
	for n := 2; n < len(b); n++ {
		var streamed, whole *span.Error
		require.ErrorAs(t, span.NewDecoder(bytes.NewReader(b[:n])).Decode(new(outer)), &streamed, "%d bytes", n)
		require.ErrorAs(t, span.Unmarshal(b[1:n], new(outer)), &whole, "%d bytes", n)
		require.ErrorIs(t, streamed, io.ErrUnexpectedEOF)
		require.Equal(t, whole.Err.Error(), streamed.Err.Error(), "%d bytes", n)
	}
}
