package wirecodec

import (
	"math"
	"reflect"
	"time"
)

// floatBits gives the bits of a float32, whose NaNs lose theirs in a float64.
func floatBits(v reflect.Value) uint32 { return *(*uint32)(v.Addr().UnsafePointer()) }

// complexBits gives the bits of both parts.
func complexBits(v reflect.Value) [2]uint64 {
	if v.Kind() == reflect.Complex64 {
		p := (*[2]uint32)(v.Addr().UnsafePointer())
		return [2]uint64{uint64(p[0]), uint64(p[1])}
	}
	return *(*[2]uint64)(v.Addr().UnsafePointer())
}

func setComplexBits(v reflect.Value, parts [2]uint64) {
	if v.Kind() == reflect.Complex64 {
		*(*[2]uint32)(v.Addr().UnsafePointer()) = [2]uint32{uint32(parts[0]), uint32(parts[1])}
		return
	}
	*(*[2]uint64)(v.Addr().UnsafePointer()) = parts
}

// decimalWords gives the four words of a decimal.
func decimalWords(v reflect.Value) *[4]uint32 { return (*[4]uint32)(v.Addr().UnsafePointer()) }

func validDecimal(words *[4]uint32) bool {
	flags := words[3]
	return flags&^(1<<31|0xff<<16) == 0 && flags>>16&0xff <= 28
}

// Times.

const (
	unixZero     = -62135596800 // 0001-01-01 in Unix seconds
	ticksPerUnit = 10_000_000
	ticksEnd     = 3155378975999999999 // 9999-12-31T23:59:59.9999999
)

// timeForm gives the form of a time.
func timeForm(o options, newLife bool) string {
	switch {
	case o.leaf.time != "":
		return o.leaf.time
	case newLife:
		return "newlife"
	}
	return "full"
}

func (w *writer) time(v reflect.Value, o options, newLife bool) {
	t := v.Convert(timeType).Interface().(time.Time)
	form := timeForm(o, newLife)
	switch form {
	case "full":
		w.fixed(uint64(t.Unix()), 8, o.leaf.be)
		w.fixed(uint64(t.Nanosecond()), 4, o.leaf.be)
	case "newlife", "unix":
		n := t.Unix()
		switch {
		case t.IsZero():
			n = 0
		case n < 0 || n > math.MaxUint32 || n == 0 && form == "unix" || n == math.MaxUint32 && form == "newlife":
			refuse("%v has no form as seconds", t)
		}
		w.fixed(uint64(n), 4, o.leaf.be)
	case "unixmilli", "unixnano":
		w.fixed(uint64(sinceUnix(t, form)), 8, o.leaf.be)
	case "ticks":
		w.fixed(ticksOf(t), 8, o.leaf.be)
	}
}

// sinceUnix gives a time in units since 1970.
func sinceUnix(t time.Time, form string) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	n, back := t.UnixMilli(), time.UnixMilli(t.UnixMilli())
	if form == "unixnano" {
		n, back = t.UnixNano(), time.Unix(0, t.UnixNano())
	}
	if n == math.MinInt64 || back.Unix() != t.Unix() {
		refuse("%v does not fit", t)
	}
	return n
}

func ticksOf(t time.Time) uint64 {
	if t.IsZero() && t.Location() != time.Local {
		return 0
	}
	seconds := t.Unix() - unixZero
	if seconds < 0 || seconds > ticksEnd/ticksPerUnit {
		refuse("%v does not fit", t)
	}
	ticks := uint64(seconds)*ticksPerUnit + uint64(t.Nanosecond()/100)
	kind := uint64(1)
	if t.Location() == time.Local {
		kind = 2
	}
	return kind<<62 | ticks
}

func (r *reader) time(v reflect.Value, o options, newLife bool) {
	var t time.Time
	switch form := timeForm(o, newLife); form {
	case "full":
		seconds, nanos := int64(r.fixed(8, o.leaf.be)), r.fixed(4, o.leaf.be)
		if nanos > 999_999_999 {
			refuse("%d nanoseconds", nanos)
		}
		t = time.Unix(seconds, int64(nanos)).UTC()
	case "newlife", "unix":
		n := r.fixed(4, o.leaf.be)
		if n == math.MaxUint32 && form == "newlife" {
			refuse("a time that was too late for its form")
		}
		if n > 0 {
			t = time.Unix(int64(n), 0).UTC()
		}
	case "unixmilli":
		if n := int64(r.fixed(8, o.leaf.be)); n != math.MinInt64 {
			t = time.UnixMilli(n).UTC()
		}
	case "unixnano":
		if n := int64(r.fixed(8, o.leaf.be)); n != math.MinInt64 {
			t = time.Unix(0, n).UTC()
		}
	case "ticks":
		n := r.fixed(8, o.leaf.be)
		ticks := n & (1<<62 - 1)
		if ticks > ticksEnd {
			refuse("%d ticks", ticks)
		}
		t = time.Unix(unixZero+int64(ticks/ticksPerUnit), int64(ticks%ticksPerUnit)*100).UTC()
	}
	v.Set(reflect.ValueOf(t).Convert(v.Type()))
}
