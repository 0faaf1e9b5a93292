package recursive

import "github.com/spanwire/spanwire/span"

// Knot leads by hand, as no layout shows, to a value that holds it.
type Knot[T any] struct{ In *T }

// WriteSpan writes whether there is a value, and the value.
func (k *Knot[T]) WriteSpan(w *span.Writer) {
	w.WriteBool(k.In != nil)
	if k.In == nil {
		return
	}
	if s, ok := any(k.In).(span.Serializable); ok {
		s.WriteSpan(w)
	} else {
		span.PlanOf(k.In).Write(w, k.In)
	}
}

// ReadSpan reads what WriteSpan writes.
func (k *Knot[T]) ReadSpan(r *span.Reader) {
	if !r.ReadBool() {
		return
	}
	k.In = new(T)
	if s, ok := any(k.In).(span.Serializable); ok {
		s.ReadSpan(r)
	} else {
		span.PlanOf(k.In).Read(r, k.In, -1)
	}
}

// The ways to hold a Knot.
type (
	//span:generate
	InField struct{ K Knot[InField] }

	//span:generate
	InPointer struct{ K *Knot[InPointer] }

	//span:generate
	InList struct{ K []Knot[InList] }

	//span:generate
	InMap struct{ K map[uint8]Knot[InMap] }

	//span:generate
	InArray struct{ K [1]Knot[InArray] }

	//span:generate
	InSized struct {
		_ struct{} `span:"sized"`
		K *Knot[InSized]
	}

	// BesideText is also written by a marshaler method.
	//
	//span:generate
	BesideText struct {
		K    *Knot[BesideText]
		Leaf Leaf
	}

	//span:generate
	InBox[T any] struct{ V T }

	// Boxed leads to an instance of a generic type.
	Boxed struct{ In *InBox[Boxed] }
)

func (b *Boxed) knot() *Knot[InBox[Boxed]] { return (*Knot[InBox[Boxed]])(b) }

// WriteSpan writes it as a Knot.
func (b *Boxed) WriteSpan(w *span.Writer) { b.knot().WriteSpan(w) }

// ReadSpan reads it as a Knot.
func (b *Boxed) ReadSpan(r *span.Reader) { b.knot().ReadSpan(r) }

// The same for the plan alone.
type (
	PlainField   struct{ K Knot[PlainField] }
	PlainPointer struct{ K *Knot[PlainPointer] }
	PlainList    struct{ K []Knot[PlainList] }
	PlainMap     struct{ K map[uint8]Knot[PlainMap] }
)

// Parcel reads, with a Reader that it makes, what holds it.
type Parcel struct{ In *Crate }

// Crate holds a Parcel.
//
//span:generate
type Crate struct{ P Parcel }

// MarshalBinary writes the Crate, nothing for none.
func (p *Parcel) MarshalBinary() ([]byte, error) {
	if p.In == nil {
		return nil, nil
	}
	return p.In.AppendSpan(nil)
}

// UnmarshalBinary reads it.
func (p *Parcel) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	p.In = new(Crate)
	r := span.NewReader(b)
	p.In.ReadSpan(r)
	return r.Err()
}

// Letter does the same by span.Unmarshal, which is counted.
type Letter struct{ In *Envelope }

// Envelope holds a Letter.
//
//span:generate
type Envelope struct{ L Letter }

// MarshalBinary writes the Envelope, nothing for none.
func (l *Letter) MarshalBinary() ([]byte, error) {
	if l.In == nil {
		return nil, nil
	}
	return span.Marshal(l.In)
}

// UnmarshalBinary reads it.
func (l *Letter) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	l.In = new(Envelope)
	return span.Unmarshal(b, l.In)
}
