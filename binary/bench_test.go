package binary_test

import (
	"bytes"
	stdbinary "encoding/binary"
	"encoding/gob"
	"fmt"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

type simple struct {
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

type nested struct {
	ID        int32
	Title     string
	Inner     simple
	Timestamp int64
}

type batch struct{ Items []simple }

// frame has tags, so that it is not on the fast path.
type frame struct {
	Magic uint16 `binary:"const=0x7e7e"`
	Flags flags
	Len   uint16
	Body  []byte `binary:"count=Len"`
	Check uint16 `binary:"sum=crc16-modbus,from=Flags"`
}

type identified struct {
	ID    span.GUID
	Price span.Decimal
	Own   Selfish
}

func newSimple() *simple {
	return &simple{42, "NewLife", true, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), 99.5}
}

func newNested() *nested { return &nested{1, "Hello World", *newSimple(), 1735689600} }

func newBatch(n int) *batch {
	b := &batch{}
	for range n {
		b.Items = append(b.Items, *newSimple())
	}
	return b
}

// The fixed-size variants are what encoding/binary can take.
type fixedSimple struct {
	ID        int32
	Name      [7]byte
	IsActive  bool
	CreatedAt uint32
	Score     float64
}

type fixedNested struct {
	ID        int32
	Title     [11]byte
	Inner     fixedSimple
	Timestamp int64
}

// entries returns the entry points, under the options that a helper was called
// with, if any.
func entries(opts []binary.Options) (
	appendTo func([]byte, any) ([]byte, error), marshal func(any) ([]byte, error), unmarshal func([]byte, any) error,
) {
	if len(opts) == 0 {
		return binary.Append, binary.Marshal, binary.Unmarshal
	}
	return opts[0].Append, opts[0].Marshal, opts[0].Unmarshal
}

func bench[T any](b *testing.B, v *T, opts ...binary.Options) {
	appendTo, marshal, unmarshal := entries(opts)
	data, err := marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		buf := make([]byte, 0, len(data))
		for b.Loop() {
			buf, _ = appendTo(buf[:0], v)
		}
	})
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = marshal(v)
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		to := new(T)
		for b.Loop() {
			if err := unmarshal(data, to); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSimple(b *testing.B) { bench(b, newSimple()) }
func BenchmarkNested(b *testing.B) { bench(b, newNested()) }

func BenchmarkSimpleEncodeInt(b *testing.B) {
	bench(b, newSimple(), binary.Options{EncodeInt: true, LittleEndian: true})
}

func BenchmarkSimpleChain(b *testing.B) {
	bench(b, newSimple(), binary.Options{Handlers: binary.DefaultHandlers()})
}

// BenchmarkFrame has tags: a constant, bit fields, a counted body, a checksum.
func BenchmarkFrame(b *testing.B) { bench(b, &frame{Flags: flags{Opcode: 5}, Body: make([]byte, 32)}) }

func BenchmarkBatch(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { bench(b, newBatch(n)) })
	}
}

func BenchmarkParallel(b *testing.B) {
	v := newSimple()
	data, _ := binary.Marshal(v)
	b.Run("append", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			var buf []byte
			for pb.Next() {
				buf, _ = binary.Append(buf[:0], v)
			}
		})
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			to := new(simple)
			for pb.Next() {
				if err := binary.Unmarshal(data, to); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// The standard library's encodings of the same values.

func BenchmarkStdBinary(b *testing.B) {
	b.Run("simple", func(b *testing.B) { benchStd(b, &fixedSimple{ID: 42, IsActive: true, Score: 99.5}) })
	b.Run("nested", func(b *testing.B) { benchStd(b, &fixedNested{ID: 1}) })
}

func benchStd[T any](b *testing.B, v *T) {
	data, err := stdbinary.Append(nil, stdbinary.BigEndian, v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf, _ = stdbinary.Append(buf[:0], stdbinary.BigEndian, v)
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		to := new(T)
		for b.Loop() {
			if _, err := stdbinary.Decode(data, stdbinary.BigEndian, to); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGob(b *testing.B) {
	b.Run("simple", func(b *testing.B) { benchGob(b, newSimple()) })
	b.Run("nested", func(b *testing.B) { benchGob(b, newNested()) })
}

// benchGob measures a stream, whose types are sent once.
func benchGob[T any](b *testing.B, v *T) {
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		var buf bytes.Buffer
		e := gob.NewEncoder(&buf)
		for b.Loop() {
			buf.Reset()
			if err := e.Encode(v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		var buf bytes.Buffer
		e := gob.NewEncoder(&buf)
		for range 10_000 {
			if err := e.Encode(v); err != nil {
				b.Fatal(err)
			}
		}
		data := buf.Bytes()
		r := bytes.NewReader(data)
		d := gob.NewDecoder(r)
		to := new(T)
		for i := 0; b.Loop(); i++ {
			if i%10_000 == 0 {
				r.Reset(data)
				d = gob.NewDecoder(r)
			}
			if err := d.Decode(to); err != nil {
				b.Fatal(err)
			}
		}
	})
}
