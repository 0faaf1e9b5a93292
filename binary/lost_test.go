package binary_test

import (
	"io"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/spanwire/spanwire/binary"
)

type (
	lostHead struct{ Len uint8 }
	lostSub  struct {
		H *lostHead
		B []byte `binary:"count=H.Len"`
	}
	lostKey struct {
		A uint8
		B uint8 `binary:"ignore"`
	}
	lostBody struct {
		N uint8
		A []byte `binary:"count=N"`
	}
	lostHollow struct{ A *lostHead }
	lostRest   struct {
		R []byte `binary:"rest"`
	}
)

// TestLostWrites: what would be read as something else is an error when written.
func TestLostWrites(t *testing.T) {
	shared := &lostHead{}
	type constant struct {
		N uint8  `binary:"const=5"`
		A []byte `binary:"count=N"`
	}
	type constantBits struct {
		N uint8  `binary:"bits=3,const=5"`
		_ uint8  `binary:"bits=5"`
		A []byte `binary:"count=N,offset=1"`
	}
	type flag struct {
		F uint8 `binary:"const=1"`
		B uint8 `binary:"if=F.1"`
	}
	type tail struct {
		A uint8
		P *lostHollow
	}
	type objects struct{ L []*lostHollow }
	type values struct{ M map[uint8]*lostHollow }
	type none struct{ P *struct{} }
	type rest struct{ P *lostRest }
	type hollows struct {
		L []struct{} `binary:"rest"`
	}
	type hollowLists struct {
		L [][0]uint16 `binary:"rest"`
	}
	type sized struct {
		M map[uint8]uint8 `binary:"size=3"`
	}
	fieldSize := binary.Options{UseFieldSize: true}
	chain := binary.Options{Handlers: binary.DefaultHandlers()}
	for name, c := range map[string]struct {
		v    any
		o    binary.Options
		err  error
		path string
	}{
		"a length in a constant":            {v: &constant{}, err: binary.ErrConst, path: "A"},
		"a length in constant bits":         {v: &constantBits{A: []byte("abc")}, err: binary.ErrConst, path: "A"},
		"a member that a constant excludes": {v: &flag{B: 1}, err: binary.ErrRange, path: "B"},
		"a length that another has set": {
			v: &struct {
				P *lostSub
				H *lostHead
				B []byte `binary:"count=H.Len"`
			}{&lostSub{shared, []byte("ab")}, shared, []byte("12345")}, err: binary.ErrRange, path: "B",
		},
		"an object of nothing at the end": {v: &tail{1, &lostHollow{}}, err: binary.ErrNil, path: "P"},
		"the same through the chain":      {v: &tail{1, &lostHollow{}}, o: chain, err: binary.ErrNil, path: "P"},
		"an object of nothing in a list":  {v: &objects{[]*lostHollow{{}}}, err: binary.ErrNil, path: "L[0]"},
		"an object of nothing in a map":   {v: &values{map[uint8]*lostHollow{1: {}}}, err: binary.ErrNil, path: "M[1]"},
		"an object of an empty rest":      {v: &rest{&lostRest{}}, err: binary.ErrNil, path: "P"},
		"an object without members":       {v: &none{&struct{}{}}, err: binary.ErrNil, path: "P"},
		"a length that takes its member away": {
			v: &struct {
				N uint8
				A []byte `binary:"count=N,if=!N.1"`
			}{A: []byte("ab")}, err: binary.ErrRange, path: "A",
		},
		"a length that the member which holds it sets": {
			v: &struct {
				H lostBody
				B []byte `binary:"count=H.N"`
			}{lostBody{A: []byte("ab")}, []byte("12345")}, err: binary.ErrRange, path: "B",
		},
		"a length of what a later one lets in": {
			v: &struct {
				M uint8
				H lostBody
				B []byte `binary:"count=M,if=H.N.0"`
			}{H: lostBody{A: []byte("a")}, B: []byte("123")}, err: binary.ErrRange, path: "B",
		},
		"a list of nothing to the end": {v: &hollows{make([]struct{}, 3)}, err: binary.ErrRange, path: "L"},
		"the same, marked by no chain": {v: &hollows{make([]struct{}, 3)}, o: chain, err: binary.ErrRange, path: "L[0]"},
		"a list of arrays of nothing":  {v: &hollowLists{make([][0]uint16, 3)}, err: binary.ErrRange, path: "L"},
		"a map of another size":        {v: &sized{map[uint8]uint8{1: 2}}, o: fieldSize, err: binary.ErrRange, path: "M"},
	} {
		t.Run(name, func(t *testing.T) { cannot(t, c.v, c.o, c.err, c.path) })
	}
}

