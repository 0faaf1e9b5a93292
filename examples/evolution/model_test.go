package evolution

import (
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/span"
)

// convert writes one version and reads it as another, into a destination that
// has been used before.
func convert(t *testing.T, from, to any) {
	t.Helper()
	b, err := span.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := span.Unmarshal(b, to); err != nil {
		t.Fatalf("%x: %v", b, err)
	}
}

func TestOptional(t *testing.T) {
	used := UserV2{Mail: "left over", Roles: []string{"left over"}}
	convert(t, &UserV1{Name: "Ada", Age: 36}, &used)
	if used.Name != "Ada" || used.Age != 36 || used.Mail != "" || len(used.Roles) > 0 {
		t.Errorf("a new program reads an old message as %+v", used)
	}
	b, err := span.Marshal(&UserV2{Name: "Ada", Mail: "a@b"})
	if err != nil {
		t.Fatal(err)
	}
	// Without a length in front an old program can't tell what is too much.
	if err := span.Unmarshal(b, new(UserV1)); err == nil {
		t.Error("trailing bytes are accepted")
	}
	// A message may end before an optional field, not within one.
	for n := range b {
		err := span.Unmarshal(b[:n], new(UserV2))
		if boundary := n == 5 || n == 9; (err == nil) != boundary || !boundary && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

func TestSized(t *testing.T) {
	v1 := PathV1{ID: 1, Points: []PointV1{{X: 1, Y: 2}, {X: 3, Y: 4}}, Owner: UserV1{Name: "Ada", Age: 36}, Closed: true}
	v2 := PathV2{
		ID: 1, Points: []PointV2{{X: 1, Y: 2, Z: 9, Label: "a"}, {X: 3, Y: 4, Label: "b"}},
		Owner: UserV2{Name: "Ada", Age: 36, Mail: "a@b", Roles: []string{"x"}}, Closed: true,
	}
	var old PathV1
	convert(t, &v2, &old)
	if !reflect.DeepEqual(old, v1) {
		t.Errorf("an old program reads a new message as %+v", old)
	}
	used := v2
	convert(t, &v1, &used)
	want := PathV2{
		ID: 1, Points: []PointV2{{X: 1, Y: 2}, {X: 3, Y: 4}}, Owner: UserV2{Name: "Ada", Age: 36}, Closed: true,
	}
	if used.Owner.Roles = nil; !reflect.DeepEqual(used, want) {
		t.Errorf("a new program reads an old message as %+v", used)
	}
}

func TestBytes(t *testing.T) {
	for want, v := range map[string]any{
		"03416461" + "24":                              &UserV1{Name: "Ada", Age: 36},
		"03416461" + "24" + "00" + "00":                &UserV2{Name: "Ada", Age: 36},
		"04" + "01000200":                              &PointV1{X: 1, Y: 2},
		"08" + "010002000300" + "0178":                 &PointV2{X: 1, Y: 2, Z: 3, Label: "x"},
		"07000000" + "00" + "05" + "0341646124" + "01": &PathV1{ID: 7, Owner: UserV1{Name: "Ada", Age: 36}, Closed: true},
	} {
		b, err := span.Marshal(v)
		if got := hex.EncodeToString(b); err != nil || got != want {
			t.Errorf("%+v: %s, %v; want %s", v, got, err, want)
		}
	}
}
