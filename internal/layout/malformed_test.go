package layout_test

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

// TestMalformedTags holds tags that go vet refuses against both feeds: the
// structs are built, not declared.
func TestMalformedTags(t *testing.T) {
	for _, test := range []struct {
		tag  string
		want string // the problem, or the tag's effect
	}{
		{`span: "-"`, "bad"},
		{`span:-`, "bad"},
		{`span:"-`, "bad"},
		{`json:"a",span:"-"`, "bad"},
		{`json:"a"span:"-"`, "bad"},
		{"json:\"a\"\tspan:\"-\"", "bad"},
		{"span:\"-\"\r", "bad"},
		{`span:"-" json`, "bad"},
		{`lifespan:x`, "bad"}, // the text contains the key
		{`span:"varint" span:"varint"`, "twice"},
		{`span:"-" span:""`, "twice"},
		{`json:a`, "kept"},
		{`json`, "kept"},
		{`"`, "kept"},
		{`json:"a",xml:"b"`, "kept"},
		{`span:"-"`, "skipped"},
		{` span:"-" `, "skipped"},
		{`span:"" json:"-"`, "kept"},
	} {
		got := outcome(layout.Compile(fromreflect.Feed{}, reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[uint8](), Tag: reflect.StructTag(test.tag)},
		})))
		feed := fromtypes.New()
		field := types.NewField(0, nil, "A", types.Typ[types.Uint8], false)
		again := outcome(layout.Compile(feed, feed.Ref(types.NewStruct([]*types.Var{field}, []string{test.tag}))))
		if got != again {
			t.Errorf("%q: by reflection\n%s\nfrom go/types\n%s", test.tag, got, again)
		}
		ok := false
		switch test.want {
		case "bad":
			ok = got == fmt.Sprintf("struct.A: malformed struct tag %q; write key:\"value\" pairs separated by spaces, "+
				"such as `span:\"-\"` [tag-syntax, field 0, type uint8]\n", test.tag)
		case "twice":
			ok = strings.HasPrefix(got, "struct.A: the struct tag has the key span more than once; "+
				"put all options in one value, separated by commas [tag-duplicate")
		case "kept":
			ok = strings.Contains(got, "(int uint8")
		case "skipped":
			ok = strings.Contains(got, "least=0") && !strings.Contains(got, "(int uint8")
		}
		if !ok {
			t.Errorf("%q: want it %s, got\n%s", test.tag, test.want, got)
		}
	}
}
