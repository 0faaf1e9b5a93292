package examples_test

import (
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/examples/evolution"
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

func TestEvolutionOptional(t *testing.T) {
	used := evolution.UserV2{Mail: "left over", Roles: []string{"left over"}}
	convert(t, &evolution.UserV1{Name: "Ada", Age: 36}, &used)
	if used.Name != "Ada" || used.Age != 36 || used.Mail != "" || len(used.Roles) > 0 {
		t.Errorf("a new program reads an old message as %+v", used)
	}
	b, err := span.Marshal(&evolution.UserV2{Name: "Ada", Mail: "a@b"})
	if err != nil {
		t.Fatal(err)
	}
	// Without a length in front an old program can't tell what is too much.
	if err := span.Unmarshal(b, new(evolution.UserV1)); err == nil {
		t.Error("trailing bytes are accepted")
	}
	// A message may end before an optional field, not within one.
	for n := range b {
		err := span.Unmarshal(b[:n], new(evolution.UserV2))
		if boundary := n == 5 || n == 9; (err == nil) != boundary || !boundary && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

func TestEvolutionSized(t *testing.T) {
	v1 := evolution.PathV1{ID: 1, Points: []evolution.PointV1{{X: 1, Y: 2}, {X: 3, Y: 4}}, Owner: evolution.UserV1{Name: "Ada", Age: 36}, Closed: true}
	v2 := evolution.PathV2{
		ID: 1, Points: []evolution.PointV2{{X: 1, Y: 2, Z: 9, Label: "a"}, {X: 3, Y: 4, Label: "b"}},
		Owner: evolution.UserV2{Name: "Ada", Age: 36, Mail: "a@b", Roles: []string{"x"}}, Closed: true,
	}
	var old evolution.PathV1
	convert(t, &v2, &old)
	if !reflect.DeepEqual(old, v1) {
		t.Errorf("an old program reads a new message as %+v", old)
	}
	used := v2
	convert(t, &v1, &used)
	want := evolution.PathV2{
		ID: 1, Points: []evolution.PointV2{{X: 1, Y: 2}, {X: 3, Y: 4}}, Owner: evolution.UserV2{Name: "Ada", Age: 36}, Closed: true,
	}
	if used.Owner.Roles = nil; !reflect.DeepEqual(used, want) {
		t.Errorf("a new program reads an old message as %+v", used)
	}
}

func TestEvolutionBytes(t *testing.T) {
	for want, v := range map[string]any{
		"03416461" + "24":                              &evolution.UserV1{Name: "Ada", Age: 36},
		"03416461" + "24" + "00" + "00":                &evolution.UserV2{Name: "Ada", Age: 36},
		"04" + "01000200":                              &evolution.PointV1{X: 1, Y: 2},
		"08" + "010002000300" + "0178":                 &evolution.PointV2{X: 1, Y: 2, Z: 3, Label: "x"},
		"07000000" + "00" + "05" + "0341646124" + "01": &evolution.PathV1{ID: 7, Owner: evolution.UserV1{Name: "Ada", Age: 36}, Closed: true},
	} {
		b, err := span.Marshal(v)
		if got := hex.EncodeToString(b); err != nil || got != want {
			t.Errorf("%+v: %s, %v; want %s", v, got, err, want)
		}
	}
}
