package binary

import (
	"sync"
	"unicode/utf8"
)

// Encoding turns text into bytes and back (Binary.Encoding). Implementations
// must be safe for use by several goroutines.
type Encoding interface {
	// AppendText appends the bytes of s. A character that the encoding lacks is
	// an error.
	AppendText(b []byte, s string) ([]byte, error)
	// Text gives the text of b.
	Text(b []byte) (string, error)
}

// TextEncoding adapts an encoding of golang.org/x/text, or any that has coders
// of this form:
//
//	binary.Options{Encoding: binary.TextEncoding(simplifiedchinese.GBK)}
func TextEncoding[E encoder, D decoder](e interface {
	NewEncoder() E
	NewDecoder() D
}) Encoding {
	return &textEncoding{
		encoders: sync.Pool{New: func() any { return e.NewEncoder() }},
		decoders: sync.Pool{New: func() any { return e.NewDecoder() }},
	}
}

type encoder interface {
	Bytes(b []byte) ([]byte, error)
	String(s string) (string, error)
}

type decoder interface {
	Bytes(b []byte) ([]byte, error)
}

type textEncoding struct{ encoders, decoders sync.Pool }

func (t *textEncoding) AppendText(b []byte, s string) ([]byte, error) {
	e := t.encoders.Get().(encoder)
	defer t.encoders.Put(e)
	text, err := e.String(s)
	if err != nil {
		return b, err
	}
	return append(b, text...), nil
}

func (t *textEncoding) Text(b []byte) (string, error) {
	d := t.decoders.Get().(decoder)
	defer t.decoders.Put(d)
	text, err := d.Bytes(b)
	return string(text), err
}

// appendReplaced appends s as .NET does: a character that the encoding lacks is
// '?', two of them for one beyond U+FFFF.
func appendReplaced(enc Encoding, b []byte, s string) ([]byte, error) {
	if out, err := enc.AppendText(b, s); err == nil {
		return out, nil
	}
	for _, r := range s {
		out, err := enc.AppendText(b, string(r))
		if err != nil {
			mark := "?"
			if utf8.RuneLen(r) == 4 {
				mark = "??"
			}
			if out, err = enc.AppendText(b, mark); err != nil {
				return b, err
			}
		}
		b = out
	}
	return b, nil
}
