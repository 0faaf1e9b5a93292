package binary

import "bytes"

// FixedString: text in a fixed number of bytes, padded with zeros. Reading takes
// whole code units of the encoding off both ends, those all of whose bytes are 00
// or all FF, so that no character is ever cut. Bytes lose only zeros at the end.

// unitSize gives the bytes of a code unit of Options.Encoding: 1, 2 for UTF-16, 4
// for UTF-32. It is told from what NUL takes.
func (s *settings) unitSize() int {
	if s.Encoding == nil || s.Compat { // NewLife trims bytes, whatever they are of
		return 1
	}
	if s.unit == 0 {
		s.unit = 1
		one, err := s.Encoding.AppendText(nil, "\x00")
		two, err2 := s.Encoding.AppendText(nil, "\x00\x00")
		if n := len(two) - len(one); err == nil && err2 == nil && (n == 2 || n == 4) {
			s.unit = n
		}
	}
	return s.unit
}

// blank reports a code unit that is taken off.
func blank(unit []byte) bool {
	first := unit[0]
	if first != 0 && first != 0xff {
		return false
	}
	for _, c := range unit[1:] {
		if c != first {
			return false
		}
	}
	return true
}

// trimUnits takes blank code units of the given size off both ends. Bytes behind
// the last whole unit are no part of the text if they are blank.
func trimUnits(b []byte, size int) []byte {
	if b = wholeUnits(b, size); len(b)%size > 0 {
		return b
	}
	for len(b) > 0 && blank(b[:size]) {
		b = b[size:]
	}
	for len(b) > 0 && blank(b[len(b)-size:]) {
		b = b[:len(b)-size]
	}
	return b
}

// wholeUnits takes off what stands behind the last whole unit, if it is blank.
func wholeUnits(b []byte, size int) []byte {
	if odd := len(b) % size; odd > 0 && blank(b[len(b)-odd:]) {
		return b[:len(b)-odd]
	}
	return b
}

// trimZeros takes the padding off bytes.
func trimZeros(b []byte) []byte { return bytes.TrimRight(b, "\x00") }

// fixedText checks that reading gives text back as it is.
func (e *Encoder) fixedText(b []byte) bool {
	if e.Compat || len(trimUnits(b, e.unitSize())) == len(b) {
		return true
	}
	what := "00 or ff"
	if e.unitSize() > 1 {
		what = "U+0000 or U+FFFF"
	}
	e.fail(because(ErrRange, "a %s at either end would be taken off when read", what))
	return false
}

// fixedBytes checks that reading gives bytes back as they are.
func (e *Encoder) fixedBytes(b []byte) bool {
	if e.Compat || len(b) == 0 || b[len(b)-1] != 0 {
		return true
	}
	e.fail(because(ErrRange, "a 00 at the end would be taken for padding when read"))
	return false
}
