package models

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

// Fast has the members of Simple and writes itself, as its class does
// (ISpanSerializable).
type Fast struct {
	Id        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

// WriteSpan writes the members in order.
func (f *Fast) WriteSpan(w *span.Writer) {
	w.WriteInt32(f.Id)
	w.WriteString(f.Name)
	w.WriteBool(f.IsActive)
	w.WriteDateTime(f.CreatedAt)
	w.WriteFloat64(f.Score)
}

// ReadSpan reads what WriteSpan writes.
func (f *Fast) ReadSpan(r *span.Reader) {
	f.Id = r.ReadInt32()
	f.Name = r.ReadString()
	f.IsActive = r.ReadBool()
	f.CreatedAt = r.ReadDateTime()
	f.Score = r.ReadFloat64()
}

// Switches has what the switches of SpanWriter change, and writes itself.
type Switches struct {
	I16 int16
	U16 uint16
	I32 int32
	U32 uint32
	I64 int64
	U64 uint64
	F32 float32
	F64 float64
	S   string
	T   time.Time
	N   *int32
}

// WriteSpan writes the members in order.
func (s *Switches) WriteSpan(w *span.Writer) {
	w.WriteInt16(s.I16)
	w.WriteUint16(s.U16)
	w.WriteInt32(s.I32)
	w.WriteUint32(s.U32)
	w.WriteInt64(s.I64)
	w.WriteUint64(s.U64)
	w.WriteFloat32(s.F32)
	w.WriteFloat64(s.F64)
	w.WriteString(s.S)
	w.WriteDateTime(s.T)
	if w.WriteBool(s.N != nil); s.N != nil {
		w.WriteInt32(*s.N)
	}
}

// ReadSpan reads what WriteSpan writes.
func (s *Switches) ReadSpan(r *span.Reader) {
	s.I16 = r.ReadInt16()
	s.U16 = r.ReadUint16()
	s.I32 = r.ReadInt32()
	s.U32 = r.ReadUint32()
	s.I64 = r.ReadInt64()
	s.U64 = r.ReadUint64()
	s.F32 = r.ReadFloat32()
	s.F64 = r.ReadFloat64()
	s.S = r.ReadString()
	s.T = r.ReadDateTime()
	s.N = nil
	if r.ReadBool() {
		n := r.ReadInt32()
		s.N = &n
	}
}
