package span_test

import (
	"encoding/binary"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/span"
)

func TestParseDecimal(t *testing.T) {
	zeros := strings.Repeat("0", 1000)
	const most = "79228162514264337593543950335"
	for _, r := range []struct {
		at    row
		text  string
		want  string // text and scale after reading; "" is ErrRange, "!" ErrMalformed
		scale int
	}{
		{here(), "1.10", "1.10", 2},
		{here(), "+1.10", "1.10", 2},
		{here(), "-0.00", "0.00", 2},
		{here(), ".5", "0.5", 1},
		{here(), "5.", "5", 0},
		{here(), "007.70", "7.70", 2},
		{here(), "1e3", "1000", 0},
		{here(), "1E+3", "1000", 0},
		{here(), "1.5e3", "1500", 0},
		{here(), "1.50e1", "15.0", 1},
		{here(), "15e-1", "1.5", 1},
		{here(), "150e-1", "15.0", 1},
		{here(), "1e-28", "0." + zeros[:27] + "1", 28},
		{here(), "1e-29", "", 0},
		{here(), "10e-29", "0." + zeros[:27] + "1", 28},
		{here(), "123e28", "", 0},
		{here(), "7e28", "7" + zeros[:28], 0},
		{here(), "8e28", "", 0},
		{here(), "1e29", "", 0},
		{here(), "0." + zeros + "1", "", 0},
		{here(), "0." + zeros[:27] + "10", "0." + zeros[:27] + "1", 28},
		{here(), "0." + zeros, "0." + zeros[:28], 28},
		{here(), "0e999999999999999999999999", "0", 0},
		{here(), "-0e-999999999999999999999999", "0." + zeros[:28], 28},
		{here(), "0.0e1", "0", 0},
		{here(), "1e999999999999999999999999", "", 0},
		{here(), "1e-999999999999999999999999", "", 0},
		{here(), "1" + zeros + "e-1000", "1." + zeros[:28], 28},
		{here(), "1" + zeros + "e-999", "10." + zeros[:27], 27},
		{here(), "0." + zeros + "1e1001", "1", 0},
		{here(), "0." + zeros + "1e1003", "100", 0},
		{here(), zeros + most, most, 0},
		{here(), most + ".0", most, 0},
		{here(), most + "." + zeros, most, 0},
		{here(), most + ".1", "", 0},
		{here(), most + "0e-1", most, 0},
		{here(), "79228162514264337593543950336", "", 0},
		{here(), "-79228162514264337593543950336", "", 0},
		{here(), "7.9228162514264337593543950335", "7.9228162514264337593543950335", 28},
		{here(), "7.9228162514264337593543950336", "", 0},
		{here(), "7.92281625142643375935439503350", "7.9228162514264337593543950335", 28},
		{here(), "8.0000000000000000000000000000", "8." + zeros[:27], 27},
		{here(), "1" + zeros[:25] + "1", "1" + zeros[:25] + "1", 0},
		{here(), "1." + zeros[:25] + "1", "1." + zeros[:25] + "1", 26},
		{here(), "18446744073709551616.0", "18446744073709551616.0", 1},
		{here(), strings.Repeat("9", 100), "", 0},
		{here(), "", "!", 0},
		{here(), "+", "!", 0},
		{here(), "-", "!", 0},
		{here(), ".", "!", 0},
		{here(), "e5", "!", 0},
		{here(), "-.e5", "!", 0},
		{here(), "1e", "!", 0},
		{here(), "1e+", "!", 0},
		{here(), "1e5.", "!", 0},
		{here(), "1e5e5", "!", 0},
		{here(), "1.2.3", "!", 0},
		{here(), "--1", "!", 0},
		{here(), "1-", "!", 0},
		{here(), " 1", "!", 0},
		{here(), "1 ", "!", 0},
		{here(), "1,000", "!", 0},
		{here(), "1_000", "!", 0},
		{here(), "0x10", "!", 0},
		{here(), "NaN", "!", 0},
		{here(), "Infinity", "!", 0},
		{here(), "１", "!", 0},
		{here(), "1\x00", "!", 0},
		{here(), strings.Repeat("9", 100) + "x", "!", 0},
	} {
		d, err := span.ParseDecimal(r.text)
		switch r.want {
		case "":
			isError(t, r.at, err, span.ErrRange)
		case "!":
			isError(t, r.at, err, span.ErrMalformed)
		default:
			isError(t, r.at, err, nil)
			if d.String() != r.want || d.Scale() != r.scale || d.Bits()[3]>>31 != 0 != (r.text[0] == '-') {
				t.Errorf("%s: %v, scale %d", r.at, d, d.Scale())
			}
		}
		if err == nil {
			continue
		}
		if d != (span.Decimal{}) || len(err.Error()) > 300 {
			t.Errorf("%s: %v beside an error of %d bytes", r.at, d, len(err.Error()))
		}
		keep := dec(t, "3.0")
		if got := keep.UnmarshalText([]byte(r.text)); got.Error() != err.Error() || keep != dec(t, "3.0") {
			t.Errorf("%s: UnmarshalText leaves %v, %v", r.at, keep, got)
		}
	}
}

