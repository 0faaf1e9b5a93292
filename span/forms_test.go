package span

import (
	"bytes"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

type (
	// everyForm has a value of each form.
	everyForm struct {
		Bool     bool
		Int8     int8
		Int      int
		Uint16   uint16
		Int32BE  int32 `span:"be"`
		Int64    int64
		I16BE    int16   `span:"be"`
		I64BE    int64   `span:"be"`
		Varint   uint32  `span:"varint"`
		ZigZag   int64   `span:"zigzag"`
		Float    float32 `span:"be"`
		Double   float64
		Complex  complex64
		Complex2 complex128 `span:"be"`
		String   string
		Text     string `span:"utf8,len=2"`
		Padded   string `span:"fixed=4"`
		Bytes    []byte `span:"nilable"`
		Padding  []byte `span:"fixed=4"`
		Raw      [3]byte
		Array    [2]string
		Slice    []string
		Map      map[string]int8
		Deep     formNode
		Pointer  *string
		Shared   *formPart `span:"shared"`
		Again    *formPart `span:"shared"`
		Sized    formPart  `span:"sized"`
		Full     time.Time
		Unix     time.Time `span:"unix"`
		Milli    time.Time `span:"unixmilli,varint"`
		Nano     time.Time `span:"unixnano"`
		NanoBE   time.Time `span:"unixnano,be"`
		Ticks    time.Time `span:"ticks"`
		GUID     GUID
		Decimal  Decimal
		Char     Char
		Binary   netip.AddrPort
		Marshal  formText
		JSON     formJSON `span:"marshal=json"`
		Gob      big.Float
		Self     formSelf
	}

	// everyNewLife has what the switches change, and a pointer without a mark.
	everyNewLife struct {
		_       struct{} `span:"newlife"`
		I8      int8
		I16     int16
		I32     int32
		I64     int64
		Int     int
		Float   float32
		Double  float64
		Complex complex64
		Time    time.Time
		Decimal Decimal
		Inline  *formPart
	}

	formNode struct {
		N    int8
		Kids []formNode
	}
	formPart struct{ A, B int16 }
	formText struct{ S string }
	formJSON struct{ S string }
	formSelf struct{ S string }
)

func (f *formText) MarshalText() ([]byte, error) { return []byte(f.S), nil }
func (f *formText) UnmarshalText(b []byte) error { f.S = string(b); return nil }
func (f *formJSON) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, f.S), nil }
func (f *formJSON) UnmarshalJSON(b []byte) (err error) {
	f.S, err = strconv.Unquote(string(b))
	return err
}
func (f *formSelf) WriteSpan(w *Writer) { w.WriteString(f.S) }
func (f *formSelf) ReadSpan(r *Reader)  { f.S = r.ReadString() }

// everything are values of every form.
func everything(t *testing.T) []any {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	text, part := "pointed", &formPart{7, 8}
	d, err := ParseDecimal("-12.345")
	require.NoError(t, err)
	return []any{
		&everyForm{
			Bool: true, Int8: -1, Int: -2, Uint16: 3, Int32BE: -4, Int64: -5, I16BE: -6, I64BE: -7, Varint: 300, ZigZag: -300,
			Float: 1.5, Double: 2.5, Complex: 1 + 2i, Complex2: 3 + 4i, String: "string", Text: "text", Padded: "pad",
			Bytes: []byte("bytes"), Padding: []byte("b"), Raw: [3]byte{1, 2, 3}, Array: [2]string{"a", "b"}, Slice: []string{"c"},
			Map: map[string]int8{"k": 1}, Deep: formNode{1, []formNode{{N: 2}, {N: 3}}}, Pointer: &text,
			Shared: part, Again: part, Sized: formPart{1, 2}, Full: at, Unix: at, Milli: at, Nano: at, NanoBE: at, Ticks: at,
			GUID: GUID{1, 2, 3}, Decimal: d, Char: 'x', Binary: netip.MustParseAddrPort("10.0.0.1:80"),
			Marshal: formText{"text"}, JSON: formJSON{"json"}, Gob: *big.NewFloat(1.5), Self: formSelf{"self"},
		},
		&everyNewLife{
			I8: -1, I16: -2, I32: -3, I64: -4, Int: -5, Float: 1.5, Double: 2.5, Complex: 1 + 2i, Time: at, Decimal: d, Inline: &formPart{1, 2},
		},
	}
}

