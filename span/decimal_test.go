package span_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/spanwire/spanwire/span"
)

// dec parses a decimal that must be right.
func dec(t testing.TB, s string) span.Decimal {
	t.Helper()
	d, err := span.ParseDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// randomDecimal favours short coefficients and the ends of both ranges.
func randomDecimal() span.Decimal {
	w := [4]uint32{rand.Uint32(), rand.Uint32(), rand.Uint32()}
	for i := range w {
		switch rand.N(4) {
		case 0:
			w[i] = 0
		case 1:
			w[i] = math.MaxUint32
		}
	}
	w[3] = []uint32{0, 28, uint32(rand.N(29)), uint32(rand.N(29))}[rand.N(4)]<<16 | rand.Uint32N(2)<<31
	d, _ := span.DecimalFromBits(w)
	return d
}

// TestDecimalRecorded has words that .NET wrote, with both ways of text.
func TestDecimalRecorded(t *testing.T) {
	for _, r := range []struct {
		at   row
		text string
		wire string
	}{
		{here(), "0", "00000000 00000000 00000000 00000000"},
		{here(), "1", "01000000 00000000 00000000 00000000"},
		{here(), "-1", "01000000 00000000 00000000 00000080"},
		{here(), "99.99", "0F270000 00000000 00000000 00000200"},
		{here(), "123456.789", "15CD5B07 00000000 00000000 00000300"},
		{here(), "-0.5", "05000000 00000000 00000000 00000180"},
		{here(), "1.10", "6E000000 00000000 00000000 00000200"},
		{here(), "79228162514264337593543950335", "FFFFFFFF FFFFFFFF FFFFFFFF 00000000"},
		{here(), "-79228162514264337593543950335", "FFFFFFFF FFFFFFFF FFFFFFFF 00000080"},
		{here(), "0.0000000000000000000000000001", "01000000 00000000 00000000 00001c00"},
		{here(), "1234567890.0987654321", "b17067dc 8ca954ab 00000000 00000a00"},
	} {
		bits := unhex(t, r.wire)
		d := dec(t, r.text)
		if b := decimalBytes(d); string(b) != string(bits) {
			t.Errorf("%s: wrote %x", r.at, b)
		}
		if back := span.NewReader(append(bits, 9)).ReadDecimal(); back != d || back.String() != r.text {
			t.Errorf("%s: read %v", r.at, back)
		}
		again, err := span.DecimalFromBits(d.Bits())
		isError(t, r.at, err, nil)
		if again != d {
			t.Errorf("%s: bits give %v", r.at, again)
		}
	}
}

func TestDecimalNegativeZero(t *testing.T) {
	bits := unhex(t, "00000000 00000000 00000000 00000280")
	d := span.NewReader(bits).ReadDecimal()
	if d.String() != "0.00" || d.Sign() != 0 || d.Scale() != 2 || !math.Signbit(d.Float64()) {
		t.Errorf("%v", d)
	}
	if b := decimalBytes(d); string(b) != string(bits) {
		t.Errorf("wrote %x", b)
	}
	zero := dec(t, "0.00")
	if d == zero || !d.Equal(zero) || d.Cmp(span.Decimal{}) != 0 || d.Neg() != zero || zero.Neg() != d || dec(t, "-0.00") != d {
		t.Error("0.00 and its negative are mixed up")
	}
}

func TestDecimalFromBits(t *testing.T) {
	for scale := range uint32(256) {
		for _, sign := range []uint32{0, 1 << 31} {
			d, err := span.DecimalFromBits([4]uint32{1, 2, 3, scale<<16 | sign})
			want := span.ErrMalformed
			if scale <= 28 {
				want = nil
			}
			isError(t, here(), err, want)
			if err == nil && (d.Scale() != int(scale) || d.Bits() != [4]uint32{1, 2, 3, scale<<16 | sign}) {
				t.Errorf("scale %d: %v", scale, d)
			}
		}
	}
	for bit := range 31 {
		if bit >= 16 && bit < 24 {
			continue
		}
		_, err := span.DecimalFromBits([4]uint32{1, 0, 0, 1 << bit})
		isError(t, here(), err, span.ErrMalformed)
	}
	for _, flags := range []string{"00001d00", "ffffffff", "01000000", "00000001", "00000040"} {
		r := span.NewReader(unhex(t, "01000000 00000000 00000000"+flags))
		r.ReadDecimal()
		isError(t, row(flags), r.Err(), span.ErrMalformed)
	}
}

func TestDecimalInt64(t *testing.T) {
	for _, coef := range []int64{0, 1, -1, 110, -110, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 32, -1 << 32} {
		for scale := range 29 {
			d, err := span.NewDecimal(coef, scale)
			isError(t, here(), err, nil)
			c, s, ok := d.Int64()
			if c != coef || s != scale || !ok || d.Scale() != scale || d.Sign() != big.NewInt(coef).Sign() {
				t.Errorf("%d / 10^%d: %d, %d, %v", coef, scale, c, s, ok)
			}
		}
	}
	for _, scale := range []int{-1, 29, 256, math.MinInt, math.MaxInt} {
		_, err := span.NewDecimal(1, scale)
		isError(t, here(), err, span.ErrRange)
	}
	for s, want := range map[string]bool{
		"9223372036854775807": true, "9223372036854775808": false, "-9223372036854775808": true,
		"-9223372036854775809": false, "18446744073709551616": false, "-0": true, "79228162514264337593543950335": false,
	} {
		if c, _, ok := dec(t, s).Int64(); ok != want || !ok && c != 0 {
			t.Errorf("%s: %d, %v", s, c, ok)
		}
	}
}

func TestDecimalCompare(t *testing.T) {
	for _, r := range []struct {
		at   row
		a, b string
		want int
	}{
		{here(), "1.1", "1.10", 0},
		{here(), "0", "0.0000000000000000000000000000", 0},
		{here(), "-1", "1", -1},
		{here(), "1", "-1", 1},
		{here(), "-2", "-1", -1},
		{here(), "0", "-0.1", 1},
		{here(), "79228162514264337593543950335", "7.9228162514264337593543950335", 1},
		{here(), "79228162514264337593543950335", "79228162514264337593543950334", 1},
		{here(), "7.9228162514264337593543950335", "7.9228162514264337593543950334", 1},
		{here(), "7.9228162514264337593543950335", "8", -1},
	} {
		a, b := dec(t, r.a), dec(t, r.b)
		if got, back := a.Cmp(b), b.Cmp(a); got != r.want || back != -r.want || a.Equal(b) != (got == 0) {
			t.Errorf("%s: %d, %d", r.at, got, back)
		}
	}
	for range 20000 {
		a, b := randomDecimal(), randomDecimal()
		if got, want := a.Cmp(b), a.Rat().Cmp(b.Rat()); got != want {
			t.Fatalf("%v.Cmp(%v) = %d, want %d", a, b, got, want)
		}
		if a.Sign() != a.Rat().Sign() || a.Neg().Rat().Cmp(new(big.Rat).Neg(a.Rat())) != 0 {
			t.Fatalf("sign of %v", a)
		}
	}
}

func TestDecimalFloat64(t *testing.T) {
	for range 20000 {
		d := randomDecimal()
		want, _ := d.Rat().Float64()
		if got := d.Float64(); got != want {
			t.Fatalf("%v is %v, want %v", d, got, want)
		}
	}
	if f := dec(t, "0.1").Float64(); f != 0.1 {
		t.Errorf("0.1 is %v", f)
	}
}

func TestDecimalRat(t *testing.T) {
	for range 20000 {
		d := randomDecimal()
		e, err := span.DecimalFromRat(d.Rat())
		if err != nil || !e.Equal(d) || e.Scale() > d.Scale() {
			t.Fatalf("%v comes back as %v, %v", d, e, err)
		}
		if c, _ := e.Rat().FloatPrec(); c != e.Scale() { // the digits that the fraction needs
			t.Fatalf("%v: scale %d, want %d", d, e.Scale(), c)
		}
	}
	for _, r := range []struct {
		at   row
		rat  string
		text string // "" is ErrRange
	}{
		{here(), "0", "0"},
		{here(), "3/4", "0.75"},
		{here(), "-3/4", "-0.75"},
		{here(), "1/3", ""},
		{here(), "1/6", ""},
		{here(), "1/1024", "0.0009765625"},
		{here(), "79228162514264337593543950335", "79228162514264337593543950335"},
		{here(), "79228162514264337593543950336", ""},
		{here(), "-79228162514264337593543950336", ""},
		{here(), "79228162514264337593543950335/2", ""},
		{here(), "1/10000000000000000000000000000", "0.0000000000000000000000000001"},
		{here(), "1/100000000000000000000000000000", ""},
		{here(), "1/268435456", "0.0000000037252902984619140625"},
		{here(), "1/536870912", ""},
		{here(), "1/37252902984619140625", "0.0000000000000000000268435456"},
		{here(), "1/186264514923095703125", ""},
		{here(), "7/10000000000000000000", "0.0000000000000000007"},
		{here(), "1e400", ""},
		{here(), "1e-400", ""},
	} {
		q, ok := new(big.Rat).SetString(r.rat)
		if !ok {
			t.Fatal(r.at)
		}
		d, err := span.DecimalFromRat(q)
		if r.text == "" {
			isError(t, r.at, err, span.ErrRange)
			if len(err.Error()) > 500 {
				t.Errorf("%s: the error has %d bytes", r.at, len(err.Error()))
			}
		} else if isError(t, r.at, err, nil); d.String() != r.text {
			t.Errorf("%s: %v", r.at, d)
		}
	}
	_, err := span.DecimalFromRat(nil)
	isError(t, here(), err, span.ErrNil)
	var zero big.Rat
	if d, err := span.DecimalFromRat(&zero); err != nil || d != (span.Decimal{}) {
		t.Errorf("the zero Rat is %v, %v", d, err)
	}
}

func TestDecimalAllocs(t *testing.T) {
	for _, s := range []string{"0", "-12.50", "7.9228162514264337593543950335"} {
		d, buf, text := dec(t, s), make([]byte, 0, 64), []byte(s)
		noAllocs(t, "ParseDecimal", func() { _, _ = span.ParseDecimal(s) })
		noAllocs(t, "UnmarshalText", func() { _ = d.UnmarshalText(text) })
		noAllocs(t, "AppendText", func() { _, _ = d.AppendText(buf) })
		noAllocs(t, "PutBits", func() { d.PutBits(buf[:16]) })
		noAllocs(t, "Cmp", func() { _ = d.Cmp(d.Neg()) })
		noAllocs(t, "Float64", func() { _ = d.Float64() })
		noAllocs(t, "Int64", func() { c, s, _ := d.Int64(); _, _ = span.NewDecimal(c, s) })
		noAllocs(t, "Bits", func() { _, _ = span.DecimalFromBits(d.Bits()) })
		if n := testing.AllocsPerRun(100, func() { _ = d.String() }); n > 1 {
			t.Errorf("String: %v allocations", n)
		}
	}
	q := big.NewRat(-1250, 1000)
	noAllocs(t, "DecimalFromRat", func() { _, _ = span.DecimalFromRat(q) })
}

func BenchmarkDecimal(b *testing.B) {
	for _, s := range []string{"-12.50", "7.9228162514264337593543950335"} {
		d := dec(b, s)
		buf := make([]byte, 0, 64)
		b.Run("parse/"+strconv.Itoa(len(s)), func(b *testing.B) {
			for b.Loop() {
				_, _ = span.ParseDecimal(s)
			}
		})
		b.Run("text/"+strconv.Itoa(len(s)), func(b *testing.B) {
			for b.Loop() {
				_, _ = d.AppendText(buf)
			}
		})
	}
}

// decimalBytes gives the four words of d.
func decimalBytes(d span.Decimal) []byte {
	b := make([]byte, 16)
	d.PutBits(b)
	return b
}
