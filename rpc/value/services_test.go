package value

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// The services of the recordings, as far as arguments and results go.

type Color int32

const (
	Red Color = iota
	Green
	Blue
)

func (c Color) String() string {
	if c < Red || c > Blue {
		return strconv.Itoa(int(c))
	}
	return [...]string{"Red", "Green", "Blue"}[c]
}

type User struct {
	Id         int32
	Name       *string
	Score      float64
	Enable     bool
	CreateTime time.Time
	Color      Color
	Tags       []string
	Friend     *User
}

func (u *User) show() string {
	if u == nil {
		return "(null)"
	}
	tags := "(null)"
	if u.Tags != nil {
		tags = strings.Join(u.Tags, "|")
	}
	friend := "(null)"
	if u.Friend != nil {
		friend = "{" + u.Friend.show() + "}"
	}
	score := string(dotnet.AppendFloat(nil, u.Score, 64))
	return fmt.Sprintf("Id=%d Name=%s Score=%s Enable=%s CreateTime=%s Color=%v Tags=%s Friend=%s", u.Id, orNull(u.Name), score,
		dotnet.AppendBool(nil, u.Enable), u.CreateTime.Format(textLayout), u.Color, tags, friend)
}

func orNull(s *string) string {
	if s == nil {
		return "(null)"
	}
	return *s
}

// GUID is 16 bytes in the order of the text.
type GUID [16]byte

func (g GUID) MarshalText() ([]byte, error) {
	h := hex.EncodeToString(g[:])
	return []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
}

func (g *GUID) UnmarshalText(s []byte) error {
	b, err := hex.DecodeString(strings.ReplaceAll(string(s), "-", ""))
	if err == nil && len(b) != 16 {
		err = errors.New("not 16 bytes")
	}
	copy(g[:], b)
	return err
}

var guid = GUID{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0}

// offsetTime is .NET's DateTimeOffset.
type offsetTime struct{ time.Time }

func (o offsetTime) MarshalJSON() ([]byte, error) {
	return []byte(o.Format(`"2006-01-02T15:04:05.0000000-07:00"`)), nil
}

// Acc writes itself.
type Acc struct {
	Id   int32
	Name string
}

func (a *Acc) AppendRaw(b []byte) ([]byte, error) {
	return append(binary.LittleEndian.AppendUint32(b, uint32(a.Id)), a.Name...), nil
}

func (a *Acc) ReadRaw(data []byte) error {
	if len(data) < 4 {
		return errors.New("id cut")
	}
	a.Id, a.Name = int32(binary.LittleEndian.Uint32(data)), string(data[4:])
	return nil
}

type Spn struct {
	Id   int32
	Name string
}

func str(s string) *string { return &s }

func plain(y, m, d, h, min, s, ms int) time.Time {
	return time.Date(y, time.Month(m), d, h, min, s, ms*1e6, Unspecified())
}

func utc(t time.Time) time.Time { return time.Unix(t.Unix(), 0).UTC() }

var date = plain(2024, 2, 3, 4, 5, 6, 789)

var stone = &User{Id: 1, Name: str("Stone"), Score: 99.5, Enable: true, CreateTime: date, Color: Green, Tags: []string{"x", "y"},
	Friend: &User{Id: 2, Name: str("中文")}}

var pair = []*User{{Id: 1}, {Id: 2, Name: str("B")}}

const odd = "q\"b\\s/n\nr\rt\tb\bf\fu\x01d\x7f"

// constants are what the Value actions return.
var constants = map[string]any{
	"Str": "hello", "StrQuoted": `"quoted"`, "StrJson": `{"a":1}`, "StrCjk": "中文😀", "StrEmpty": "", "StrNull": nil, "Void": nil,
	"TaskVoid": struct{}{}, "TaskInt": int32(7), "TaskNull": (*string)(nil), "Int": 42, "IntZero": int32(0), "IntNeg": int32(-1 << 31),
	"Long": int64(1<<63 - 1), "Byte": uint8(255), "ULong": uint64(1<<64 - 1), "Double": 3.14159, "DoubleBig": 1e300, "DoubleSmall": 1.5e-7,
	"DoubleInt": 100.0, "DoubleNaN": nan(), "Single": float32(0.1), "Decimal": json.Number("123.4500"), "True": true, "False": false,
	"Char": "x", "Date": date, "DateUtc": utc(date), "DateOnly": plain(2024, 2, 3, 0, 0, 0, 0), "DateMin": time.Time{},
	"DateOffset": offsetTime{time.Date(2024, 2, 3, 4, 5, 6, 789e6, time.FixedZone("", 8*3600))},
	"Span":       26*time.Hour + 3*time.Minute + 4*time.Second + 5*time.Millisecond, "Guid": guid, "Enum": Blue, "IntNull": (*int32)(nil),
	"Bytes": []byte{1, 2, 3, 255}, "BytesEmpty": []byte{}, "Pk": Packet{9, 8, 7},
	"Ints": []int32{1, 2, 3}, "IntsEmpty": []int32{}, "Strs": []*string{str("a"), nil, str("")},
	"User": stone, "UserEmpty": &User{}, "Users": pair, "Dict": Object{{"a", 1}, {"B", "x"}, {"none", nil}, {"list", []int{1}}},
	"Escapes": struct{ S string }{odd + "e中😀<>&'"}, "Deep": deep(7), "Ex": errors.New("returned not thrown"),
	"Nested": struct {
		Name      string
		When, Utc time.Time
		Id2       GUID
		Color     Color
		Zero      Color
		Zeroes    struct{} `json:"-"`
		Null      *string
		No        bool
		Data      []byte
		Span      time.Duration
		D         float64
		F         float32
		M         json.Number
		L         int64
		C         string
		Sub       any
		Dic       map[string]string
		Min       time.Time
	}{Name: "Stone", When: date, Utc: utc(date), Id2: guid, Color: Green, Data: []byte{1, 2, 3}, Span: time.Hour + 2*time.Minute + 3*time.Second,
		D: 1.5, F: 0.1, M: "1.50", L: 9007199254740993, C: "x", Sub: struct {
			A int
			B []int
		}{1, []int{1, 0}}, Dic: map[string]string{"k": "v"}},
}

