package binary_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

// Types whose rest ends before a trailer.
type (
	restCRC struct {
		Kind uint8
		Body []byte `binary:"rest"`
		CRC  uint16 `binary:"sum=crc16-modbus,le"`
	}
	restList struct {
		Nums  []uint16 `binary:"rest,pad=1"`
		Flag  uint8    `binary:"bits=4"`
		_     uint8    `binary:"bits=4"`
		Magic uint16   `binary:"const=0xcafe"`
	}
	restInner struct {
		Kind uint8
		Text string `binary:"rest"`
		End  uint8
	}
	restMiddle struct {
		In  restInner
		Mid uint16
	}
	restOuter struct {
		Head uint8
		In   *restMiddle
		Sum  uint8 `binary:"sum=sum8"`
		Tail [3]uint8
	}
	restObjects struct {
		Items []stoneLike `binary:"rest"`
		Name  string      `binary:"fixed=3"`
		When  binary.Date
	}
	stoneLike struct{ A, B uint8 }
)

// restForms are the ways of reading all of b.
var restForms = map[string]func(b []byte, v any, o binary.Options) error{
	"memory": func(b []byte, v any, o binary.Options) error { return o.Unmarshal(b, v) },
	"stream": func(b []byte, v any, o binary.Options) error {
		return o.NewDecoder(bytes.NewReader(b)).Decode(v)
	},
	"chain": func(b []byte, v any, o binary.Options) error {
		o.Handlers = binary.DefaultHandlers()
		return o.Unmarshal(b, v)
	},
}

// D4: what takes the rest ends before its trailer, in its struct and in those around it.
func TestRestBeforeTrailer(t *testing.T) {
	outer := &restOuter{1, &restMiddle{restInner{2, "text", 3}, 4}, 0, [3]uint8{5, 6, 7}}
	for name, c := range map[string]struct {
		in   any
		make func() any
		o    binary.Options
	}{
		"sum":             {&restCRC{Kind: 1, Body: []byte("body")}, func() any { return new(restCRC) }, binary.Options{}},
		"sum, empty":      {&restCRC{Kind: 1}, func() any { return new(restCRC) }, binary.Options{}},
		"list":            {&restList{Nums: []uint16{1, 2}, Flag: 3}, func() any { return new(restList) }, binary.Options{}},
		"nested":          {outer, func() any { return new(restOuter) }, binary.Options{}},
		"nested, ignored": {outer, func() any { return new(restOuter) }, binary.Options{IgnoreMembers: []string{"Mid", "Tail"}}},
		"nested, marked":  {outer, func() any { return new(restOuter) }, binary.Options{UseRef: true}},
		"nested, compat":  {outer, func() any { return new(restOuter) }, binary.Options{Compat: true}},
		"objects":         {&restObjects{[]stoneLike{{1, 2}, {3, 4}}, "abc", 700000}, func() any { return new(restObjects) }, binary.Options{}},
		"little":          {&restObjects{[]stoneLike{{1, 2}}, "a", 9}, func() any { return new(restObjects) }, binary.Options{LittleEndian: true}},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := c.o.Marshal(c.in)
			require.NoError(t, err)
			for form, read := range restForms {
				got := c.make()
				require.NoError(t, read(b, got, c.o), "%s of %x", form, b)
				again, err := c.o.Marshal(got)
				require.NoError(t, err)
				require.Equal(t, b, again, form)
			}
			if _, ok := c.in.(*restObjects); ok {
				b = b[:7] // more, cut, is other objects
			}
			for n := range b { // a missing trailer is never lenient
				for _, o := range []binary.Options{c.o, {Compat: true, IgnoreMembers: c.o.IgnoreMembers, UseRef: c.o.UseRef, LittleEndian: c.o.LittleEndian}} {
					err := o.Unmarshal(b[:n], c.make())
					require.Error(t, err, "%x of %x, Compat %t", b[:n], b, o.Compat)
				}
			}
		})
	}
	roundTrip(t, &restCRC{Kind: 1, Body: []byte{2, 3}}, "01 0203 6161", binary.Options{})
	roundTrip(t, &restList{Nums: []uint16{1}, Flag: 15}, "0001 00 f0 cafe", binary.Options{})
	refuses[restInner](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "Text")
	refuses[restInner](t, "01", binary.Options{Compat: true}, io.ErrUnexpectedEOF, "Text")
	refuses[restList](t, "000100 00 f0 cafe", binary.Options{}, io.ErrUnexpectedEOF, "Nums[1]")
}

// restBy writes itself with a value that takes the rest.
type restBy struct{ V restLast }