// TestEveryForm: the plan has an operation for every form and encoding of package
// layout, under all switches, and the walkers know every operation: what they write
// comes back.
func TestEveryForm(t *testing.T) {
	ops, encs, times := map[layout.Op]bool{}, map[layout.Enc]bool{}, map[layout.TimeEnc]bool{}
	done := map[opcode]bool{}
	for _, v := range everything(t) {
		pl := planOf(v)
		require.NoError(t, pl.err)
		reaches(pl.node, func(n *layout.Node) bool {
			ops[n.Op], encs[n.Enc], times[n.Time] = true, true, true
			return false
		})
		for s := range swCount {
			o := Options{planOnly: true, BigEndian: s&swBigEndian != 0, EncodeInt: s&swEncodeInt != 0, FullTime: s&swFullTime != 0}
			require.Equal(t, s, o.switches())
			pr := pl.under(&o)
			require.False(t, pr.incomplete())
			pr.each(func(o *op) { done[o.code] = true })
			goesAndComes(t, v, o)
		}
	}
	for op := layout.OpInvalid + 1; op.Known(); op++ {
		require.Equal(t, op != layout.OpParam, ops[op], "%v: only generators have type parameters", op)
	}
	for enc := layout.EncNone + 1; enc.Known(); enc++ {
		require.True(t, encs[enc], "%v", enc)
	}
	for form := layout.TimeNone + 1; form.Known(); form++ {
		require.True(t, times[form], "%v", form)
	}
	for code := cInvalid + 1; code < codes; code++ {
		require.True(t, done[code] || code == cPlatform && strconv.IntSize == 64, "operation %d", code)
	}
}

// TestLimits: what the packages beside and below this one say of limits is what
// package layout says.
func TestLimits(t *testing.T) {
	require.EqualValues(t, layout.MaxLength, wire.MaxLength)
	require.EqualValues(t, layout.MaxLength, spanrt.MaxLength)
	require.EqualValues(t, layout.MaxDepth, spanrt.MaxDepth)
}

// each calls f for the operations of a program and those below.
func (pr *program) each(f func(*op)) {
	seen := map[*program]bool{nil: true}
	var visit func(pr *program)
	visit = func(pr *program) {
		if seen[pr] {
			return
		}
		seen[pr] = true
		for i := range pr.ops {
			f(&pr.ops[i])
			visit(pr.ops[i].sub)
			visit(pr.ops[i].key)
		}
	}
	visit(pr)
}

// goesAndComes writes and reads a value in memory, in a fixed buffer and in a stream.
func goesAndComes(t *testing.T, v any, o Options) {
	t.Helper()
	b, err := o.Marshal(v)
	require.NoError(t, err, "%+v", o)
	n, err := o.Size(v)
	require.NoError(t, err)
	require.Equal(t, len(b), n, "%+v", o)
	fixed := o.NewFixedWriter(make([]byte, 0, n))
	pl := planOf(v)
	p, _ := rootOf(pl, v)
	fixed.message(pl, pl.under(&o), p, 0)
	require.NoError(t, fixed.Err(), "%+v", o)
	require.Equal(t, b, fixed.Bytes(), "%+v", o)
	var out bytes.Buffer
	require.NoError(t, o.MarshalWrite(&out, v))
	require.Equal(t, b, out.Bytes(), "%+v", o)
	back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	require.NoError(t, o.Unmarshal(b, back), "%+v", o)
	require.Equal(t, v, back, "%+v", o)
	back = reflect.New(reflect.TypeOf(v).Elem()).Interface()
	require.NoError(t, o.UnmarshalRead(&out, back), "%+v", o)
	require.Equal(t, v, back, "%+v", o)
}

// TestNoOperation: a form or encoding that the compiler does not know, and an operation
// that a walker does not know, are errors.
func TestNoOperation(t *testing.T) {
	number, at := reflect.TypeFor[int32](), reflect.TypeFor[time.Time]()
	for name, n := range map[string]*layout.Node{
		"no form":          {Type: number},
		"unknown form":     {Type: number, Op: 200},
		"parameter":        {Type: number, Op: layout.OpParam},
		"no encoding":      {Type: number, Op: layout.OpInt, Size: 4},
		"unknown encoding": {Type: number, Op: layout.OpInt, Size: 4, Enc: 200},
		"unknown width":    {Type: number, Op: layout.OpFloat, Size: 3},
		"no time":          {Type: at, Op: layout.OpTime, Enc: layout.EncFixed},
		"unknown time":     {Type: at, Op: layout.OpTime, Enc: layout.EncFixed, Time: 200},
		"time, no number":  {Type: at, Op: layout.OpTime, Time: layout.TimeUnixMilli},
	} {
		c := compiler{map[programKey]*program{}, 0}
		pr := c.program(n)
		require.True(t, pr.incomplete(), name)
		list := &layout.Node{Type: reflect.SliceOf(number), Op: layout.OpSlice, Elem: n, Max: layout.Unlimited}
		require.True(t, c.program(list).incomplete(), name)
		walkFails(t, name, pr)
	}
	for _, code := range []opcode{cInvalid, codes, 255} {
		pr := &program{ops: []op{{code: code, node: new(layout.Node), typ: number}}}
		pr.ones = pr.ops
		walkFails(t, strconv.Itoa(int(code)), pr)
	}
}

// walkFails holds that nothing is written or read by a program.
func walkFails(t *testing.T, name string, pr *program) {
	t.Helper()
	v := reflect.ValueOf(new(time.Time)) // large enough
	w := NewWriter(nil)
	w.enter(pr, valueAddress(v))
	require.ErrorIs(t, w.Err(), ErrUnsupported, name)
	r := NewReader(make([]byte, 100))
	r.enter(pr, valueAddress(v))
	require.ErrorIs(t, r.Err(), ErrUnsupported, name)
	require.Zero(t, r.Offset(), name)
}
