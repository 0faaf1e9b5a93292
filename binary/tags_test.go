package binary_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
)

// flags is a run of bit fields, from the highest bit.
type flags struct {
	QR     bool  `binary:"bits=1"`
	Opcode uint8 `binary:"bits=4"`
	AA     bool  `binary:"bits=1"`
	TC     bool  `binary:"bits=1"`
	RD     bool  `binary:"bits=1"`
	RA     bool  `binary:"bits=1"`
	Z      int8  `binary:"bits=3"`
	Rcode  uint8 `binary:"bits=4"`
}

func TestBits(t *testing.T) {
	v := &flags{QR: true, Opcode: 5, RD: true, Z: -1, Rcode: 3}
	roundTrip(t, v, "a973", binary.Options{})
	roundTrip(t, v, "a973", binary.Options{LittleEndian: true, EncodeInt: true})
	cannot(t, &flags{Opcode: 16}, binary.Options{}, binary.ErrRange, "Opcode")
	cannot(t, &flags{Z: 4}, binary.Options{}, binary.ErrRange, "Z")
	cannot(t, &flags{Z: -5}, binary.Options{}, binary.ErrRange, "Z")
	refuses[flags](t, "a9", binary.Options{}, io.ErrUnexpectedEOF, "QR")

	type low struct {
		A    uint8  `binary:"bits=3,lsb"`
		_    uint8  `binary:"bits=1,lsb,const=1"`
		B    uint16 `binary:"bits=12,lsb"`
		Next uint8
	}
	roundTrip(t, &low{A: 5, B: 0xabc, Next: 1}, "cdab01", binary.Options{})
	refuses[low](t, "c5ab01", binary.Options{}, binary.ErrConst, "_")
	type wide struct {
		A uint8  `binary:"bits=4"`
		B uint64 `binary:"bits=64"`
		C int64  `binary:"bits=60"`
	}
	roundTrip(t, &wide{1, 0x0123456789abcdef, -2}, "10123456789abcdefffffffffffffffe", binary.Options{})
}

// message has most of what tags can do.
type message struct {
	Magic uint16 `binary:"const=0x7e7e"`
	Kind  uint8
	Flags uint8
	Size  uint16   `binary:"le"`
	Extra *uint32  `binary:"-"`
	Note  string   `binary:"if=Flags.0,until=0"`
	_     struct{} `binary:"align=4"`
	Body  []byte   `binary:"count=Size,offset=-6,pad=1"`
	Items []uint16 `binary:"until=0xffff"`
	Phone string   `binary:"bcd=3"`
	Count uint32   `binary:"bcd=2"`
	Check uint16   `binary:"sum=crc16-modbus,from=Kind,le"`
	Tail  uint8    `binary:"sum=xor"`
}

func TestProtocol(t *testing.T) {
	v := &message{Kind: 1, Flags: 1, Note: "hi", Body: []byte{1, 2, 3}, Items: []uint16{7, 8}, Phone: "123456", Count: 42}
	want := "7e7e 01 01 0900 686900 000000 010203 00 0007 0008 ffff 123456 0042"
	b, err := binary.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if got := b[:len(b)-3]; string(got) != string(unhex(want)) {
		t.Fatalf("wrote %x, want %s", got, want)
	}
	if v.Size != 9 {
		t.Errorf("Size is %d after writing", v.Size)
	}
	crc := uint16(b[len(b)-3]) | uint16(b[len(b)-2])<<8
	if crc != modbusCRC(b[2:len(b)-3]) {
		t.Errorf("the checksum is %#x", crc)
	}
	var got message
	if err := binary.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	v.Magic, v.Check, v.Tail = 0x7e7e, crc, b[len(b)-1]
	if got.Note != "hi" || string(got.Body) != "\x01\x02\x03" || len(got.Items) != 2 || got.Phone != "123456" || got.Count != 42 ||
		got.Magic != v.Magic || got.Check != v.Check || got.Tail != v.Tail {
		t.Errorf("read %+v", got)
	}
	for i := range b { // every byte is covered by a check or by its form
		bad := append([]byte(nil), b...)
		bad[i] ^= 0x41
		if err := binary.Unmarshal(bad, &got); err == nil {
			t.Errorf("a changed byte %d is accepted", i)
		}
	}
	for n := range b {
		if err := binary.Unmarshal(b[:n], &got); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
	}
}