type restLast struct {
	B []byte `binary:"rest"`
}

func (r *restBy) WriteBinary(e *binary.Encoder) error { e.WriteValue(&r.V); return nil }
func (r *restBy) ReadBinary(d *binary.Decoder) error  { d.ReadValue(&r.V); return nil }

// D4: where the trailer has no fixed size, or the next element would begin, no plan is made.
func TestRestRefused(t *testing.T) {
	for name, v := range map[string]any{
		"text behind": &struct {
			B []byte `binary:"rest"`
			S string
		}{},
		"rest behind": &struct {
			B []byte `binary:"rest"`
			S []byte `binary:"rest"`
		}{},
		"condition behind": &struct {
			Has bool
			B   []byte `binary:"rest"`
			C   uint8  `binary:"if=Has"`
		}{},
		"alignment behind": &struct {
			B []byte `binary:"rest"`
			C uint8  `binary:"align=4"`
		}{},
		"pointer behind": &struct {
			B []byte `binary:"rest"`
			C *stone
		}{},
		"nested, text behind": &struct {
			In restInner
			S  string
		}{},
		"pointer, text behind": &struct {
			In *restInner
			S  string
		}{},
		"list": &struct{ L []restInner }{},
		"rest list": &struct {
			L []restInner `binary:"rest"`
		}{},
		"count": &struct {
			N uint8
			L []restInner `binary:"count=N"`
		}{},
		"pointers":   &struct{ L []*restInner }{},
		"array":      &struct{ L [2]restInner }{},
		"map":        &struct{ M map[uint8]restInner }{},
		"list alone": &[]restInner{},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := binary.Marshal(v)
			require.ErrorIs(t, err, binary.ErrUnsupported)
			require.ErrorIs(t, binary.Options{Compat: true}.Unmarshal([]byte{1, 2, 3}, v), binary.ErrUnsupported)
		})
	}
	_, err := binary.Options{EncodeInt: true}.Marshal(&restInner{1, "t", 2}) // a byte is a byte
	require.NoError(t, err)
	_, err = binary.Options{EncodeInt: true}.Marshal(&restMiddle{})
	require.ErrorIs(t, err, binary.ErrUnsupported)
	require.ErrorContains(t, err, "restMiddle.In: it takes the rest of the input, but Mid after it has no fixed size")

	// What writes itself is seen when it is written.
	type behind struct {
		A restBy
		N uint8
	}
	_, err = binary.Marshal(&behind{A: restBy{restLast{[]byte("x")}}})
	require.ErrorIs(t, err, binary.ErrUnsupported)
	require.ErrorIs(t, binary.Unmarshal([]byte("xy"), &behind{}), io.ErrUnexpectedEOF)
	type alone struct {
		N uint8
		A restBy
	}
	roundTrip(t, &alone{1, restBy{restLast{[]byte("x")}}}, "01 78", binary.Options{})
}

