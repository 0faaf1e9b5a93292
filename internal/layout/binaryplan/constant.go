package binaryplan

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
)

// constant reads the value of a const member.
func (b *builder) constant(f *Field, m member) {
	c := &Const{Text: m.tag.text("const")}
	n := f.Node
	switch {
	case n.isInt():
		v, ok := constInt(c.Text, n)
		if !ok {
			b.noConst(m, c)
			return
		}
		c.Value, f.Min = &v, numberSize(n, v)
	case n != nil:
		raw, ok := constBytes(c.Text)
		size := len(raw)
		if n.Op == OpByteArray {
			size = n.Len
		} else if n.Length.Form == Exact || n.Length.Form == Trimmed {
			size = n.Length.N
		}
		if !ok || len(raw) != size {
			b.noConst(m, c)
			return
		}
		c.Raw, f.Min = raw, len(raw)
	}
	f.Const = c
}

func (b *builder) noConst(m member, c *Const) {
	b.report(m.site, m.Type, layout.Fault{
		Code: layout.CodeTagValue, Reason: "const=" + c.Text + " is not a value of this member",
		Fix: "write a number that the type has, or as many bytes as the member takes, as text or as 0x and hex digits",
	})
}

// numberSize returns the bytes of an integer given as its bits.
func numberSize(n *Node, v uint64) int {
	if !n.Varint || n.Size == 1 {
		return n.Size
	}
	size := 1
	for v >= 0x80 {
		v >>= 7
		size++
	}
	return size
}

// constInt reads a number that the node's type holds, as its bits.
func constInt(text string, n *Node) (uint64, bool) {
	bits := n.Size * 8
	if n.Signed {
		v, err := strconv.ParseInt(text, 0, bits)
		return uint64(v) & (1<<bits - 1), err == nil
	}
	v, err := strconv.ParseUint(text, 0, bits)
	return v, err == nil
}

// constBytes reads text, or bytes as 0x and hex digits.
func constBytes(text string) ([]byte, bool) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		raw, err := hex.DecodeString(digits)
		return raw, err == nil
	}
	return []byte(text), true
}
