package legacy

import (
	"time"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// makers makes the models of this package, and the scalars that lists of
// anything name.
var makers = map[string]func() any{
	"Lists":          func() any { return new(Lists) },
	"ObjectLists":    func() any { return new(ObjectLists) },
	"Dicts":          func() any { return new(Dicts) },
	"DictOfObject":   func() any { return new(DictOfObject) },
	"MixedList":      func() any { return new(MixedList) },
	"Nets":           func() any { return new(Nets) },
	"Calendar":       func() any { return new(Calendar) },
	"CalendarNoSpan": func() any { return new(CalendarNoSpan) },
	"Chars":          func() any { return new(Chars) },
	"Packets":        func() any { return new(Packets) },
	"Cyclic":         func() any { return new(Cyclic) },
	"Pairing":        func() any { return new(Pairing) },
	"Everything":     func() any { return new(Everything) },
	"WithAccessor":   func() any { return new(WithAccessor) },
	"Terminal":       func() any { return new(Terminal) },
	"SizedFixed":     func() any { return new(SizedFixed) },
	"SizedRef":       func() any { return new(SizedRef) },
	"SizedRefOffset": func() any { return new(SizedRefOffset) },
	"SizedRefList":   func() any { return new(SizedRefList) },
	"SizedPath":      func() any { return new(SizedPath) },
	"SizedWidth":     func() any { return new(SizedWidth) },
	"SizedVersion":   func() any { return new(SizedVersion) },
	"FixedText":      func() any { return new(FixedText) },
	"FullText":       func() any { return new(FullText) },

	"Boolean":  func() any { return new(bool) },
	"Byte":     func() any { return new(uint8) },
	"SByte":    func() any { return new(int8) },
	"Int16":    func() any { return new(int16) },
	"UInt16":   func() any { return new(uint16) },
	"Int32":    func() any { return new(int32) },
	"UInt32":   func() any { return new(uint32) },
	"Int64":    func() any { return new(int64) },
	"UInt64":   func() any { return new(uint64) },
	"Single":   func() any { return new(float32) },
	"Double":   func() any { return new(float64) },
	"String":   func() any { return new(string) },
	"DateTime": func() any { return new(time.Time) },
	"Decimal":  func() any { return new(span.Decimal) },
	"Guid":     func() any { return new(span.GUID) },
	"Char":     func() any { return new(span.Char) },
	"Byte[]":   func() any { return new([]byte) },
}

// New returns a pointer to a new model, or nil for an unknown name.
func New(name string) any {
	if f := makers[name]; f != nil {
		return f()
	}
	return models.New(name)
}
