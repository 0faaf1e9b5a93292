package legacy

import (
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// faults is what NewLife does wrong with a value, told from the value and the
// options alone.
type faults struct {
	refused  []error // by default writing is one of these errors
	repaired bool    // by default other bytes are written, which read back
	shifted  bool    // NewLife's own bytes lack some: what is behind is misread
	unread   bool    // NewLife's own bytes have no meaning by default
	lost     bool    // nor under Compat: they do not say what they hold
	switched bool    // a value that writes itself has the switches, NewLife reads it without
	nullTime bool    // a Nullable zero time, which NewLife reads as null
	writable bool    // NewLife fails for a reason that is not ours
	anything bool    // a list of anything, which is write-only
	units    bool    // NewLife trims bytes off fixed text of wider characters

	o       binary.Options
	own     bool // inside a value that writes itself
	pending bool // a nil object that nothing has followed yet
}

// faultsOf looks at a model, a pointer to a struct.
func faultsOf(model any, o binary.Options) *faults {
	f := &faults{o: o}
	if self(reflect.ValueOf(model)) {
		f.own, f.switched = true, o.EncodeInt || o.FullTime
	}
	f.object(reflect.ValueOf(model).Elem())
	return f
}

// self reports a pointer to a value that writes itself through a span.Writer
// with methods written by hand.
func self(v reflect.Value) bool {
	_, ok := v.Interface().(span.Serializable)
	name := v.Type().Elem().Name()
	return ok && (name == "Fast" || name == "Switches")
}

func (f *faults) refuse(err error) {
	f.refused = append(f.refused, err)
}

// bytes notes that something is written.
func (f *faults) bytes() {
	if f.pending {
		f.refuse(binary.ErrNil)
		f.shifted = true
	}
}

// object looks at the members of a struct.
func (f *faults) object(v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		sf := t.Field(i)
		if !sf.IsExported() || slices.Contains(f.o.IgnoreMembers, sf.Name) {
			continue
		}
		if size, ref, offset := f.size(sf); size != 0 || ref != "" {
			f.sized(v, v.Field(i), size, ref, offset)
			f.bytes()
			continue
		}
		if strings.Contains(sf.Tag.Get("binary"), "fixed=") || sf.Tag.Get("binary") == "rest" {
			size, _ := strconv.Atoi(strings.TrimPrefix(sf.Tag.Get("binary"), "fixed="))
			if b := f.text(v.Field(i).String()); size > 0 && len(b) > size {
				f.refuse(binary.ErrRange)
			}
			f.units = f.units || size > 0 && len(f.text("\x00")) > 1
			f.bytes()
			continue
		}
		f.value(v.Field(i), f.width(sf))
	}
}

// size gives the FieldSize attribute in force: a number of bytes, or the name of
// a member and what is added to it.
func (f *faults) size(sf reflect.StructField) (size int, ref string, offset int64) {
	if !f.o.UseFieldSize {
		return 0, "", 0
	}
	for group := range strings.SplitSeq(sf.Tag.Get("binary"), ";") {
		size, ref, offset, version := 0, "", int64(0), ""
		for part := range strings.SplitSeq(group, ",") {
			name, value, _ := strings.Cut(part, "=")
			switch name {
			case "size":
				size, _ = strconv.Atoi(value)
			case "ref":
				ref = value
			case "offset":
				offset, _ = strconv.ParseInt(value, 10, 64)
			case "version":
				version = value
			}
		}
		if (size != 0 || ref != "") && (version == "" || version == f.o.Version) {
			return size, ref, offset
		}
	}
	return 0, "", 0
}

// width gives the width of a member's length.
func (f *faults) width(sf reflect.StructField) int {
	if text, ok := strings.CutPrefix(sf.Tag.Get("binary"), "width="); ok && f.o.UseFieldSize {
		width, _ := strconv.Atoi(text)
		return width
	}
	return f.o.SizeWidth
}

// sized looks at a member whose length is fixed or in another member.
func (f *faults) sized(object, v reflect.Value, size int, ref string, offset int64) {
	n := v.Len()
	if v.Kind() == reflect.String {
		n = len(f.text(v.String()))
	}
	null := n == 0 && (v.Kind() == reflect.String || v.IsNil())
	switch {
	case size > 0 && n > size:
		f.refuse(binary.ErrRange)
	case size > 0 && null && v.Kind() != reflect.String:
		f.repaired, f.shifted = true, true
	case ref != "" && null:
		if f.referred(object, ref) != -offset {
			f.repaired, f.shifted = true, true
		}
	}
}

