package span_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

var (
	_ driver.Valuer = span.GUID{}
	_ driver.Valuer = span.Decimal{}
	_ sql.Scanner   = (*span.GUID)(nil)
	_ sql.Scanner   = (*span.Decimal)(nil)
)

// TestColumns (G15): GUID and Decimal are columns of a database.
func TestColumns(t *testing.T) {
	const text = "00112233-4455-6677-8899-aabbccddeeff"
	g, err := span.ParseGUID(text)
	require.NoError(t, err)
	v, err := g.Value()
	require.NoError(t, err)
	require.Equal(t, text, v)
	for _, src := range []any{text, []byte(text), "{00112233-4455-6677-8899-AABBCCDDEEFF}", g} {
		var got span.GUID
		require.NoError(t, got.Scan(src), "%v", src)
		require.Equal(t, g, got)
	}
	for _, src := range []any{nil, "", "x", int64(5), make([]byte, 16), []byte{}, time.Now(), true} {
		got := g
		require.Error(t, got.Scan(src), "%v", src)
		require.Equal(t, g, got)
	}
	for text, srcs := range map[string][]any{
		"79228162514264337593543950335":   {"79228162514264337593543950335"},
		"-0.1":                            {"-0.1", []byte("-0.1"), -0.1},
		"9223372036854775807":             {int64(math.MaxInt64), "9223372036854775807"},
		"18446744073709551615":            {uint64(math.MaxUint64)},
		"1.50":                            {"1.50"},
		"0.0000000000000000000000000001":  {1e-28, "1e-28"},
		"150000000000000000000":           {1.5e20},
		"-79228162514264337593543950.335": {[]byte("-79228162514264337593543950.335")},
	} {
		for _, src := range srcs {
			var got span.Decimal
			require.NoError(t, got.Scan(src), "%v", src)
			v, err := got.Value()
			require.NoError(t, err)
			require.Equal(t, text, v)
		}
	}
	one, err := span.ParseDecimal("1")
	require.NoError(t, err)
	for _, src := range []any{nil, "", "x", math.NaN(), math.Inf(1), 1e30, 1e-40, "1e40", true, time.Now(), []byte{}} {
		got := one
		require.Error(t, got.Scan(src), "%v", src)
		require.Equal(t, one, got)
	}
	require.ErrorIs(t, new(span.Decimal).Scan(nil), span.ErrNil)
	var null sql.Null[span.GUID]
	require.NoError(t, null.Scan(nil))
	require.False(t, null.Valid)
	require.NoError(t, null.Scan(text))
	require.Equal(t, g, null.V)
}

// TestCharText (G15): a Char is text in JSON.
func TestCharText(t *testing.T) {
	type holder struct {
		C span.Char
		P *span.Char
		L []span.Char
		M map[span.Char]int
	}
	c := span.Char('é')
	in := holder{'A', &c, []span.Char{0, '"', '中', '\U0001F600'}, map[span.Char]int{'k': 1}}
	b, err := json.Marshal(in)
	require.NoError(t, err)
	require.Equal(t, `{"C":"A","P":"é","L":["\u0000","\"","中","😀"],"M":{"k":1}}`, string(b))
	var out holder
	require.NoError(t, json.Unmarshal(b, &out))
	require.Equal(t, in, out)
	for _, bad := range []span.Char{-1, 0xd800, 0x110000, math.MaxInt32} {
		_, err := json.Marshal(bad)
		require.ErrorIs(t, err, span.ErrRange)
	}
	for _, bad := range []string{"", "ab", "\xff", "é\x00", "65"} {
		got := span.Char('x')
		require.ErrorIs(t, got.UnmarshalText([]byte(bad)), span.ErrMalformed, "%q", bad)
		require.Equal(t, span.Char('x'), got)
	}
	require.Error(t, json.Unmarshal([]byte("65"), new(span.Char)), "a number")
	got := span.Char('x')
	require.NoError(t, got.UnmarshalText([]byte("\uFFFD")))
	require.Equal(t, span.Char(0xFFFD), got)
}
