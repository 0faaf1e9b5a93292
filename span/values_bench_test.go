package span_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// BenchmarkValues measures five fields by one method call each.
func BenchmarkValues(b *testing.B) {
	v := models.Fast{Id: 42, Name: "NewLife", IsActive: true, CreatedAt: time.Unix(1735689600, 0).UTC(), Score: 99.5}
	buf := make([]byte, 0, 64)
	var w span.Writer
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.Reset(buf)
			v.WriteSpan(&w)
		}
	})
	b.Run("alias", func(b *testing.B) {
		w.Reset(buf)
		v.WriteSpan(&w)
		var r span.Reader
		b.ReportAllocs()
		for b.Loop() {
			r.Reset(w.Bytes(), span.AliasStrings)
			v.ReadSpan(&r)
		}
	})
}