// TestDigitsArriveOrFail: a string under bcd has all its digits; fewer would be
// read as more. Under Compat NewLife's zeros follow.
func TestDigitsArriveOrFail(t *testing.T) {
	type named string
	type phones struct {
		A string `binary:"bcd=3"`
	}
	type typed struct {
		A named `binary:"bcd=3"`
	}
	for name, row := range map[string]struct {
		v      any
		want   string
		reason error
		compat string
	}{
		"all digits":    {&phones{A: "012345"}, "012345", nil, "012345"},
		"named, all":    {&typed{"012345"}, "012345", nil, "012345"},
		"too few":       {&phones{A: "12"}, "", binary.ErrRange, "120000"},
		"named, fewer":  {&typed{"1234"}, "", binary.ErrRange, "123400"},
		"an odd number": {&phones{A: "123"}, "", binary.ErrRange, "120000"},
		"none":          {&phones{}, "", binary.ErrRange, "000000"},
		"too many":      {&phones{A: "12345678"}, "", binary.ErrRange, "123456"},
		"no digits":     {&phones{A: "12345x"}, "", binary.ErrMalformed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := binary.Marshal(row.v)
			require.ErrorIs(t, err, row.reason)
			require.Equal(t, unhex(row.want), append([]byte{}, b...))
			if row.compat != "" {
				b, err = binary.Options{Compat: true}.Marshal(row.v)
				require.NoError(t, err)
				require.Equal(t, unhex(row.compat), b)
			}
		})
	}
}

// modbusCRC is the checksum bit by bit.
func modbusCRC(b []byte) uint16 {
	crc := uint16(0xffff)
	for _, c := range b {
		crc ^= uint16(c)
		for range 8 {
			if crc&1 != 0 {
				crc = crc>>1 ^ 0xa001
			} else {
				crc >>= 1
			}
		}
	}
	return crc
}

func TestSums(t *testing.T) {
	type crc struct {
		Text [9]byte
		Sum  uint32 `binary:"sum=crc32"`
	}
	type crc16 struct {
		Text [9]byte
		Sum  uint16 `binary:"sum=crc16-modbus"`
	}
	type other struct {
		Text [9]byte
		X    uint8 `binary:"sum=xor"`
		S    uint8 `binary:"sum=sum8,from=Text"`
	}
	text := [9]byte([]byte("123456789"))
	roundTrip(t, &crc{Text: text}, "313233343536373839 cbf43926", binary.Options{})
	roundTrip(t, &crc16{Text: text}, "313233343536373839 4b37", binary.Options{})
	roundTrip(t, &other{Text: text}, "313233343536373839 31 0e", binary.Options{})
	refuses[crc](t, "313233343536373839 cbf43927", binary.Options{}, binary.ErrSum, "Sum")
	refuses[crc](t, "313233343536373839", binary.Options{}, io.ErrUnexpectedEOF, "Sum")
}

func TestConst(t *testing.T) {
	type png struct {
		Magic [8]byte `binary:"const=0x89504e470d0a1a0a"`
		Type  string  `binary:"const=IHDR"`
		V     int16   `binary:"const=-2"`
		N     uint32  `binary:"const=300"`
	}
	full := &png{[8]byte{0x89, 'P', 'N', 'G', 13, 10, 26, 10}, "IHDR", -2, 300}
	roundTrip(t, full, "89504e470d0a1a0a 49484452 fffe 0000012c", binary.Options{})
	roundTrip(t, &png{}, "89504e470d0a1a0a 49484452 feff 2c010000", binary.Options{LittleEndian: true})
	roundTrip(t, &png{}, "89504e470d0a1a0a 49484452 feff03 ac02", binary.Options{EncodeInt: true})
	cannot(t, &png{V: 5}, binary.Options{}, binary.ErrConst, "V")
	cannot(t, &png{Type: "IDAT"}, binary.Options{}, binary.ErrConst, "Type")
	var v png
	err := binary.Unmarshal(unhex("89504e470d0a1a0a 49484452 fffe 0000012d"), &v)
	if !errors.Is(err, binary.ErrConst) || !strings.Contains(err.Error(), "0x12d") || !strings.Contains(err.Error(), "300") {
		t.Errorf("the error %v does not name both values", err)
	}
}