func nan() float64 { return 0 / zero }

var zero float64

// deep nests n objects with member C.
func deep(n int) any {
	if n == 0 {
		return nil
	}
	return struct{ C any }{deep(n - 1)}
}

// call runs an action of the recordings on data.
func call(d Dialect, action string, data []byte) (any, error) {
	if v, ok := strings.CutPrefix(action, "Value/"); ok {
		c, ok := constants[v]
		if !ok {
			return nil, errUnknown
		}
		return c, nil
	}
	f, ok := actions[action]
	if !ok {
		return nil, errUnknown
	}
	return f(func(ps ...Param) error { return d.Bind(data, ps...) })
}

var errUnknown = errors.New("unknown action")

// arg makes an action of one parameter.
func arg[T any](name string, show func(T) string) action {
	return func(bind binder) (any, error) {
		var v T
		if err := bind(Param{name, &v}); err != nil {
			return nil, err
		}
		return show(v), nil
	}
}

type (
	binder = func(...Param) error
	action = func(binder) (any, error)
)

func quote(s *string) string {
	if s == nil {
		return "(null)"
	}
	return "'" + *s + "'"
}

func clockText(t time.Time) string {
	kind := "Unspecified"
	switch {
	case t.IsZero():
	case t.Location() == time.UTC:
		kind = "Utc"
	case t.Location() == time.Local:
		kind = "Local"
	}
	return t.Format("2006-01-02 15:04:05.000 ") + kind
}

func list[T any](v []T, show func(T) string) string {
	if v == nil {
		return "(null)"
	}
	var out []string
	for _, e := range v {
		out = append(out, show(e))
	}
	return "[" + strings.Join(out, ",") + "]"
}

func showInt(n int32) string { return strconv.Itoa(int(n)) }

