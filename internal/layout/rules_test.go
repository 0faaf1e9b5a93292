package layout_test

import (
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/corpus/other"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/span"
)

// fieldForm returns the form of a field of the type with the tag, in a struct
// of either profile, without what the analyses say; or the problems' codes.
func fieldForm(t *testing.T, typ reflect.Type, tag string, newLife bool) string {
	t.Helper()
	fields := []reflect.StructField{{Name: "V", Type: typ, Tag: reflect.StructTag(`span:"` + tag + `"`)}}
	if newLife {
		fields = append(fields, reflect.StructField{
			Name: "_", PkgPath: "example.com/m", Type: reflect.TypeFor[struct{}](), Tag: `span:"newlife"`,
		})
	}
	plan, problems := layout.Compile(fromreflect.Feed{}, reflect.StructOf(fields))
	if plan == nil {
		var codes []string
		for _, p := range problems {
			codes = append(codes, string(p.Code))
		}
		return strings.Join(codes, " ")
	}
	_, text, _ := strings.Cut(plan.String(), "\t0 V ")
	text, _, _ = strings.Cut(text[strings.Index(text, "("):], "\n")
	return analyses.ReplaceAllString(text, "$1")
}

// analyses matches a type's name or struct number, and what follows from the
// rest of a node.
var analyses = regexp.MustCompile(`(\([a-z]+) [^ ()]+(?: \{\})?| (?:least|least-switched|exactly)=\d+| (?:may-end-nil|structs|shares|cyclic|byte-array)\b`)

