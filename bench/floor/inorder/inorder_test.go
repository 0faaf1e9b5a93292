package inorder

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/bench/floor/model"
)

var names = []string{"", "NewLife", strings.Repeat("x", 127), strings.Repeat("y", 128), strings.Repeat("z", 20000)}
var times = []time.Time{{}, time.Unix(0, 5).UTC(), time.Date(2025, 1, 1, 0, 0, 0, 7, time.UTC), time.Date(1700, 1, 1, 0, 0, 0, 0, time.UTC)}

// check writes v, reads it back with every reader, and wants an error for every shorter input.
func check[T any](t *testing.T, v *T, enc func([]byte, *T) ([]byte, error), readers ...func([]byte, *T) (int, error)) {
	t.Helper()
	b, err := enc(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range readers {
		var out T
		if k, err := read(b, &out); err != nil || k != len(b) || !reflect.DeepEqual(*v, out) {
			t.Fatalf("read %d of %d bytes, %v", k, len(b), err)
		}
		for i := 0; i < len(b) && len(b) < 5000; i++ {
			if _, err := read(b[:i:i], &out); err == nil {
				t.Fatalf("accepted %d of %d bytes", i, len(b))
			}
		}
	}
}

func whole[T any](f func([]byte, *T) error) func([]byte, *T) (int, error) {
	return func(b []byte, v *T) (int, error) { return len(b), f(b, v) }
}

func TestRoundTrip(t *testing.T) {
	for _, name := range names {
		for _, at := range times {
			s := model.Simple{ID: -3, Name: name, IsActive: true, CreatedAt: at, Score: 1.5}
			check(t, &s, AppendSimple, ReadSimple, ReadSimpleCopy)
			check(t, &model.Small{Name: name, BirthDay: at, Phone: name + "p", Siblings: 4, Spouse: true, Money: 2},
				AppendSmall, ReadSmall, ReadSmallCopy, ReadSmallShared)
			check(t, &model.Nested{ID: 1, Title: name, Inner: s, Timestamp: 77},
				AppendNested, ReadNested, ReadNestedCopy, ReadNestedShared)
		}
	}
	check(t, model.NewRich(), AppendRich, whole(ReadRich), whole(ReadRichShared))
	check(t, model.NewBatch(), AppendBatch, whole(ReadBatch), whole(ReadBatchCopy), whole(ReadBatchShared))
	if _, err := AppendSimple(nil, &model.Simple{CreatedAt: time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)}); err != ErrTime {
		t.Fatal(err)
	}
}
