package rpc_test

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/spanwire/spanwire/rpc/value"
)

// constants are what the Value actions return.
var constants = map[string]any{
	"Str": "hello", "StrQuoted": `"quoted"`, "StrJson": `{"a":1}`, "StrCjk": "中文😀", "StrEmpty": "", "StrNull": nil, "Void": nil,
	"TaskVoid": struct{}{}, "TaskInt": int32(7), "TaskNull": (*string)(nil), "Int": 42, "IntZero": int32(0), "IntNeg": int32(-1 << 31),
	"Long": int64(1<<63 - 1), "Byte": uint8(255), "ULong": uint64(1<<64 - 1), "Double": 3.14159, "DoubleBig": 1e300, "DoubleSmall": 1.5e-7,
	"DoubleInt": 100.0, "DoubleNaN": nan(), "Single": float32(0.1), "Decimal": json.Number("123.4500"), "True": true, "False": false,
	"Char": "x", "Date": date, "DateUtc": utc(date), "DateOnly": plain(2024, 2, 3, 0, 0, 0, 0), "DateMin": time.Time{},
	"DateOffset": offsetTime{time.Date(2024, 2, 3, 4, 5, 6, 789e6, time.FixedZone("", 8*3600))},
	"Span":       26*time.Hour + 3*time.Minute + 4*time.Second + 5*time.Millisecond, "Guid": guid, "Enum": Blue, "IntNull": (*int32)(nil),
	"Bytes": []byte{1, 2, 3, 255}, "BytesEmpty": []byte{}, "Pk": value.Packet{9, 8, 7},
	"Ints": []int32{1, 2, 3}, "IntsEmpty": []int32{}, "Strs": []*string{str("a"), nil, str("")},
	"User": stone, "UserEmpty": &User{}, "Users": pair, "Dict": value.Object{{Name: "a", Value: 1}, {Name: "B", Value: "x"}, {Name: "none"}, {Name: "list", Value: []int{1}}},
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
