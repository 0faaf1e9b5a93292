// Package png takes the container of PNG files apart and puts it together: a
// signature, then chunks of length, type, data and checksum.
package png

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spanwire/spanwire/binary"
)

// Signature begins every file.
type Signature struct {
	_ [8]byte `binary:"const=0x89504e470d0a1a0a"`
}

// Chunk is a part of a file.
type Chunk struct {
	Length uint32
	Type   [4]byte
	Data   []byte `binary:"count=Length"`
	CRC    uint32 `binary:"sum=crc32,from=Type"`
}

// Header is the data of the first chunk, IHDR.
type Header struct {
	Width, Height uint32
	Depth         uint8 // bits a sample
	Color         uint8
	Compression   uint8 `binary:"const=0"`
	Filter        uint8 `binary:"const=0"`
	Interlace     uint8
}

// Text is the data of a chunk tEXt.
type Text struct {
	Keyword string `binary:"until=0"`
	Text    []byte `binary:"rest"`
}

// Read gives the chunks of a file, up to IEND.
func Read(r io.Reader) iter.Seq2[*Chunk, error] {
	return func(yield func(*Chunk, error) bool) {
		d := binary.NewDecoder(r)
		if err := d.Decode(&Signature{}); err != nil {
			yield(nil, noEOF(err))
			return
		}
		for {
			c := &Chunk{}
			if err := d.Decode(c); err != nil {
				yield(nil, noEOF(err))
				return
			}
			if !yield(c, nil) || string(c.Type[:]) == "IEND" {
				return
			}
		}
	}
}

// noEOF makes the end of a file, which must end with IEND, an error.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("png: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// Write writes a file of the chunks. Their lengths and checksums are set.
func Write(w io.Writer, chunks []*Chunk) error {
	e := binary.NewEncoder(w)
	if err := e.Encode(&Signature{}); err != nil {
		return err
	}
	for _, c := range chunks {
		if err := e.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// New makes a chunk whose data is a struct, such as a *Header.
func New(kind string, data any) (*Chunk, error) {
	c := &Chunk{}
	if copy(c.Type[:], kind) != 4 || len(kind) != 4 {
		return nil, fmt.Errorf("png: the type %q has not four letters", kind)
	}
	var err error
	c.Data, err = binary.Marshal(data)
	return c, err
}
