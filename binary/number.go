package binary

import "encoding/binary"

// appendNumber appends an integer or float given as its bits.
func appendNumber(b []byte, n *node, v uint64) []byte {
	switch {
	case n.size == 1:
		return append(b, byte(v))
	case n.varint && n.op != opFloat32 && n.op != opFloat64:
		return binary.AppendUvarint(b, v)
	}
	return appendFixed(b, v, n.size, n.le)
}

// appendFixed appends the low size bytes of v.
func appendFixed(b []byte, v uint64, size int, le bool) []byte {
	switch {
	case size == 2 && le:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case size == 2:
		return binary.BigEndian.AppendUint16(b, uint16(v))
	case size == 4 && le:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	case size == 4:
		return binary.BigEndian.AppendUint32(b, uint32(v))
	case size == 8 && le:
		return binary.LittleEndian.AppendUint64(b, v)
	case size == 8:
		return binary.BigEndian.AppendUint64(b, v)
	}
	return append(b, byte(v))
}

// fixedAt reads what appendFixed has written.
func fixedAt(b []byte, le bool) (v uint64) {
	switch {
	case len(b) == 2 && le:
		return uint64(binary.LittleEndian.Uint16(b))
	case len(b) == 2:
		return uint64(binary.BigEndian.Uint16(b))
	case len(b) == 4 && le:
		return uint64(binary.LittleEndian.Uint32(b))
	case len(b) == 4:
		return uint64(binary.BigEndian.Uint32(b))
	case len(b) == 8 && le:
		return binary.LittleEndian.Uint64(b)
	case len(b) == 8:
		return binary.BigEndian.Uint64(b)
	}
	return uint64(b[0])
}
