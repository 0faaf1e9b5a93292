package binary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// randomizer makes random types with tags, and values that have a form.
type randomizer struct {
	*rand.Rand
	o binary.Options
}

func newRandomizer(seed uint64) *randomizer {
	r := &randomizer{Rand: rand.New(rand.NewPCG(seed, 1))}
	coin := func() bool { return r.IntN(2) == 0 }
	r.o = binary.Options{
		EncodeInt: coin(), LittleEndian: coin(), SizeWidth: []int{0, 1, 2, 4}[r.IntN(4)], UseFieldSize: coin(), FullTime: coin(),
		UseRef: r.IntN(4) == 0, TrimZero: coin(), Version: []string{"", "1", "2"}[r.IntN(3)], Deterministic: true, Strict: coin(),
	}
	if r.IntN(4) == 0 {
		r.o.Handlers = binary.DefaultHandlers()
	}
	if r.IntN(5) == 0 {
		r.o.IgnoreMembers = []string{"F1"}
	}
	return r
}

var scalarTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16](),
	reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[int](), reflect.TypeFor[uint](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[span.GUID](), reflect.TypeFor[span.Decimal](), reflect.TypeFor[span.Char](),
	reflect.TypeFor[binary.Chars](), reflect.TypeFor[binary.Date](), reflect.TypeFor[binary.TimeOfDay](), reflect.TypeFor[binary.DateTimeOffset](),
	reflect.TypeFor[netip.Addr](), reflect.TypeFor[netip.AddrPort](), reflect.TypeFor[time.Month](),
}

// typ gives a random type.
func (r *randomizer) typ(depth int) reflect.Type {
	if depth == 0 || r.IntN(3) > 0 {
		return scalarTypes[r.IntN(len(scalarTypes))]
	}
	switch r.IntN(6) {
	case 0:
		return reflect.SliceOf(r.typ(depth - 1))
	case 1:
		return reflect.ArrayOf(r.IntN(3), r.typ(depth-1))
	case 2:
		key := scalarTypes[r.IntN(14)]
		return reflect.MapOf(key, r.typ(depth-1))
	case 3:
		return reflect.PointerTo(r.typ(depth - 1))
	}
	return r.structure(depth - 1)
}

// structure gives a random struct.
func (r *randomizer) structure(depth int) reflect.Type {
	var fields []reflect.StructField
	add := func(t reflect.Type, tag string) {
		f := reflect.StructField{Name: fmt.Sprintf("F%d", len(fields)), Type: t}
		if tag != "" {
			f.Tag = reflect.StructTag(`binary:"` + tag + `"`)
		}
		fields = append(fields, f)
	}
	for range r.IntN(6) {
		r.field(depth, len(fields), add)
	}
	return reflect.StructOf(fields)
}

var text = reflect.TypeFor[string]()
var raw = reflect.TypeFor[[]byte]()

// field adds one random member, with what its tag needs before it.
func (r *randomizer) field(depth, i int, add func(reflect.Type, string)) {
	pick := func(types ...reflect.Type) reflect.Type { return types[r.IntN(len(types))] }
	switch r.IntN(20) {
	case 0:
		add(pick(text, raw), "fixed=9")
	case 1:
		add(pick(text, raw), "until=0")
	case 2:
		add(reflect.TypeFor[[]int16](), "until=-9")
	case 3:
		add(text, "bcd=3,pad=2")
	case 4:
		add(reflect.TypeFor[uint32](), "bcd=5")
	case 5:
		add(reflect.TypeFor[uint16](), []string{"be", "le"}[r.IntN(2)])
		add(pick(text, raw, reflect.TypeFor[[]int32]()), fmt.Sprintf("count=F%d,offset=-3", i))
	case 6:
		add(reflect.TypeFor[int](), "")
		add(pick(text, raw, reflect.TypeFor[[]string]()), fmt.Sprintf("ref=F%d,version=1;width=2,version=2", i))
	case 7:
		add(reflect.TypeFor[bool](), "bits=1")
		add(reflect.TypeFor[int16](), "bits=10")
		add(reflect.TypeFor[uint8](), "bits=5")
	case 8:
		add(reflect.TypeFor[uint64](), "bits=60,lsb")
		add(reflect.TypeFor[int8](), "bits=4,lsb")
	case 9:
		add(reflect.TypeFor[uint8](), "")
		add(r.typ(0), fmt.Sprintf("if=F%d.2", i))
	case 10:
		add(reflect.TypeFor[uint32](), "const=77,align=4")
	case 11:
		add(reflect.TypeFor[uint16](), "sum=crc16-modbus,le")
	case 12:
		add(pick(text, raw), "size=12")
	default:
		add(r.typ(depth), "")
	}
}