// TestDecimalTextRoundTrip: the text of each value reads as the same words, but
// for the sign of a zero.
func TestDecimalTextRoundTrip(t *testing.T) {
	check := func(d span.Decimal) {
		s := d.String()
		want, ok := new(big.Rat).SetString(s)
		if !ok || want.Cmp(d.Rat()) != 0 {
			t.Fatalf("%v has the text %q", d.Rat(), s)
		}
		back := dec(t, s)
		if d.Sign() == 0 && back == d.Neg() {
			return
		}
		if back != d {
			t.Fatalf("%q reads as %v, not %v", s, back.Bits(), d.Bits())
		}
	}
	for range 20000 {
		check(randomDecimal())
	}
	// Every scale with every length of the coefficient, at its ends.
	for scale := range uint32(29) {
		ten := big.NewInt(1)
		for range 29 {
			for _, add := range []int64{-1, 0, 1} {
				n := new(big.Int).Add(ten, big.NewInt(add))
				var b [12]byte
				n.FillBytes(b[:])
				lo := binary.BigEndian.Uint32(b[8:])
				mid := binary.BigEndian.Uint32(b[4:])
				hi := binary.BigEndian.Uint32(b[:])
				d, err := span.DecimalFromBits([4]uint32{lo, mid, hi, scale << 16})
				if err != nil {
					t.Fatal(err)
				}
				check(d)
				check(d.Neg())
			}
			ten.Mul(ten, big.NewInt(10))
		}
	}
}

// FuzzDecimalText holds ParseDecimal against big.Rat.
func FuzzDecimalText(f *testing.F) {
	for _, s := range []string{"", "-0.00", "1.10", "1e28", "79228162514264337593543950336", "10e-29", ".5e-3", "5.", "0x1p-2", "1/3", "1_0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := span.ParseDecimal(s)
		var u span.Decimal
		if uerr := u.UnmarshalText([]byte(s)); u != d || (uerr == nil) != (err == nil) {
			t.Fatalf("string gives %v, %v; bytes give %v, %v", d, err, u, uerr)
		}
		if strings.ContainsAny(s, "xXoObBpP_/") || len(s) > 400 || hugeExponent(s) {
			return // forms of big.Rat alone, or work without end for it
		}
		q, ok := new(big.Rat).SetString(s)
		if ok == errors.Is(err, span.ErrMalformed) {
			t.Fatalf("%q: %v, but big.Rat says %v", s, err, ok)
		}
		if !ok {
			return
		}
		exact, ratErr := span.DecimalFromRat(q)
		if (ratErr == nil) != (err == nil) {
			t.Fatalf("%q: %v, as a fraction %v", s, err, ratErr)
		}
		if err == nil && (!exact.Equal(d) || d.Rat().Cmp(q) != 0) {
			t.Fatalf("%q: %v, as a fraction %v", s, d, exact)
		}
	})
}

// hugeExponent reports an exponent of more than three digits.
func hugeExponent(s string) bool {
	i := strings.IndexAny(s, "eE")
	return i >= 0 && len(s)-i > 5
}
