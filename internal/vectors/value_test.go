package vectors

import (
	"encoding/json"
	"math"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// all has a member for every form of value.
type all struct {
	Flag   bool
	Small  int16
	Wide   uint64
	Single float32
	Double float64
	Text   string
	Raw    []byte
	Four   [4]byte
	When   time.Time
	Took   time.Duration
	Letter span.Char
	Id     span.GUID
	Price  span.Decimal
	Addr   netip.Addr
	Maybe  *int64
	Inner  *models.Point
	Self   *all
	Ints   []int32
	Items  []*models.Point
	Counts map[string]int32
	Names  map[int32]string
	Mixed  []any
}

func decode(t *testing.T, to any, text string) error {
	t.Helper()
	v, err := anyJSON(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	d := Decoder{New: func(name string) any {
		if name == "Int32" {
			return new(int32)
		}
		return models.New(name)
	}}
	return d.Value(to, v)
}

func TestDecoder(t *testing.T) {
	recordedZone(t)
	var got all
	err := decode(t, &got, `{"Flag":true,"Small":"-300","Wide":"18446744073709551615","Single":"0x7fa00001",
		"Double":"0xbff8000000000000","Text":"新\u0000","Raw":"00ff","Four":"01020304",
		"When":"2025-01-01T08:00:00.1234567Z","Took":"-15","Letter":"20013",
		"Id":"00112233-4455-6677-8899-aabbccddeeff","Price":"-1.10","Addr":"127.0.0.1","Maybe":"5",
		"Inner":{"X":"1","Y":"-2"},"Self":"<self>","Ints":["1","2"],
		"Items":[{"type":"Point","value":{"X":"3","Y":"4"}},null],
		"Counts":[["a","1"],["b","2"]],"Names":[["7","seven"]],
		"Mixed":[{"type":"Int32","value":"9"},{"type":"Point","value":{"X":"5","Y":"6"}},null]}`)
	if err != nil {
		t.Fatal(err)
	}
	five := int64(5)
	price, _ := span.ParseDecimal("-1.10")
	id, _ := span.ParseGUID("00112233-4455-6677-8899-aabbccddeeff")
	if got.Self != &got {
		t.Errorf("<self> is %p, want %p", got.Self, &got)
	}
	got.Self = nil
	want := all{
		Flag: true, Small: -300, Wide: math.MaxUint64, Single: math.Float32frombits(0x7fa00001), Double: -1.5,
		Text: "新\x00", Raw: []byte{0, 255}, Four: [4]byte{1, 2, 3, 4},
		When: time.Date(2025, 1, 1, 8, 0, 0, 123456700, time.UTC), Took: -1500, Letter: 20013,
		Id: id, Price: price, Addr: netip.MustParseAddr("127.0.0.1"), Maybe: &five,
		Inner: &models.Point{X: 1, Y: -2}, Ints: []int32{1, 2},
		Items:  []*models.Point{{X: 3, Y: 4}, nil},
		Counts: map[string]int32{"a": 1, "b": 2}, Names: map[int32]string{7: "seven"},
		Mixed: []any{int32(9), &models.Point{X: 5, Y: 6}, nil},
	}
	if got.Addr != want.Addr {
		t.Errorf("address %v", got.Addr)
	}
	got.Addr, want.Addr = netip.Addr{}, netip.Addr{}
	if d := Differ(&got, &want); d != "" {
		t.Error(d)
	}
}

func TestDecoderKinds(t *testing.T) {
	recordedZone(t)
	instant := time.Date(2025, 6, 1, 12, 30, 0, 0, time.UTC)
	for text, loc := range map[string]*time.Location{
		"2025-06-01T12:30:00.0000000Z": time.UTC,
		"2025-06-01T12:30:00.0000000L": time.Local,
		"2025-06-01T12:30:00.0000000":  span.Unspecified(),
	} {
		got, err := parseTime(text)
		if err != nil || !got.Equal(instant) || got.Location() != loc {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if got, err := parseTime("0001-01-01T00:00:00.0000000"); err != nil || !reflect.DeepEqual(got, time.Time{}) {
		t.Errorf("zero is %v, %v", got, err)
	}
}

func TestDecoderErrors(t *testing.T) {
	for _, text := range []string{
		`{"Nope":"1"}`, `{"_":{}}`, `{"Flag":"1"}`, `{"Flag":null}`, `{"Small":"32768"}`, `{"Small":1.5}`, `{"Small":null}`,
		`{"Single":"1.5"}`, `{"Single":"0x1234567890"}`, `{"Text":true}`, `{"Raw":"0"}`, `{"Four":"00"}`, `{"When":"2025"}`,
		`{"Took":"9223372036854775807"}`, `{"Id":"x"}`, `{"Price":"1e100"}`, `{"Inner":"1"}`, `{"Inner":{"Z":"1"}}`,
		`{"Ints":{}}`, `{"Ints":["x"]}`, `{"Items":[{"type":"Text","value":{}}]}`, `{"Counts":[["a"]]}`,
		`{"Mixed":[{"type":"Nope","value":null}]}`, `{"Mixed":["1"]}`, `[]`, `"x"`,
	} {
		if err := decode(t, new(all), text); err == nil {
			t.Errorf("%s is no error", text)
		}
	}
}

func TestDiffer(t *testing.T) {
	negative, zero := span.Decimal{}.Neg(), span.Decimal{}
	if d := Differ(&models.DecimalModel{D: negative}, &models.DecimalModel{D: zero}); d != "" {
		t.Error(d)
	}
	if d := Differ(&models.Text{A: "\xffA\xfe"}, &models.Text{A: "\ufffdA\ufffd"}); d != "" {
		t.Error(d)
	}
	one := int32(1)
	for _, pair := range [][2]any{
		{&models.Text{A: "a"}, &models.Text{A: "b"}},
		{&models.BytesModel{Data: []byte{1}}, &models.BytesModel{}},
		{&models.Scalars{F32: float32(math.Copysign(0, -1))}, &models.Scalars{}},
		{&models.NullableScalars{I32: &one}, &models.NullableScalars{}},
		{&models.Nested{Inner: &models.Simple{Id: 1}}, &models.Nested{Inner: &models.Simple{}}},
		{&models.Times{T: time.Unix(1, 0).UTC()}, &models.Times{T: time.Unix(1, 0).In(span.Unspecified())}},
		{&models.Derived{BaseModel: models.BaseModel{BaseId: 1}}, &models.Derived{}},
		{&all{Counts: map[string]int32{"a": 1}}, &all{Counts: map[string]int32{"a": 2}}},
		{&all{Mixed: []any{int32(1)}}, &all{Mixed: []any{int64(1)}}},
	} {
		if Differ(pair[0], pair[1]) == "" {
			t.Errorf("%+v and %+v do not differ", pair[0], pair[1])
		}
	}
}

func TestValidUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"a":                "a",
		"\xff\xfe":         "\ufffd\ufffd",
		"\xe4\xbd":         "\ufffd",             // cut short
		"\xe4\xbda":        "\ufffda",            // a character that is not completed
		"\xed\xa0\x80":     "\ufffd\ufffd\ufffd", // a surrogate: its second byte fits nothing
		"\xc0\x80":         "\ufffd\ufffd",       // overlong
		"\xf0\x80\x80\x80": "\ufffd\ufffd\ufffd\ufffd",
		"\xf0\x9f\x98z":    "\ufffdz",
		"\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd",
	} {
		if got := validUTF8(in); got != want {
			t.Errorf("%x decodes as %+q, want %+q", in, got, want)
		}
	}
}

func TestHostile(t *testing.T) {
	tests := []struct {
		model any
		bytes string
		o     span.Options
		want  bool
	}{
		{new(models.BytesModel), "\xff\xff\xff\xff\x0f\x01", span.Options{}, true},
		{new(models.BytesModel), "\x01\x00\x01", span.Options{}, false},
		{new(models.BytesModel), "", span.Options{}, false},
		{new(models.Text), "\x80\x80\x80\x80\x10", span.Options{}, true},
		{new(models.Text), "\x85\x80\x00hello\x07\x00\x00\x00\x00", span.Options{}, false},
		{new(models.Text), "\x01a\xff\xff\xff\xff\x80\x80\x80\x80\x80\x00", span.Options{}, true},
		{new(models.Simple), "\x2a\x00\x00\x00\x80\x80\x80\x80\x08", span.Options{}, true},
		{new(models.Switches), "\xff\xff\x04", span.Options{EncodeInt: true}, true},
		{new(models.Switches), "\xff\xff\x03", span.Options{EncodeInt: true}, false},
		{new(models.Switches), "\xff\xff\x04", span.Options{}, false},
		{new(models.NullableScalars), "\x02\x01\x00", span.Options{}, false},
	}
	for _, tt := range tests {
		if got := Hostile(tt.model, []byte(tt.bytes), tt.o); got != tt.want {
			t.Errorf("%T %x: %t, want %t", tt.model, tt.bytes, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		`x`, `{"name":"a"}`, `{"name":"a","model":"Text","hex":"00"}`, `{"model":"Text","value":{},"hex":"00"}`,
		`{"name":"a","model":"Text","value":{},"hex":"0"}`, `{"name":"a","model":"Text","value":{},"hex":"00","error":"X"}`,
		`{"name":"a","model":"Text","op":"WriteArray(bytes,n)","value":{},"hex":"00"}`,
		`{"name":"a","model":"Text","decode":true,"hex":"00"}`, `{"name":"a","model":"Text","decode":true,"value":{}}`,
		`{"name":"a","model":"Text","decode":true,"hex":"00","value":{},"readBytes":"2"}`,
		`{"name":"a","model":"Text","value":{},"hex":"00","extra":1}`, `{"name":"a","model":"Text","value":{},"hex":"00"} {}`,
		`{"name":"a","model":"Text","value":{},"hex":"00","options":{"IsLittleEndian":true}}`,
		"{\"name\":\"a\",\"model\":\"Text\",\"value\":{},\"hex\":\"00\"}\n{\"name\":\"a\",\"model\":\"Text\",\"value\":{},\"hex\":\"00\"}",
	} {
		lines := Parse("test", []byte(text))
		if last := lines[len(lines)-1]; last.Bad == nil {
			t.Errorf("%s is no error", text)
		}
	}
}
