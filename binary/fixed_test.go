package binary_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/spanwire/spanwire/binary"
)

type (
	fixed8 struct {
		S string `binary:"fixed=8"`
	}
	fixed7 struct {
		S string `binary:"fixed=7"`
	}
	fixedB4 struct {
		B []byte `binary:"fixed=4"`
	}
)

// D5: text loses whole code units at both ends, bytes lose zeros at the end.
func TestFixedTrims(t *testing.T) {
	be := binary.Options{Encoding: binary.TextEncoding(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM))}
	le := binary.Options{Encoding: binary.TextEncoding(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM))}
	wide := binary.Options{Encoding: binary.TextEncoding(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM))}
	gbk := binary.Options{Encoding: binary.TextEncoding(simplifiedchinese.GBK)}
	roundTrip(t, &fixed8{"a"}, "0061 000000000000", be)
	roundTrip(t, &fixed8{"a"}, "6100 000000000000", le)
	roundTrip(t, &fixed8{"Ā一"}, "0100 4e00 00000000", be)
	roundTrip(t, &fixed8{"Ā一"}, "0001 004e 00000000", le)
	roundTrip(t, &fixed8{"￡ÿ"}, "ffe1 00ff 00000000", be)
	roundTrip(t, &fixed8{"￡ÿ"}, "e1ff ff00 00000000", le)
	roundTrip(t, &fixed8{"Ā一￡a"}, "0100 4e00 ffe1 0061", be)
	roundTrip(t, &fixed7{"Ā一"}, "0100 4e00 0000 00", be)
	roundTrip(t, &fixed8{"Ā"}, "00000100 00000000", wide)
	roundTrip(t, &fixed8{"新"}, "d0c2 000000000000", gbk)
	roundTrip(t, &fixedB4{[]byte{0, 0, 0, 1}}, "00000001", binary.Options{})
	roundTrip(t, &fixedB4{[]byte{0xff, 1, 0xff}}, "ff01ff00", binary.Options{})
	roundTrip(t, &fixedB4{[]byte{0, 0xff}}, "00ff0000", binary.Options{})

	read := func(in string, o binary.Options) string {
		var v fixed8
		require.NoError(t, o.Unmarshal(unhex(in), &v))
		return v.S
	}
	require.Equal(t, "ab", read("ff00 6162 0000 ffff", binary.Options{}))
	require.Equal(t, "a", read("ffff 0000 0061 ffff", be))
	require.Equal(t, "\u0061", read("ffff 0000 6100 ffff", le))
	require.Equal(t, "ÿa", read("00ff 0061 0000 ffff", be))

	for name, c := range map[string]struct {
		v any
		o binary.Options
	}{
		"NUL behind":          {&fixed8{"a\x00"}, binary.Options{}},
		"FF before":           {&fixed8{"\xffa"}, binary.Options{}},
		"NUL before, UTF-16":  {&fixed8{"\x00a"}, be},
		"FFFF behind, UTF-16": {&fixed8{"a\uffff"}, le},
		"NUL behind, UTF-32":  {&fixed8{"a\x00"}, wide},
		"zero behind, bytes":  {&fixedB4{[]byte{1, 0}}, binary.Options{}},
		"zeros, bytes":        {&fixedB4{[]byte{0, 0, 0, 0}}, binary.Options{}},
		"too long":            {&fixed8{"abcde"}, be},
		"no UTF-8":            {&fixed8{"a\xff"}, be},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.o.Marshal(c.v)
			require.ErrorIs(t, err, binary.ErrRange)
		})
	}

	compat := le
	compat.Compat = true // trims bytes, half characters too
	require.Equal(t, "\ufffd", read("6100 000000000000", compat))
	require.Equal(t, "ab", read("ff00 6162 0000 ffff", binary.Options{Compat: true}))
}

// spoiler appends to what it is given.
type spoiler struct{ binary.Encoding }

func (spoiler) AppendText(b []byte, s string) ([]byte, error) { return append(b, s...), nil }
func (spoiler) Text(b []byte) (string, error)                 { return string(append(b, 'X', 'X')), nil }

// Reading never writes to its input, whatever an Encoding does with what has been trimmed.
func TestFixedInputStays(t *testing.T) {
	type m struct {
		A string `binary:"fixed=4"`
		B string `binary:"until=0"`
		C string
		D string `binary:"rest"`
		E uint16
	}
	in := unhex("61000000 6200 0163 64 0001")
	before := bytes.Clone(in)
	var v m
	require.NoError(t, binary.Options{Encoding: spoiler{}}.Unmarshal(in, &v))
	require.Equal(t, before, in)
	require.Equal(t, m{"aXX", "bXX", "cXX", "dXX", 1}, v)
}
