package binary_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
)

// everyMethod writes itself with every method of the cursor.
type everyMethod struct {
	B     bool
	U8    uint8
	U16   uint16
	U32   uint32
	U64   uint64
	F32   float32
	F64   float64
	S     string
	Bytes []byte
	Raw   []byte
	Size  int
	Fixed string
	BCD   string
	T     time.Time
	V     stone
	P     *stone
	N     *int16
}

func (v *everyMethod) WriteBinary(e *binary.Encoder) error {
	e.WriteBool(v.B)
	e.WriteUint8(v.U8)
	e.WriteUint16(v.U16)
	e.WriteUint32(v.U32)
	e.WriteUint64(v.U64)
	e.WriteFloat32(v.F32)
	e.WriteFloat64(v.F64)
	e.WriteString(v.S)
	e.WriteBytes(v.Bytes)
	e.WriteRaw(v.Raw)
	e.WriteSize(v.Size)
	e.WriteFixedString(v.Fixed, 4)
	e.WriteBCD(v.BCD, 2)
	e.WriteTime(v.T)
	e.WriteValue(v.V)
	e.WriteValue(v.P)
	e.WriteValue(v.N)
	return nil
}

func (v *everyMethod) ReadBinary(d *binary.Decoder) error {
	v.B = d.ReadBool()
	v.U8 = d.ReadUint8()
	v.U16 = d.ReadUint16()
	v.U32 = d.ReadUint32()
	v.U64 = d.ReadUint64()
	v.F32 = d.ReadFloat32()
	v.F64 = d.ReadFloat64()
	v.S = d.ReadString()
	v.Bytes = d.ReadBytes()
	v.Raw = d.ReadRaw(2)
	v.Size = d.ReadSize()
	v.Fixed = d.ReadFixedString(4)
	v.BCD = d.ReadBCD(2)
	v.T = d.ReadTime()
	d.ReadValue(&v.V)
	v.P, v.N = new(stone), new(int16)
	d.ReadValue(v.P)
	d.ReadValue(v.N)
	return nil
}

func TestCursor(t *testing.T) {
	n := int16(-2)
	v := &everyMethod{
		true, 1, 2, 3, math.MaxUint64, 1.5, -2.5, "text", []byte{1, 2}, []byte{3, 4}, 5, "ab", "1234",
		time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), stone{7, "v"}, &stone{8, "p"}, &n,
	}
	roundTrip(t, v, "01 01 0002 00000003 ffffffffffffffff 3fc00000 c004000000000000 0474657874 020102 0304 05 61620000 1234 67748580"+
		"00000007 0176 00000008 0170 fffe", binary.Options{})
	roundTrip(t, v, "01 01 02 03 ffffffffffffffffff01 0000c03f 00000000000004c0 0474657874 020102 0304 05 61620000 1234 808bd2bb06"+
		"07 0176 08 0170 feff03", binary.Options{EncodeInt: true, LittleEndian: true, SizeWidth: 2})
	b, err := binary.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		var got everyMethod
		if err := binary.Unmarshal(b[:i], &got); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of %d: %v", i, len(b), err)
		}
	}
	cannot(t, &everyMethod{Fixed: "too long"}, binary.Options{}, binary.ErrRange, "")
	cannot(t, &everyMethod{BCD: "1"}, binary.Options{}, binary.ErrMalformed, "")
	cannot(t, &everyMethod{Size: -1}, binary.Options{}, binary.ErrRange, "")
	cannot(t, &everyMethod{P: nil, N: &n}, binary.Options{}, binary.ErrNil, "")
}

// askOptions looks at the options, and misuses the cursors.
type askOptions struct{}

func (a *askOptions) WriteBinary(e *binary.Encoder) error {
	if !e.Options().EncodeInt {
		return errBroken
	}
	e.WriteValue(nil)
	return nil
}

func (a *askOptions) ReadBinary(d *binary.Decoder) error {
	if !d.Options().EncodeInt {
		return errBroken
	}
	d.ReadValue(stone{})
	return nil
}

func TestCursorMisuse(t *testing.T) {
	cannot(t, &askOptions{}, binary.Options{}, errBroken, "")
	cannot(t, &askOptions{}, binary.Options{EncodeInt: true}, binary.ErrNil, "")
	refuses[askOptions](t, "00", binary.Options{}, errBroken, "")
	refuses[askOptions](t, "00", binary.Options{EncodeInt: true}, binary.ErrNil, "")
}

// TestMissingCounted: a list whose count is there may not be missing; under Compat
// it may, but not in a list and not before a checksum.
func TestMissingCounted(t *testing.T) {
	type m struct {
		N uint8
		D []byte `binary:"count=N"`
		E uint8
	}
	type summed struct {
		N uint8
		D []byte `binary:"count=N"`
		S uint8  `binary:"sum=xor"`
	}
	type listed struct{ L []m }
	got := m{9, []byte{1}, 9}
	if err := (binary.Options{Compat: true}).Unmarshal(unhex("05"), &got); err != nil || got.N != 5 || got.D != nil || got.E != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	refuses[m](t, "05", binary.Options{}, io.ErrUnexpectedEOF, "D")
	refuses[m](t, "05", binary.Options{Strict: true}, io.ErrUnexpectedEOF, "D")
	refuses[m](t, "05 01", binary.Options{}, io.ErrUnexpectedEOF, "D")
	refuses[summed](t, "05", binary.Options{}, io.ErrUnexpectedEOF, "D")
	refuses[listed](t, "02 01aa07 05", binary.Options{}, io.ErrUnexpectedEOF, "L[1].D")
	refuses[listed](t, "02 01aa07 00", binary.Options{}, io.ErrUnexpectedEOF, "L[1].E")
	type negative struct {
		N int8
		D []byte `binary:"count=N"`
	}
	refuses[negative](t, "ff 01", binary.Options{}, binary.ErrRange, "D")
}

// TestLargeStream reads a message larger than any buffer, and the one behind it.
func TestLargeStream(t *testing.T) {
	var buf bytes.Buffer
	e := binary.NewEncoder(&buf)
	big := &data{bytes.Repeat([]byte("0123456789"), 100_000)}
	list := &numbers{make([]int64, 50_000)}
	for i := range list.L {
		list.L[i] = int64(i)
	}
	for _, v := range []any{big, list, &named{"end"}} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	d := binary.NewDecoder(&buf)
	var b data
	var l numbers
	var n named
	for _, v := range []any{&b, &l, &n} {
		if err := d.Decode(v); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Data, big.Data) || len(l.L) != 50_000 || l.L[49_999] != 49_999 || n.Name != "end" || d.Total() != e.Total() {
		t.Errorf("%d, %d, %q", len(b.Data), len(l.L), n.Name)
	}
}
