package span_test

import (
	"math"
	"testing"

	"github.com/spanwire/spanwire/span"
)

func TestChar(t *testing.T) {
	for c := range span.Char(256) {
		b, err := appendBy(nil, func(w *span.Writer) { w.WriteChar(c) })
		if err != nil || len(b) != 1 || b[0] != byte(c) || !c.Valid() {
			t.Errorf("%U: %x, %v, valid %v", c, b, err, c.Valid())
		}
		if back := span.NewReader(b).ReadChar(); back != c {
			t.Errorf("%U reads back as %U", c, back)
		}
		if s := []rune(c.String()); len(s) != 1 || s[0] != rune(c) {
			t.Errorf("%U has the text %q", c, c.String())
		}
	}
	for _, c := range []span.Char{256, 20013, 0xd800, 0x10ffff, -1, math.MinInt32, math.MaxInt32} {
		b, err := appendBy([]byte("x"), func(w *span.Writer) { w.WriteChar(c) })
		isError(t, here(), err, span.ErrRange)
		if string(b) != "x" || c.Valid() {
			t.Errorf("%d: %q, valid %v", c, b, c.Valid())
		}
	}
	if s := span.Char('中').String(); s != "中" {
		t.Errorf("text %q", s)
	}
}