// D6: what an earlier member promises may not be missing.
func TestPromises(t *testing.T) {
	type tcp struct {
		Transaction uint16
		_           uint16 `binary:"const=0"`
		Length      uint16
		Unit        uint8
		PDU         []byte `binary:"count=Length,offset=-1"`
	}
	type later struct {
		Len  uint8
		Mid  uint16
		Body string `binary:"count=Len"`
	}
	type flagged struct {
		Has  bool
		Bits uint8
		A    uint16 `binary:"if=Has"`
		B    *stone `binary:"if=Bits.0"`
		C    uint8  `binary:"if=!Bits.7"`
	}
	type head struct{ Kind, Len uint8 }
	type path struct {
		Head head
		Mid  uint8
		Body []byte `binary:"count=Head.Len"`
		Not  uint8  `binary:"if=!Head.Kind.0"`
	}
	type reference struct {
		Len  uint8
		Body []byte `binary:"ref=Len"`
		End  uint8
	}
	type prefixed struct {
		Name string
		L    []uint8
		M    map[uint8]uint8
		P    *uint16
	}
	refuses[tcp](t, "0001 0000 0006 01", binary.Options{}, io.ErrUnexpectedEOF, "PDU")
	refuses[tcp](t, "0001 0000 0006", binary.Options{}, io.ErrUnexpectedEOF, "PDU")
	refuses[tcp](t, "0001 0000 0006 01 03", binary.Options{}, io.ErrUnexpectedEOF, "PDU")
	refuses[later](t, "02", binary.Options{}, io.ErrUnexpectedEOF, "Body")
	refuses[later](t, "02 0000", binary.Options{}, io.ErrUnexpectedEOF, "Body")
	refuses[flagged](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "A")
	refuses[flagged](t, "01 80", binary.Options{}, io.ErrUnexpectedEOF, "A")
	refuses[flagged](t, "00 81", binary.Options{}, io.ErrUnexpectedEOF, "B")
	refuses[flagged](t, "00 00", binary.Options{}, io.ErrUnexpectedEOF, "C")
	refuses[flagged](t, "00 00", binary.Options{Compat: true}, io.ErrUnexpectedEOF, "C")
	refuses[flagged](t, "01 80 00", binary.Options{}, io.ErrUnexpectedEOF, "A")
	refuses[path](t, "01 05", binary.Options{}, io.ErrUnexpectedEOF, "Body")
	refuses[path](t, "02 00", binary.Options{}, io.ErrUnexpectedEOF, "Not")
	for _, o := range []binary.Options{{}, {Compat: true}} { // a prefix with nothing behind it
		refuses[prefixed](t, "07", o, io.ErrUnexpectedEOF, "Name")
		require.ErrorIs(t, o.Unmarshal(unhex("00 03"), new(prefixed)), io.ErrUnexpectedEOF)
		require.ErrorIs(t, o.Unmarshal(unhex("00 00 02"), new(prefixed)), io.ErrUnexpectedEOF)
		refuses[prefixed](t, "00 00 00 01", o, io.ErrUnexpectedEOF, "P")
		refuses[prefixed](t, "80", o, io.ErrUnexpectedEOF, "Name")
	}
	fs := binary.Options{UseFieldSize: true}
	refuses[reference](t, "05", fs, io.ErrUnexpectedEOF, "Body")
	err := fs.Unmarshal(unhex("05"), new(reference))
	require.ErrorContains(t, err, "a length of 5 with 0 bytes left")
	for in, v := range map[string]any{ // these are lenient
		"0001": new(tcp), "00 80": new(flagged), "00": new(flagged), "01 00": new(path), "00 00": new(path), "0000": new(prefixed),
	} {
		if in == "00 00" {
			in = "01"
		}
		require.NoError(t, ignoreConst(binary.Unmarshal(unhex(in), v)), in)
	}
	fs.Compat = true
	require.NoError(t, fs.Unmarshal(unhex("05"), new(reference))) // as recorded
	require.NoError(t, binary.Options{Compat: true}.Unmarshal(unhex("02 0000"), new(later)))

	_, err = binary.Marshal(&flagged{Bits: 1}) // what says that it is there may not be nil
	require.ErrorIs(t, err, binary.ErrNil)
}

// ignoreConst lets a missing const pass, which is not lenient for a reason of its own.
func ignoreConst(err error) error {
	var e *binary.Error
	if errors.As(err, &e) && e.Path == "_" {
		return nil
	}
	return err
}

// D7: under Strict the length of what is not there must be that of nothing.
func TestAbsentLength(t *testing.T) {
	type m struct {
		Has  bool
		Len  uint8
		Body []byte `binary:"if=Has,count=Len"`
	}
	type offset struct {
		Has  bool
		Len  uint8
		Body []byte `binary:"if=Has,count=Len,offset=-2"`
	}
	type either struct {
		Text bool
		Len  uint8
		S    string `binary:"if=Text,count=Len"`
		B    []byte `binary:"if=!Text,count=Len"`
	}
	type ref struct {
		Has  bool
		Len  uint8
		Body []byte `binary:"if=Has,ref=Len"`
	}
	strict := binary.Options{Strict: true}
	require.NoError(t, binary.Unmarshal(unhex("00 05"), new(m)))
	refuses[m](t, "00 05", strict, binary.ErrMalformed, "Body")
	refuses[offset](t, "00 00", strict, binary.ErrMalformed, "Body")
	refuses[ref](t, "00 05", binary.Options{Strict: true, UseFieldSize: true}, binary.ErrMalformed, "Body")
	roundTrip(t, &m{}, "00 00", strict)
	roundTrip(t, &m{Has: true, Body: []byte{7}}, "01 01 07", strict)
	roundTrip(t, &offset{}, "00 02", strict)
	roundTrip(t, &either{Text: true, S: "ab"}, "01 02 6162", strict)
	roundTrip(t, &either{B: []byte{1}}, "00 01 01", strict)

	type two struct {
		Len uint8
		A   []byte `binary:"count=Len"`
		B   []byte `binary:"count=Len"`
	}
	roundTrip(t, &two{A: []byte{1, 2}, B: []byte{3, 4}}, "02 0102 0304", strict)
	cannot(t, &two{A: []byte{1}, B: []byte{3, 4}}, binary.Options{}, binary.ErrRange, "A")
}