func TestIf(t *testing.T) {
	type inner struct{ Has bool }
	type m struct {
		In   *inner
		Bits uint16
		A    uint8  `binary:"if=In.Has"`
		B    uint8  `binary:"if=!In.Has"`
		C    string `binary:"if=Bits.15"`
	}
	roundTrip(t, &m{In: &inner{true}, Bits: 0x8000, A: 1, C: "c"}, "01 8000 01 0163", binary.Options{})
	roundTrip(t, &m{In: &inner{}, B: 2}, "00 0000 02", binary.Options{})
	cannot(t, &m{In: &inner{}, A: 1}, binary.Options{}, binary.ErrRange, "A")
	cannot(t, &m{In: &inner{true}, A: 1, C: "lost"}, binary.Options{}, binary.ErrRange, "C")
	got := m{A: 9, C: "old"}
	if err := binary.Unmarshal(unhex("00 0000 02"), &got); err != nil || got.A != 0 || got.C != "" || got.B != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestAbsentParts: what is not there has neither padding nor checksum.
func TestAbsentParts(t *testing.T) {
	type m struct {
		Has bool
		A   uint16 `binary:"if=Has,align=4,pad=1"`
		B   uint8
		Sum uint8 `binary:"if=Has,sum=sum8,from=B"`
	}
	roundTrip(t, &m{Has: true, A: 2, B: 3}, "01 000000 0002 00 03 03", binary.Options{})
	roundTrip(t, &m{B: 3}, "00 03", binary.Options{})
	refuses[m](t, "01 000000 0002 00 03", binary.Options{}, io.ErrUnexpectedEOF, "Sum")
	refuses[m](t, "01 000000 0002 00 03 04", binary.Options{}, binary.ErrSum, "Sum")
	refuses[m](t, "01 000001 0002 00 03 03", binary.Options{Strict: true}, binary.ErrMalformed, "A")
	refuses[m](t, "01 000000 0002 01 03 03", binary.Options{Strict: true}, binary.ErrMalformed, "A")
}

func TestOpenEnds(t *testing.T) {
	type rest struct {
		Kind uint8
		Nums []uint16 `binary:"rest"`
	}
	type tail struct {
		Kind uint8
		Data []byte `binary:"rest"`
	}
	type text struct {
		A string `binary:"until=10"`
		B []byte `binary:"until=0"`
		N []int8 `binary:"until=-1"`
	}
	roundTrip(t, &rest{1, []uint16{2, 3}}, "01 0002 0003", binary.Options{})
	roundTrip(t, &rest{Kind: 1}, "01", binary.Options{})
	refuses[rest](t, "01 0002 00", binary.Options{}, io.ErrUnexpectedEOF, "Nums[1]")
	roundTrip(t, &tail{1, []byte("xyz")}, "01 78797a", binary.Options{})
	roundTrip(t, &text{"line", []byte{1, 2}, []int8{5, 6}}, "6c696e650a 010200 0506ff", binary.Options{})
	cannot(t, &text{A: "a\nb"}, binary.Options{}, binary.ErrRange, "A")
	cannot(t, &text{N: []int8{1, -1}}, binary.Options{}, binary.ErrRange, "N[1]")
	refuses[text](t, "6c696e65", binary.Options{}, io.ErrUnexpectedEOF, "A")
}

func TestByteOrderTags(t *testing.T) {
	type point struct{ X, Y uint16 }
	type m struct {
		A uint32 `binary:"le"`
		B uint32 `binary:"be"`
		C uint32
		L []uint16 `binary:"le"`
		P point    `binary:"le"`
		F float32  `binary:"le"`
		Q point
	}
	v := &m{1, 2, 3, []uint16{4}, point{5, 6}, 1, point{7, 8}}
	roundTrip(t, v, "01000000 00000002 00000003 0001 0400 0500 0600 0000803f 0007 0008", binary.Options{SizeWidth: 2})
	roundTrip(t, v, "01000000 00000002 03 01 0400 0500 0600 0000803f 07 08", binary.Options{EncodeInt: true, SizeWidth: 2})
}

func TestEmbedded(t *testing.T) {
	type Base struct {
		ID  int16
		Len uint8
	}
	type m struct {
		Base
		Data []byte `binary:"count=Len"`
		Name string `binary:"count=Base.Len"`
	}
	roundTrip(t, &m{Base: Base{ID: 1}, Data: []byte("ab"), Name: "cd"}, "0001 02 6162 6364", binary.Options{})
}

// TestRefusedTypes: all reasons come at once, with their paths.
func TestRefusedTypes(t *testing.T) {
	type bad struct {
		A chan int
		B uint8  `binary:"sum=md5"`
		C string `binary:"count=Nope"`
		D []byte `binary:"size=3,ref=A"`
		E uint16 `binary:"bits=17"`
		F string `binary:"fixed=4,rest"`
		G uint32 `binary:"colour=red"`
		H string `binary:"if=B"`
		I uint8  `binary:"le"`
		J uint8  `binary:"const=256"`
		K []byte `binary:"offset=2"`
		M map[*int]int
		N func() `binary:"ignore"`
	}
	_, err := binary.Marshal(&bad{})
	if !errors.Is(err, binary.ErrUnsupported) {
		t.Fatal(err)
	}
	for _, path := range strings.Split("A B C D E F G H I J K M", " ") {
		if !strings.Contains(err.Error(), "bad."+path+": ") {
			t.Errorf("no reason for %s in: %v", path, err)
		}
	}
	if strings.Contains(err.Error(), "bad.N") {
		t.Errorf("an ignored member is at fault: %v", err)
	}
	malformed := reflect.StructOf([]reflect.StructField{{Name: "L", Type: reflect.TypeFor[uint8](), Tag: `json:"x" binary:be`}})
	for _, v := range []any{
		reflect.New(malformed).Interface(),
		struct {
			A uint8 `binary:"bits=3"`
			B uint8
		}{},
		struct {
			A uint8 `binary:"bits=3"`
			B uint8 `binary:"bits=5,lsb"`
		}{},
		struct {
			A uint8  `binary:"until=0"`
			B string `binary:"until=300"`
		}{},
		struct {
			_ int `binary:"pad=3"`
		}{},
		struct {
			B []byte `binary:"count=N"`
			N uint8
		}{},
		struct {
			a uint8 `binary:"be"`
		}{},
		struct {
			A any
			B interface{ Foo() }
		}{},
	} {
		if _, err := binary.Marshal(v); !errors.Is(err, binary.ErrUnsupported) {
			t.Errorf("%T: %v", v, err)
		}
	}
}
