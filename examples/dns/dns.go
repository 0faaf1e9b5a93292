// Package dns reads and writes the header and the questions of DNS messages
// (RFC 1035): flags as bit fields, counts, and names that read themselves.
package dns

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spanwire/spanwire/binary"
)

// Header begins every message.
type Header struct {
	ID                 uint16
	Response           bool  `binary:"bits=1"`
	Opcode             uint8 `binary:"bits=4"`
	Authoritative      bool  `binary:"bits=1"`
	Truncated          bool  `binary:"bits=1"`
	RecursionDesired   bool  `binary:"bits=1"`
	RecursionAvailable bool  `binary:"bits=1"`
	_                  uint8 `binary:"bits=1,const=0"`
	AuthenticData      bool  `binary:"bits=1"`
	CheckingDisabled   bool  `binary:"bits=1"`
	RCode              uint8 `binary:"bits=4"`
}

// Query is a message with questions alone, or the beginning of any other.
type Query struct {
	Header
	QDCount uint16
	ANCount uint16
	NSCount uint16
	ARCount uint16
	// Questions are as many as QDCount says, which is set when writing.
	Questions []Question `binary:"count=QDCount"`
}

// Question asks for records of a name.
type Question struct {
	Name  Name
	Type  uint16
	Class uint16
}

// Name is a domain name with its final dot, "example.com.", without
// compression: nothing stands before a question that it could point to.
type Name string

// ErrName is for a name that has no form, and for bytes that are not a name.
var ErrName = errors.New("dns: malformed name")

const (
	maxLabel = 63
	maxName  = 255 // bytes on the wire
)

// WriteBinary writes each label behind its length, and a final length of 0.
func (n *Name) WriteBinary(e *binary.Encoder) error {
	text, ok := strings.CutSuffix(string(*n), ".")
	if !ok || len(text)+2 > maxName {
		return fmt.Errorf("%w: %.300q", ErrName, string(*n))
	}
	if text != "" {
		for label := range strings.SplitSeq(text, ".") {
			if label == "" || len(label) > maxLabel {
				return fmt.Errorf("%w: the label %.70q", ErrName, label)
			}
			e.WriteUint8(uint8(len(label)))
			e.WriteRaw([]byte(label))
		}
	}
	e.WriteUint8(0)
	return nil
}

// ReadBinary reads what WriteBinary writes.
func (n *Name) ReadBinary(d *binary.Decoder) error {
	var text []byte
	for {
		size := int(d.ReadUint8())
		switch {
		case size == 0:
			if text == nil {
				text = []byte{'.'}
			}
			*n = Name(text)
			return nil
		case size > maxLabel || len(text)+size+2 > maxName:
			return fmt.Errorf("%w: a label of %d bytes", ErrName, size)
		}
		label := d.ReadRaw(size)
		if strings.Contains(string(label), ".") {
			return fmt.Errorf("%w: a dot inside the label %q", ErrName, label)
		}
		text = append(append(text, label...), '.')
	}
}
