package span_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/spanwire/spanwire/span"
)

// Numbers of varying length get no more space than they take: a buffer of the
// message's size is enough.
func TestPlanExactBuffer(t *testing.T) {
	type varying struct {
		A int64            `span:"varint"`
		B []int32          `span:"zigzag"`
		C map[uint8]uint16 `span:"varint"`
	}
	v := varying{1, []int32{1, -1 << 31}, map[uint8]uint16{1: 300}}
	n, err := span.Size(&v)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, n)
	b, err := span.Append(buf, &v)
	if err != nil || len(b) != n || &b[0] != &buf[:1][0] {
		t.Errorf("Append moved a message of %d bytes, capacity %d: %v", n, cap(b), err)
	}
	if b, err = span.PlanOf(&v).Append(buf, &v, 0); err != nil || len(b) != n || &b[0] != &buf[:1][0] {
		t.Errorf("AppendPlan moved a message of %d bytes, capacity %d: %v", n, cap(b), err)
	}
}

// straight has the methods of a generated type, which write it on their own.
type straight struct{ A uint32 }

func (v *straight) SizeSpan() int { return 4 }
func (v *straight) AppendSpan(b []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint32(b, v.A), nil
}
func (v *straight) ReadSpan(r *span.Reader) { span.PlanOf(v).Read(r, v, -1) }
func (*straight) SpanGenerated(*straight)   {}
func (v *straight) WriteSpan(w *span.Writer) {
	if b, ok := w.Fast().Direct(); ok {
		w.Fast().Put(v.AppendSpan(b))
		return
	}
	span.PlanOf(v).Write(w, v)
}

func TestMaxBytesGenerated(t *testing.T) {
	for most, want := range map[int64]error{3: span.ErrLimit, 4: nil, 0: nil, -1: nil} {
		limit := span.Options{MaxBytes: most}
		v := &straight{1}
		var out bytes.Buffer
		_, marshal := limit.Marshal(v)
		enc := limit.NewEncoder(&out)
		bare := limit.NewEncoder(&out)
		bare.Unframed = true
		var w span.Writer
		w.Configure(limit)
		v.WriteSpan(&w)
		for name, err := range map[string]error{
			"Marshal": marshal, "MarshalWrite": limit.MarshalWrite(&out, v), "Encoder": enc.Encode(v),
			"Encoder, unframed": bare.Encode(v), "WriteSpan": w.Err(),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%s of 4 bytes where MaxBytes is %d: %v", name, most, err)
			}
		}
	}
}

// The first of two faults is reported, though a nil pointer shows as one only
// when something follows.
func TestNilBeforeFault(t *testing.T) {
	type sub struct {
		_ struct{} `span:"newlife"`
		A uint8
	}
	type faulty struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *sub
		B uint8
		C span.Char
	}
	type measured struct {
		_ struct{} `span:"newlife"`
		N *sub
		F struct{ C span.Char } `span:"sized"`
	}
	v := faulty{C: 300}
	_, plain := span.Marshal(&v)
	_, fields := span.PlanOf(&v).AppendFields(nil, &v, 0, 4, 0)
	_, within := span.Marshal(&struct {
		F faulty `span:"sized"`
	}{v})
	m := measured{}
	m.F.C = 300
	for name, err := range map[string]error{
		"Marshal": plain, "AppendFields": fields, "sized": within, "MarshalWrite": span.MarshalWrite(&bytes.Buffer{}, &m),
	} {
		if !errors.Is(err, span.ErrNil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An error has one offset whatever writes the value, though the length of a
// sized struct is not known in advance everywhere.
func TestOffsetInSized(t *testing.T) {
	type inner struct {
		A uint8
		C span.Char
	}
	type middle struct {
		A uint8
		I inner `span:"sized"`
	}
	v := struct {
		A uint16
		M middle `span:"sized"`
	}{M: middle{I: inner{C: 300}}}
	_, marshal := span.Marshal(&v)
	_, size := span.Size(&v)
	for name, err := range map[string]error{
		"Marshal": marshal, "Size": size, "MarshalWrite": span.MarshalWrite(&bytes.Buffer{}, &v),
		"Encoder": span.NewEncoder(&bytes.Buffer{}).Encode(&v),
	} {
		var e *span.Error
		if !errors.As(err, &e) || e.Offset != 6 || e.Path != "M.I.C" || !errors.Is(err, span.ErrRange) {
			t.Errorf("%s: %v, want offset 6", name, err)
		}
	}
}