// TestLostKeys: keys that have the same bytes would read back as one.
func TestLostKeys(t *testing.T) {
	latin := binary.Options{Encoding: binary.TextEncoding(charmap.ISO8859_1)}
	chain := binary.Options{Handlers: binary.DefaultHandlers()}
	for name, c := range map[string]struct {
		v any
		o binary.Options
	}{
		"an ignored field": {v: &map[lostKey]uint8{{1, 1}: 1, {1, 2}: 2}},
		"in arrays":        {v: &map[[1]lostKey]uint8{{{1, 1}}: 1, {{1, 2}}: 2}},
		"IgnoreMembers":    {v: &map[lostKey]uint8{{1, 1}: 1, {2, 1}: 2}, o: binary.Options{IgnoreMembers: []string{"A"}}},
		"one second":       {v: &map[time.Time]uint8{time.Unix(1, 1): 1, time.Unix(1, 2): 2}},
		"one instant":      {v: &map[time.Time]uint8{time.Unix(1, 0).UTC(): 1, time.Unix(1, 0).In(time.FixedZone("", 3600)): 2}, o: chain},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.o.Marshal(c.v)
			require.ErrorIs(t, err, binary.ErrDuplicateKey)
			c.o.Deterministic = true
			_, err = c.o.Marshal(c.v)
			require.ErrorIs(t, err, binary.ErrDuplicateKey)
		})
	}
	roundTrip(t, &map[string]uint8{"é": 1}, "01 01e9 01", latin)
	roundTrip(t, &map[float64]uint8{math.NaN(): 1}, "01 7ff8000000000001 01", chain)
}

// TestKeptWrites: what is near to the former and has a form.
func TestKeptWrites(t *testing.T) {
	type constant struct {
		N uint8  `binary:"const=5"`
		A []byte `binary:"count=N,offset=-3"`
		B uint8  `binary:"if=N.2"`
		C uint8  `binary:"if=!N.0"`
	}
	v := &constant{A: []byte("ab"), B: 7}
	roundTrip(t, v, "05 6162 07", binary.Options{})
	require.EqualValues(t, 5, v.N)
	type optional struct {
		F bool
		N uint8  `binary:"const=5"`
		A []byte `binary:"count=N,if=F"`
	}
	roundTrip(t, &optional{N: 5}, "00 05", binary.Options{Strict: true})
	type middle struct {
		P *lostHollow
		Q []*lostHollow
		B uint8
	}
	roundTrip(t, &middle{P: &lostHollow{&lostHead{1}}, B: 3}, "01 00 03", binary.Options{})
	roundTrip(t, &middle{P: &lostHollow{&lostHead{1}}, B: 3}, "01 00 03", binary.Options{})
	type trailed struct {
		P *lostRest
		B uint8
	}
	roundTrip(t, &trailed{P: &lostRest{}, B: 3}, "03", binary.Options{})
	type maps struct {
		N uint8
		M map[uint8]uint16 `binary:"count=N,offset=1"`
		L uint16
		R map[string]uint8 `binary:"ref=L"`
		S map[uint8]uint8  `binary:"size=1"`
		W map[uint8]uint8  `binary:"width=2,version=2"`
	}
	m := &maps{M: map[uint8]uint16{1: 2, 3: 4}, R: map[string]uint8{"a": 1}, S: map[uint8]uint8{5: 6}, W: map[uint8]uint8{7: 8}}
	roundTrip(t, m, "01 010002 030004 0001 016101 0506 0001 0708", binary.Options{UseFieldSize: true, Deterministic: true, Version: "2"})
	roundTrip(t, m, "01 010002 030004 0001 01016101 010506 010708", binary.Options{Deterministic: true})
	type twice struct {
		H lostBody
		B []byte `binary:"count=H.N"`
	}
	roundTrip(t, &twice{lostBody{A: []byte("ab")}, []byte("cd")}, "02 6162 6364", binary.Options{})
	type stale struct {
		N uint8
		A []byte `binary:"count=N"`
		M uint8
		B []byte `binary:"count=M,if=N.0"`
	}
	roundTrip(t, &stale{N: 1, M: 5}, "00 00", binary.Options{Strict: true})
}