// TestForms is the table of the format description: what a field of each type
// is on the wire, in both profiles.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		typ     reflect.Type
		tag     string
		goForm  string
		newLife string // "" as goForm
	}{
		{reflect.TypeFor[bool](), "", "(bool)", "(bool lenient)"},
		{reflect.TypeFor[int8](), "", "(int size=1 signed)", ""},
		{reflect.TypeFor[uint8](), "", "(int size=1)", ""},
		{reflect.TypeFor[int16](), "", "(int size=2 signed)", "(int size=2 signed switched lenient)"},
		{reflect.TypeFor[uint64](), "", "(int size=8)", "(int size=8 switched lenient)"},
		{reflect.TypeFor[int](), "", "(int size=8 signed platform)", "(int size=8 signed platform switched lenient)"},
		{reflect.TypeFor[float32](), "", "(float size=4)", "(float size=4 switched)"},
		{reflect.TypeFor[complex128](), "", "(complex size=16)", "(complex size=16 switched)"},
		{reflect.TypeFor[string](), "", "(string)", "(string lenient)"},
		{reflect.TypeFor[[]byte](), "", "(bytes)", "(bytes lenient)"},
		{reflect.TypeFor[corpus.Raw](), "", "(bytes)", "(bytes lenient)"},
		{reflect.TypeFor[net.IP](), "", "(bytes)", "(bytes lenient)"},
		{reflect.TypeFor[[2]uint8](), "", "(array len=2 (int size=1))", ""},
		{reflect.TypeFor[[]int8](), "", "(slice (int size=1 signed))", "(slice lenient (int size=1 signed))"},
		{reflect.TypeFor[map[bool]string](), "", "(map (bool) (string))", "(map lenient (bool lenient) (string lenient))"},
		{reflect.TypeFor[corpus.Point](), "", "(struct)", ""},
		{reflect.TypeFor[*corpus.Point](), "", "(pointer (struct))", "(inline (struct))"},
		{reflect.TypeFor[*corpus.SelfInt](), "", "(pointer (self))", "(inline (self))"},
		{reflect.TypeFor[*url.URL](), "", "(pointer (binary))", "(pointer lenient (binary lenient))"},
		{reflect.TypeFor[*int8](), "", "(pointer (int size=1 signed))", "(pointer lenient (int size=1 signed))"},
		{reflect.TypeFor[**corpus.Point](), "", "(pointer (pointer (struct)))", "(pointer lenient (inline (struct)))"},
		{reflect.TypeFor[time.Time](), "", "(time full)", "(time seconds switched lenient)"},
		{reflect.TypeFor[corpus.StampT](), "", "(time full)", "(time seconds switched lenient)"},
		{reflect.TypeFor[*time.Time](), "", "(pointer (time full))", "(pointer lenient (time seconds switched lenient))"},
		{reflect.TypeFor[time.Duration](), "", "(int size=8 signed)", "(int size=8 signed switched lenient)"},
		{reflect.TypeFor[span.GUID](), "", "(guid)", ""},
		{reflect.TypeFor[span.Decimal](), "", "(decimal)", "(decimal switched lenient)"},
		{reflect.TypeFor[span.Char](), "", "(char)", ""},
		{reflect.TypeFor[corpus.SelfWriter](), "", "(self)", ""},
		{reflect.TypeFor[netip.Addr](), "", "(binary)", "(binary lenient)"},
		{reflect.TypeFor[corpus.TextOnly](), "", "(text)", "(text lenient)"},
		{reflect.TypeFor[corpus.TextInt](), "", "(int size=4 signed)", "(int size=4 signed switched lenient)"},
		{reflect.TypeFor[any](), "", "unsupported-type", ""},
		{reflect.TypeFor[map[*int]int](), "", "unsupported-key", ""},

		{reflect.TypeFor[int32](), "varint", "(int size=4 signed varint)", "(int size=4 signed varint lenient)"},
		{reflect.TypeFor[int32](), "zigzag", "(int size=4 signed zigzag)", "(int size=4 signed zigzag lenient)"},
		{reflect.TypeFor[int32](), "be", "(int size=4 signed be)", "(int size=4 signed be lenient)"},
		{reflect.TypeFor[int8](), "varint", "tag-target", ""},
		{reflect.TypeFor[uint32](), "zigzag", "tag-target", ""},
		{reflect.TypeFor[float64](), "be", "(float size=8 be)", ""},
		{reflect.TypeFor[map[int16]*[]int16](), "varint", "(map (int size=2 signed) (pointer (slice (int size=2 signed varint))))",
			"(map lenient (int size=2 signed switched lenient) (pointer lenient (slice lenient (int size=2 signed varint lenient))))"},
		{reflect.TypeFor[*[]string](), "len=2,nilable,max=9,utf8", "(pointer (slice prefix=2 max=9 nilable (string utf8)))",
			"(pointer lenient (slice lenient prefix=2 max=9 nilable (string lenient utf8)))"},
		{reflect.TypeFor[string](), "fixed=4", "(string fixed=4)", "(string lenient fixed=4)"},
		{reflect.TypeFor[[4]byte](), "fixed=4", "tag-target", ""},
		{reflect.TypeFor[time.Time](), "unix", "(time seconds)", "(time seconds lenient)"},
		{reflect.TypeFor[time.Time](), "unixmilli", "(time milli)", "(time milli lenient)"},
		{reflect.TypeFor[time.Time](), "unixnano", "(time nano)", "(time nano lenient)"},
		{reflect.TypeFor[time.Time](), "ticks", "(time ticks)", "(time ticks lenient)"},
		{reflect.TypeFor[time.Time](), "unixnano,varint", "(time varint nano)", "(time varint nano lenient)"},
		{reflect.TypeFor[time.Time](), "be", "(time be full)", "(time be seconds lenient)"},
		{reflect.TypeFor[time.Time](), "varint", "tag-target", "(time varint seconds lenient)"},
		{reflect.TypeFor[*corpus.Point](), "sized", "(pointer (sized (struct)))", "(inline (sized lenient (struct)))"},
		{reflect.TypeFor[corpus.Frame](), "", "(sized (struct))", ""},
		{reflect.TypeFor[*corpus.Point](), "shared", "(shared (struct))", "(shared lenient (struct))"},
		{reflect.TypeFor[corpus.Point](), "shared", "tag-target", ""},
		{reflect.TypeFor[corpus.TextInt](), "marshal", "(text)", "(text lenient)"},
		{reflect.TypeFor[time.Time](), "marshal", "(binary)", "(binary lenient)"},
		{reflect.TypeFor[corpus.Appender](), "fields", "(struct)", ""},
		{reflect.TypeFor[corpus.Point](), "marshal", "no-marshaler", ""},
		{reflect.TypeFor[corpus.Old](), "", "optional-nesting", ""},
		{reflect.TypeFor[corpus.EmbedsTime](), "", "(struct)", ""},
		{reflect.TypeFor[corpus.EmbedsAddr](), "", "ambiguous-methods", ""},
		{reflect.TypeFor[other.Quantity](), "", "(json)", "(json lenient)"},
		{reflect.TypeFor[other.Quantity](), "fields", "(struct)", ""},
		{reflect.TypeFor[*other.Quantity](), "len=1", "(pointer (json prefix=1))", "(pointer lenient (json lenient prefix=1))"},
		{reflect.TypeFor[other.Stateful](), "", "opaque-type", ""},
		{reflect.TypeFor[other.Stateful](), "fields", "(struct)", ""},
		{reflect.TypeFor[other.Guarded](), "", "(struct)", ""},
		{reflect.TypeFor[other.Fault](), "omit=Er", "omit-path unsupported-type unsupported-type unsupported-type unsupported-type unsupported-type unsupported-key", ""},
		{reflect.TypeFor[big.Float](), "", "(gob)", "(gob lenient)"},
		{reflect.TypeFor[big.Float](), "marshal=text", "(text)", "(text lenient)"},
		{reflect.TypeFor[corpus.TextInt](), "marshal=text", "(text)", "(text lenient)"},
		{reflect.TypeFor[corpus.TextInt](), "marshal=json", "no-marshaler", ""},
		{reflect.TypeFor[chan int](), "varint", "unsupported-type", ""},
		{reflect.TypeFor[chan int](), "varint,be,nosuch", "tag-unknown tag-conflict unsupported-type", ""},
	} {
		if got := fieldForm(t, test.typ, test.tag, false); got != test.goForm {
			t.Errorf("%v %q: got %s, want %s", test.typ, test.tag, got, test.goForm)
		}
		want := test.newLife
		if want == "" {
			want = test.goForm
		}
		if got := fieldForm(t, test.typ, test.tag, true); got != want {
			t.Errorf("%v %q in NewLife: got %s, want %s", test.typ, test.tag, got, want)
		}
	}
}
