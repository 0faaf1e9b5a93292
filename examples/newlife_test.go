package examples_test

import (
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/examples/newlife"
	"github.com/spanwire/spanwire/span"
)

// reading was recorded as "simple"; NewLife wrote it as simpleHex.
var reading = newlife.Reading{
	ID: 42, Name: "NewLife", IsActive: true,
	CreatedAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Score: 99.5,
}

const simpleHex = "2a000000074e65774c69666501808574670000000000e05840"

// TestNewlifeRecorded holds the generated code against bytes that NewLife.Core wrote.
func TestNewlifeRecorded(t *testing.T) {
	same(t, "simple", &reading, simpleHex)
	same(t, "simple-cjk", &newlife.Reading{
		ID: -1, Name: "新生命团队", CreatedAt: time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC), Score: -0.001,
	}, "ffffffff0fe696b0e7949fe591bde59ba2e9989f0000000080fca9f1d24d6250bf")
	same(t, "nested", &newlife.Device{ID: 1, Title: "Hello World", Last: &reading, Timestamp: 1735689600},
		"010000000b48656c6c6f20576f726c64"+simpleHex+"8085746700000000")
	same(t, "nested-tail", &newlife.Tail{ID: 7, Last: &reading}, "07000000"+simpleHex)
	same(t, "nested-tail-null", &newlife.Tail{ID: 7}, "07000000")
	same(t, "enums", &newlife.Enums{C: 200, S: -5, L: 1<<64 - 1, H: -2}, "c8fbfffffffffffffffffffffffeff")
}

// TestNewlifeScalars has no recording of its own: each member is recorded alone.
func TestNewlifeScalars(t *testing.T) {
	id, err := span.ParseGUID("6f9619ff-8b86-d011-b42d-00c04fc964ff")
	if err != nil {
		t.Fatal(err)
	}
	price, err := span.ParseDecimal("1234567890.0987654321")
	if err != nil {
		t.Fatal(err)
	}
	sold := time.Date(2001, 9, 9, 1, 46, 40, 0, time.UTC)
	same(t, "money", &newlife.Money{ID: id, Price: price, Unit: 'é', Sold: &sold},
		"ff19966f868b11d0b42d00c04fc964ff"+"b17067dc8ca954ab0000000000000a00"+"e9"+"01"+"00ca9a3b")
}

func same(t *testing.T, name string, v generated, want string) {
	t.Helper()
	b, err := v.AppendSpan(nil)
	if got := hex.EncodeToString(b); err != nil || got != want {
		t.Errorf("%s: wrote %s, %v\n want %s", name, got, err, want)
	}
	back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	if err := span.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%s: read %+v, %v\n want %+v", name, back, err, v)
	}
}

// TestNewlifeMissingTail reads what an older program wrote, which had fewer members.
func TestNewlifeMissingTail(t *testing.T) {
	full, err := hex.DecodeString(simpleHex)
	if err != nil {
		t.Fatal(err)
	}
	used := reading
	if err := span.Unmarshal(full[:12], &used); err != nil {
		t.Fatal(err)
	}
	if want := (newlife.Reading{ID: 42, Name: "NewLife"}); used != want {
		t.Errorf("read %+v, want %+v", used, want)
	}
	if err := (span.Options{Strict: true}).Unmarshal(full[:13], &used); err == nil {
		t.Error("Strict accepts a missing tail")
	}
	if err := span.Unmarshal(full[:15], &used); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut inside a member: %v", err)
	}
}

// TestNewlifeNilInside shows why a nil class member is refused where something follows:
// a reader would take the bytes behind it for the member.
func TestNewlifeNilInside(t *testing.T) {
	d := newlife.Device{ID: 1, Title: "no reading", Timestamp: 2}
	if b, err := d.AppendSpan(nil); err == nil {
		t.Errorf("wrote %x", b)
	}
	if _, err := (span.Options{Compat: true}).Marshal(&d); err != nil {
		t.Errorf("Compat writes what NewLife does: %v", err)
	}
}

// TestNewlifeSwitches shows the switches of NewLife's SpanWriter.
func TestNewlifeSwitches(t *testing.T) {
	e := newlife.Enums{C: 1, S: 2, L: 3, H: 4}
	for want, opts := range map[string]span.Options{
		"01" + "02000000" + "0300000000000000" + "0400": {},
		"01" + "00000002" + "0000000000000003" + "0004": {BigEndian: true},
		"01" + "02" + "03" + "04":                       {EncodeInt: true},
	} {
		b, err := opts.Marshal(&e)
		if got := hex.EncodeToString(b); err != nil || got != want {
			t.Errorf("%+v: %s, %v; want %s", opts, got, err, want)
		}
		var back newlife.Enums
		if err := opts.Unmarshal(b, &back); err != nil || back != e {
			t.Errorf("%+v: read %+v, %v", opts, back, err)
		}
	}
}
