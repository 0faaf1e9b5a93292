package examples_test

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/examples/generics"
	"github.com/spanwire/spanwire/span"
)

// TestGenericsInstances writes and reads different instances of one declaration.
func TestGenericsInstances(t *testing.T) {
	roundTrip(t, &generics.Range[int32]{From: 1, To: -2}, []byte{1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF})
	roundTrip(t, &generics.Range[int64]{From: 1}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	roundTrip(t, &generics.Range[generics.Celsius]{To: 2}, []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40})
	roundTrip(t, &generics.Tree[string, bool]{Key: "a", Value: true, Kids: []*generics.Tree[string, bool]{nil, {Key: "b"}}},
		[]byte{1, 'a', 1, 2, 0, 1, 1, 'b', 0, 0})
	roundTrip(t, &generics.Tree[[2]uint8, generics.Range[int32]]{Key: [2]uint8{1, 2}}, []byte{1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0})
}

// spelled is Forecast without generic types.
type spelled struct {
	Place string
	Day   struct{ From, To float64 }
	Hours []struct{ From, To int32 }
	Rain  struct{ Value *struct{ From, To float64 } }
	Times map[string]struct{ Value *time.Time }
	Areas *area
}

type area struct {
	Key   string
	Value float64
	Kids  []*area
}

// TestGenericsSpelledOut compares with the same struct without generic types, by
// reflection.
func TestGenericsSpelledOut(t *testing.T) {
	now := time.Unix(1_700_000_000, 5).UTC()
	f := generics.Forecast{
		Place: "Turin",
		Day:   generics.Range[generics.Celsius]{From: 3.5, To: 11},
		Hours: []generics.Range[int32]{{From: 8, To: 12}, {From: 14, To: 20}},
		Rain:  generics.Optional[generics.Range[float64]]{Value: &generics.Range[float64]{To: 0.25}},
		Times: map[string]generics.Optional[time.Time]{"sunset": {Value: &now}},
		Areas: &generics.Tree[string, generics.Celsius]{Key: "centre", Value: 4, Kids: []*generics.Tree[string, generics.Celsius]{{Key: "hill", Value: 2}}},
	}
	s := spelled{
		Place: "Turin",
		Day:   struct{ From, To float64 }{From: 3.5, To: 11},
		Hours: []struct{ From, To int32 }{{From: 8, To: 12}, {From: 14, To: 20}},
		Rain:  struct{ Value *struct{ From, To float64 } }{Value: &struct{ From, To float64 }{To: 0.25}},
		Times: map[string]struct{ Value *time.Time }{"sunset": {Value: &now}},
		Areas: &area{Key: "centre", Value: 4, Kids: []*area{{Key: "hill", Value: 2}}},
	}
	want, err := span.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, &f, want)
}

func roundTrip(t *testing.T, v generated, want []byte) {
	t.Helper()
	b, err := v.AppendSpan(nil)
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("%T: wrote %x, %v\n want %x", v, b, err, want)
	}
	back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	if err := span.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%T: read %+v, %v\n want %+v", v, back, err, v)
	}
}