func showAny(v any) string {
	switch v := v.(type) {
	case string:
		return quote(&v)
	case Object:
		var out []string
		for _, m := range v {
			out = append(out, m.Name+"="+showAny(m.Value))
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	return fmt.Sprint(v)
}

var actions = map[string]action{
	"Test/Echo": func(bind binder) (any, error) {
		var msg *string
		err := bind(Param{"msg", &msg})
		return msg, err
	},
	"Test/Add": func(bind binder) (any, error) {
		var a, b int32
		err := bind(Param{"a", &a}, Param{"b", &b})
		return a + b, err
	},
	"Arg/Int":  arg("v", func(v int32) string { return fmt.Sprint("int ", v) }),
	"Arg/Long": arg("v", func(v int64) string { return fmt.Sprint("long ", v) }),
	"Arg/Dbl":  arg("v", func(v float64) string { return "double " + string(dotnet.AppendFloat(nil, v, 64)) }),
	"Arg/Bool": arg("v", func(v bool) string { return "bool " + string(dotnet.AppendBool(nil, v)) }),
	"Arg/Date": arg("v", func(v time.Time) string { return "date " + clockText(v) }),
	"Arg/Str":  arg("v", func(v *string) string { return "string " + quote(v) }),
	"Arg/Gid":  arg("v", func(v GUID) string { s, _ := v.MarshalText(); return "guid " + string(s) }),
	"Arg/Enm":  arg("v", func(v Color) string { return "enum " + v.String() }),
	"Arg/NInt": arg("v", func(v *int32) string {
		if v == nil {
			return "int? (null)"
		}
		return "int? " + showInt(*v)
	}),
	"Arg/Usr":  arg("user", func(v *User) string { return "user " + v.show() }),
	"Arg/Dic":  arg("d", func(v Object) string { return "dic " + showAny(v) }),
	"Arg/Ints": arg("v", func(v []int32) string { return "int[] " + list(v, showInt) }),
	"Arg/Strs": arg("v", func(v []string) string { return "list " + list(v, func(s string) string { return quote(&s) }) }),
	"Arg/Usrs": arg("v", func(v []*User) string { return "users " + list(v, (*User).show) }),
	"Arg/Obj": func(bind binder) (any, error) {
		var v any
		if err := bind(Param{"o", &v}); err != nil {
			return nil, err
		}
		if m, ok := v.(map[string]any); ok {
			o := Object{}
			for k, e := range m {
				o = append(o, Entry{k, e})
			}
			return "object NullableDictionary " + showAny(o), nil
		}
		return "object String " + showAny(v), nil
	},
	"Arg/Bytes": arg("data", func(v []byte) string { return "bytes:" + hex.EncodeToString(v) }),
	"Arg/None":  func(bind binder) (any, error) { return int32(1), bind() },
	"Arg/TwoUsr": func(bind binder) (any, error) {
		var a, b *User
		err := bind(Param{"a", &a}, Param{"b", &b})
		return "a " + a.show() + " ; b " + b.show(), err
	},
	"Arg/UsrAndInt": func(bind binder) (any, error) {
		var u *User
		var n int32
		err := bind(Param{"user", &u}, Param{"n", &n})
		return "user " + u.show() + " ; n " + showInt(n), err
	},
	"Arg/Def": func(bind binder) (any, error) {
		a, b, c := int32(0), int32(5), "dft"
		err := bind(Param{"a", &a}, Param{"b", &b}, Param{"c", &c})
		return fmt.Sprintf("a=%d b=%d c='%s'", a, b, c), err
	},
	"Arg/BytesAndInt": func(bind binder) (any, error) {
		var p []byte
		var n int32
		err := bind(Param{"data", &p}, Param{"n", &n})
		return fmt.Sprintf("bytes:%x n=%d", p, n), err
	},
	"Arg/PkAndInt": func(bind binder) (any, error) {
		var p Packet
		var n int32
		err := bind(Param{"pk", &p}, Param{"n", &n})
		return fmt.Sprintf("packet:%x n=%d", p, n), err
	},
	"Arg/All": func(bind binder) (any, error) {
		var a all
		err := bind(Param{"i", &a.I}, Param{"l", &a.L}, Param{"d", &a.D}, Param{"b", &a.B}, Param{"t", &a.T}, Param{"s", &a.S}, Param{"u", &a.U},
			Param{"arr", &a.Arr}, Param{"list", &a.List}, Param{"n", &a.N})
		n := "(null)"
		if a.N != nil {
			n = showInt(*a.N)
		}
		return fmt.Sprintf("i=%d l=%d d=%s b=%s t=%s s=%s u=(%s) arr=%s list=%s n=%s", a.I, a.L, dotnet.AppendFloat(nil, a.D, 64), dotnet.AppendBool(nil, a.B),
			clockText(a.T), quote(a.S), a.U.show(), list(a.Arr, showInt), list(a.List, func(s string) string { return quote(&s) }), n), err
	},
	"Pack/AccAcc": func(bind binder) (any, error) {
		var a Acc
		err := bind(Param{"acc", &a})
		return &Acc{a.Id + 1, a.Name + "!"}, err
	},
	"Pack/AccStr": arg("acc", func(a Acc) string { return fmt.Sprintf("%d:%s", a.Id, a.Name) }),
	"Pack/SpnSpn": func(bind binder) (any, error) {
		var s Spn
		err := bind(Param{"spn", &s})
		return Spn{s.Id + 1, s.Name + "!"}, err
	},
	"Pack/PkPk": func(bind binder) (any, error) {
		var p Packet
		err := bind(Param{"pk", &p})
		return p, err
	},
	"Pack/PkBytes": func(bind binder) (any, error) {
		var p Packet
		err := bind(Param{"pk", &p})
		return []byte(p), err
	},
	"Pack/PkInt": arg("pk", func(p Packet) string {
		if p == nil {
			return "-1"
		}
		return strconv.Itoa(len(p))
	}),
	"Pack/PkText": arg("pk", func(p Packet) string {
		if p == nil {
			return "(null)"
		}
		return "packet:" + hex.EncodeToString(p)
	}),
	"Safe/Say": arg("text", func(s string) string { return "safe " + s }),
}

// all has the parameters of Arg/All.
type all struct {
	I    int32     `json:"i"`
	L    int64     `json:"l"`
	D    float64   `json:"d"`
	B    bool      `json:"b"`
	T    time.Time `json:"t"`
	S    *string   `json:"s"`
	U    *User     `json:"u"`
	Arr  []int32   `json:"arr"`
	List []string  `json:"list"`
	N    *int32    `json:"n"`
}
