package span_test

import (
	"errors"
	"testing"

	"github.com/spanwire/spanwire/span"
)

// selfWriter writes itself: a byte and a string.
type selfWriter struct {
	n int8
	s string
}

func (s *selfWriter) WriteSpan(w *span.Writer) {
	w.WriteUint8(uint8(s.n))
	w.WriteString(s.s)
}

func (s *selfWriter) ReadSpan(r *span.Reader) {
	s.n = int8(r.ReadUint8())
	s.s = r.ReadString()
}

// selfInt is no struct and writes itself.
type selfInt int32

func (s *selfInt) WriteSpan(w *span.Writer) { w.WriteUvarint(uint64(uint32(int32(*s)))) }
func (s *selfInt) ReadSpan(r *span.Reader)  { *s = selfInt(int32(r.ReadUvarint(32))) }

// selfNothing may take no byte.
type selfNothing struct {
	_ struct{} `span:"min=0"`
}

func (*selfNothing) WriteSpan(*span.Writer) {}
func (*selfNothing) ReadSpan(*span.Reader)  {}

// textPoint has text methods, one of them on the value.
type textPoint struct{ x, y byte }

func (p textPoint) MarshalText() ([]byte, error) {
	if p.x == 0 {
		return nil, errZero
	}
	return []byte{p.x, '/', p.y}, nil
}

func (p *textPoint) UnmarshalText(b []byte) error {
	if len(b) != 3 || b[0] == 0 || b[1] != '/' {
		return errForm
	}
	p.x, p.y = b[0], b[2]
	return nil
}

// binaryPoint has binary and text methods.
type binaryPoint struct{ textPoint textPoint }

func (p *binaryPoint) AppendBinary(b []byte) ([]byte, error) {
	return append(b, p.textPoint.x, p.textPoint.y), nil
}

func (p *binaryPoint) UnmarshalBinary(b []byte) error {
	if len(b) != 2 {
		return errForm
	}
	p.textPoint = textPoint{b[0], b[1]}
	return nil
}

// namedMarshal is an integer with text methods.
type namedMarshal int8

func (n namedMarshal) MarshalText() ([]byte, error) { return []byte{byte(n) + '0'}, nil }
func (n *namedMarshal) UnmarshalText(b []byte) error {
	if len(b) != 1 {
		return errForm
	}
	*n = namedMarshal(b[0] - '0')
	return nil
}

var (
	errZero = errors.New("x is zero")
	errForm = errors.New("not of the form x/y")
)

func TestPlanSelf(t *testing.T) {
	type holder struct {
		A selfWriter
		B *selfWriter
		C []selfWriter
		D map[string]selfWriter
		E selfInt
		F map[selfKey]selfInt
		G [2]selfInt
		H []selfNothing
	}
	onWire(t, here(), holder{
		A: selfWriter{1, "a"}, B: &selfWriter{2, "b"}, C: []selfWriter{{3, "c"}, {4, ""}},
		D: map[string]selfWriter{"k": {5, "d"}}, E: -1, F: map[selfKey]selfInt{{7}: 300}, G: [2]selfInt{1, 2},
		H: make([]selfNothing, 2),
	}, "010161 01020162 02 030163 0400 01 016b 050164 ffffffff0f 01 07 ac02 01 02 02")
	onWire(t, here(), selfWriter{1, "a"}, "010161")
	onWire(t, here(), selfInt(5), "05")
	refuse(t, here(), holder{C: []selfWriter{{}, {s: string(make([]byte, 3))}}, H: make([]selfNothing, 65537)}, span.ErrLimit, "H")
	reject[holder](t, here(), "0100 00 02 0100 0203", errUnexpectedEOF, "C[1]", 8)
}

// selfKey is a key that writes itself.
type selfKey struct{ n int8 }

func (s *selfKey) WriteSpan(w *span.Writer) { w.WriteUint8(uint8(s.n)) }
func (s *selfKey) ReadSpan(r *span.Reader)  { s.n = int8(r.ReadUint8()) }

func TestPlanMarshalers(t *testing.T) {
	type holder struct {
		A textPoint
		B *binaryPoint
		C []binaryPoint
		D map[string]textPoint
		E namedMarshal
		F namedMarshal   `span:"marshal"`
		G []namedMarshal `span:"marshal,len=1"`
		H *textPoint     `span:"fields"`
		I textPoint      `span:"len=2,max=3"`
	}
	v := holder{
		A: textPoint{'a', 'b'}, B: &binaryPoint{textPoint{1, 2}}, C: []binaryPoint{{textPoint{3, 4}}},
		D: map[string]textPoint{"k": {'c', 'd'}}, E: 1, F: 2, G: []namedMarshal{3, 4}, I: textPoint{'e', 'f'},
	}
	onWire(t, here(), v, "03612f62 01020102 01020304 01016b03632f64 01 0132 02 0133 0134 00 0300652f66")
	v.D["k"] = textPoint{}
	refuse(t, here(), v, errZero, `D["k"]`)
	reject[holder](t, here(), "03 61 62 63", errForm, "A", 0)
	reject[holder](t, here(), "05 61", errUnexpectedEOF, "A", 2)
}

// A method that somebody else wrote may keep its receiver and the cursor, and
// leave the cursor as it likes.
type keeper struct {
	N int8
}

var kept []*keeper

func (k *keeper) WriteSpan(w *span.Writer) {
	kept = append(kept, k)
	w.Enter()
	w.WriteUint8(uint8(k.N))
}

func (k *keeper) ReadSpan(r *span.Reader) {
	kept = append(kept, k)
	r.Enter()
	r.Fast().EnterElems()
	k.N = int8(r.ReadUint8())
}

func TestPlanMethodsMayKeep(t *testing.T) {
	kept = nil
	type holder struct {
		_ struct{} `span:"newlife"`
		M map[int8]keeper
		K keeper
		E int8
	}
	b := exercise(t, here(), holder{M: map[int8]keeper{1: {1}, 2: {2}}, K: keeper{3}, E: 4})
	seen := map[*keeper]int8{}
	for _, k := range kept {
		seen[k] = k.N
	}
	if len(seen) < 20 {
		t.Errorf("receivers are used again: %d", len(seen))
	}
	var v holder
	if err := span.Unmarshal(b[:len(b)-1], &v); err != nil {
		t.Errorf("an early end after a method: %v", err)
	}
}

// selfHolder writes a value of another type by that type's plan.
type selfHolder struct{ in selfInner }

type selfInner struct {
	A int16
	C []span.Char
}

func (s *selfHolder) WriteSpan(w *span.Writer) { span.PlanOf(&s.in).Write(w, &s.in) }
func (s *selfHolder) ReadSpan(r *span.Reader)  { span.PlanOf(&s.in).Read(r, &s.in, -1) }

// Offsets count from the start of the whole message.
func TestPlanSelfOffsets(t *testing.T) {
	type holder struct {
		X int32
		L []selfHolder
	}
	onWire(t, here(), holder{1, []selfHolder{{selfInner{2, []span.Char{3}}}}}, "01000000 01 0200 01 03")
	v := holder{L: []selfHolder{{}, {selfInner{C: []span.Char{1, 300}}}}}
	refuseAt(t, here(), v, span.ErrRange, "L[1].C[1]", 4+1+3+2+1+1)
	reject[holder](t, here(), "00000000 01 0000 01", errUnexpectedEOF, "L[0].C", 7)
}