// TestLostPlans: tags by which nothing could be read back have no plan.
func TestLostPlans(t *testing.T) {
	for name, v := range map[string]any{
		"a length in a checksum": struct {
			S uint8  `binary:"sum=xor"`
			A []byte `binary:"count=S"`
		}{},
		"a condition in a checksum": struct {
			S uint8 `binary:"sum=xor"`
			A uint8 `binary:"if=S.0"`
		}{},
		"a length in the checksum of a member": struct {
			H struct {
				S uint8 `binary:"sum=xor"`
			}
			A []byte `binary:"count=H.S"`
		}{},
		"a constant with its length elsewhere": struct {
			N uint8
			S string `binary:"const=ab,ref=N"`
		}{},
		"a constant with a length before it": struct {
			S string `binary:"const=ab,width=1"`
		}{},
		"a constant of one version": struct {
			S string `binary:"const=ab,size=2,version=1"`
		}{},
		"an end above its element": struct {
			A []uint16 `binary:"until=65536"`
		}{},
		"an end below its element": struct {
			A []int8 `binary:"until=-129"`
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			for _, v := range []any{v, reflect.New(reflect.TypeOf(v)).Interface()} {
				_, err := binary.Marshal(v)
				require.ErrorIs(t, err, binary.ErrUnsupported)
			}
		})
	}
}

// TestWholeParts: a part that has a constant, a checksum or a trailer may not be
// missing, as little as these.
func TestWholeParts(t *testing.T) {
	type sum struct {
		S uint8 `binary:"sum=xor"`
	}
	type ends struct {
		A    uint8
		Ends sum
	}
	type deep struct {
		A    uint8
		Deep ends
	}
	type bits struct {
		A uint8
		B struct {
			K uint8 `binary:"bits=8,const=7"`
		}
	}
	type list struct {
		A uint8
		L [2]struct {
			_ uint8 `binary:"const=7"`
		}
	}
	type rest struct {
		A uint8
		B struct {
			R []byte `binary:"rest"`
			T uint16
		}
	}
	type optional struct {
		A uint8
		O sum `binary:"if=A.0"`
	}
	refuses[ends](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "Ends")
	refuses[deep](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "Deep")
	refuses[deep](t, "01 02", binary.Options{}, io.ErrUnexpectedEOF, "Deep.Ends")
	refuses[bits](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "B")
	refuses[list](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "L")
	refuses[rest](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "B")
	refuses[optional](t, "01", binary.Options{}, io.ErrUnexpectedEOF, "O")
	roundTrip(t, &optional{}, "00", binary.Options{})
}

// TestSizedUnits: padding that is no whole character is no part of the text.
func TestSizedUnits(t *testing.T) {
	type text struct {
		S string `binary:"size=5"`
		N uint8
	}
	o := binary.Options{UseFieldSize: true, Encoding: binary.TextEncoding(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM))}
	roundTrip(t, &text{S: "ab", N: 1}, "6100 6200 00 01", o)
	var got text
	require.NoError(t, o.Unmarshal(unhex("6100 6200 00 01"), &got))
	require.Equal(t, text{S: "ab", N: 1}, got)
	require.NoError(t, o.Unmarshal(unhex("0000 0000 00 01"), &got))
	require.Equal(t, text{S: "\x00\x00", N: 1}, got)
}