// fill sets v to a random value that has a form under the tag.
func (r *randomizer) fill(v reflect.Value, tag string) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = r.time()
		return
	case *time.Duration:
		*p = time.Duration(r.Int64N(math.MaxInt64/200)-math.MaxInt64/400) * 100
		return
	case *span.GUID:
		*p = span.GUIDFromUUID([16]byte{byte(r.IntN(256)), 1, 2, 15: byte(r.IntN(256))})
		return
	case *span.Decimal:
		*p, _ = span.NewDecimal(r.Int64(), r.IntN(29))
		return
	case *span.Char:
		*p = span.Char(r.IntN(256))
		return
	case *binary.Date:
		*p = binary.Date(r.IntN(3652059))
		return
	case *binary.TimeOfDay:
		*p = binary.TimeOfDay(r.Int64N(86400 * 10_000_000))
		return
	case *binary.DateTimeOffset:
		p.Time = r.time().In(time.FixedZone("", (r.IntN(29)-14)*3600))
		return
	case *netip.Addr:
		*p = r.addr()
		return
	case *netip.AddrPort:
		*p = netip.AddrPortFrom(r.addr(), uint16(r.IntN(1<<16)))
		return
	}
	r.fillKind(v, tag)
}

func (r *randomizer) time() time.Time {
	if r.IntN(5) == 0 {
		return time.Time{}
	}
	t := time.Unix(1+r.Int64N(math.MaxUint32-2), 0).UTC()
	if r.o.FullTime {
		t = t.Add(time.Duration(r.IntN(10_000_000)) * 100)
	}
	return t
}

func (r *randomizer) addr() netip.Addr {
	switch r.IntN(3) {
	case 0:
		return netip.AddrFrom4([4]byte{10, 0, 0, byte(r.IntN(256))})
	case 1:
		return netip.AddrFrom16([16]byte{0x20, 1, 15: byte(r.IntN(256))})
	}
	return netip.Addr{}
}

// word gives n random letters.
func (r *randomizer) word(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(26))
	}
	return string(b)
}

// length gives the length of a string or []byte with the tag.
func (r *randomizer) length(tag string) int {
	switch {
	case strings.Contains(tag, "size=12"):
		return 12
	case strings.Contains(tag, "fixed"):
		return r.IntN(10)
	case r.IntN(20) == 0:
		return 100 + r.IntN(100)
	}
	return r.IntN(6)
}

func (r *randomizer) fillKind(v reflect.Value, tag string) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()))
		if bits := v.Type().Bits(); strings.Contains(tag, "bits=10") {
			v.SetInt(int64(r.IntN(1024)) - 512)
		} else if strings.Contains(tag, "bits=4") {
			v.SetInt(int64(r.IntN(16)) - 8)
		} else if r.IntN(2) == 0 {
			v.SetInt(v.Int() >> (bits / 2))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
		switch {
		case strings.Contains(tag, "bits=60"):
			v.SetUint(v.Uint() >> 4)
		case strings.Contains(tag, "bits=5"):
			v.SetUint(v.Uint() & 31)
		case strings.Contains(tag, "const"):
			v.SetUint(uint64(r.IntN(2)) * 77)
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(r.NormFloat64())))
	case reflect.String:
		v.SetString(r.word(r.length(tag)))
		if strings.Contains(tag, "bcd") {
			v.SetString(fmt.Sprintf("%06d", r.IntN(1_000_000)))
		}
	case reflect.Slice:
		r.fillSlice(v, tag)
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i), "")
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.fill(k, "")
			r.fill(e, "")
			v.SetMapIndex(k, e)
		}
	case reflect.Pointer:
		if r.IntN(8) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem(), tag)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			r.fillField(v, i)
		}
	}
}

func (r *randomizer) fillSlice(v reflect.Value, tag string) {
	n := r.length(tag)
	if v.Type() == raw {
		v.SetBytes([]byte(r.word(n)))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), min(n, 12), min(n, 12)))
	for i := range v.Len() {
		r.fill(v.Index(i), "")
		if strings.Contains(tag, "until") && v.Index(i).Int() == -9 {
			v.Index(i).SetInt(1)
		}
	}
}

// fillField fills a member, unless its condition says that it is not there.
func (r *randomizer) fillField(v reflect.Value, i int) {
	tag := v.Type().Field(i).Tag.Get("binary")
	if strings.HasPrefix(tag, "if=") && v.Field(i-1).Uint()>>2&1 == 0 {
		return
	}
	r.fill(v.Field(i), tag)
}