// referred gives the number that a dotted path leads to.
func (f *faults) referred(object reflect.Value, ref string) int64 {
	target := object
	for name := range strings.SplitSeq(ref, ".") {
		target = reflect.Indirect(target).FieldByName(name)
	}
	if target.CanInt() {
		return target.Int()
	}
	return int64(target.Uint())
}

// text gives the bytes of a string, and notes characters that the encoding
// lacks.
func (f *faults) text(s string) []byte {
	if f.o.Encoding == nil {
		return []byte(s)
	}
	b, err := f.o.Encoding.AppendText(nil, s)
	if err != nil {
		f.refuse(binary.ErrRange)
	}
	return b
}

// length checks a length against its width.
func (f *faults) length(n, width int) {
	f.bytes()
	if width == 1 && n > math.MaxUint8 || width == 2 && n > math.MaxInt16 {
		f.refuse(binary.ErrRange)
		f.lost = true
	}
}

// value looks at any value.
func (f *faults) value(v reflect.Value, width int) {
	switch x := v.Interface().(type) {
	case time.Time:
		f.time(x)
		return
	case span.GUID, span.Decimal, binary.Date, binary.TimeOfDay:
		f.bytes()
		return
	case binary.Chars:
		f.repaired = f.repaired || x != ""
		f.length(len(f.text(string(x))), width)
		return
	case *netip.Addr, *netip.AddrPort:
		f.repaired, f.lost = true, true
		f.bytes()
		return
	case binary.DateTimeOffset, time.Duration:
		f.repaired, f.unread = true, true
		f.bytes()
		return
	}
	switch v.Kind() {
	case reflect.String:
		f.length(len(f.text(v.String())), width)
	case reflect.Int8:
		f.writable = f.writable || v.Int() < 0
		f.bytes()
	case reflect.Slice:
		f.list(v, width)
	case reflect.Map:
		if v.IsNil() {
			f.repaired, f.lost = true, true
		}
		f.length(v.Len(), width)
		for iter := v.MapRange(); iter.Next(); {
			f.value(iter.Key(), f.o.SizeWidth)
			if !f.none(iter.Value()) {
				f.value(iter.Value(), f.o.SizeWidth)
			}
		}
	case reflect.Pointer:
		f.pointer(v)
	case reflect.Struct:
		f.object(v)
	default:
		f.bytes()
	}
}

func (f *faults) list(v reflect.Value, width int) {
	f.length(v.Len(), width)
	f.anything = f.anything || v.Type().Elem().Kind() == reflect.Interface && v.Len() > 0
	for i := range v.Len() {
		elem := v.Index(i)
		if f.none(elem) {
			continue
		}
		if elem.Kind() == reflect.Interface {
			elem = elem.Elem()
		}
		f.value(elem, f.o.SizeWidth)
	}
}

// none reports an element, or a value of a map, that is null: NewLife writes
// nothing for it. By default only the mark of an object takes its place.
func (f *faults) none(v reflect.Value) bool {
	if k := v.Kind(); k != reflect.Pointer && k != reflect.Interface || !v.IsNil() {
		return false
	}
	f.shifted = true
	if f.o.UseRef && v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct {
		f.repaired = true
	} else {
		f.refuse(binary.ErrNil)
	}
	return true
}

func (f *faults) pointer(v reflect.Value) {
	if v.Type() == reflect.TypeFor[*string]() {
		f.value(v.Elem(), f.o.SizeWidth)
		return
	}
	if v.Type().Elem().Kind() != reflect.Struct || v.Type() == reflect.TypeFor[*time.Time]() || v.Type() == reflect.TypeFor[*span.Decimal]() {
		f.bytes()
		switch x := v.Interface().(type) {
		case *span.GUID:
			if x != nil {
				f.repaired, f.unread = true, true
			}
		case *time.Time:
			f.nullTime = f.nullTime || x != nil && (x.IsZero() || !f.o.FullTime && x.Unix() <= 0)
			if x != nil {
				f.time(*x)
			}
		}
		return
	}
	switch {
	case v.IsNil() && f.o.UseRef:
		f.bytes()
	case v.IsNil():
		f.pending = true
	case self(v):
		f.switched = f.switched || f.o.EncodeInt || f.o.FullTime
		own := f.own
		f.own = true
		f.object(v.Elem())
		f.own = own
	case v.Type() != reflect.TypeFor[*Cyclic](): // which may contain itself
		f.object(v.Elem())
	}
}

func (f *faults) time(t time.Time) {
	f.bytes()
	if f.o.FullTime || t.IsZero() {
		return
	}
	if sec := t.Unix(); sec < 0 || sec >= math.MaxUint32 {
		f.refuse(binary.ErrRange)
		f.lost = f.lost || f.own // a span.Writer's seconds are the nearest there are
	}
	if t.Location() == time.Local {
		f.repaired = true
	}
}
