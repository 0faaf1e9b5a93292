package layout_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
)

// compareTexts holds the layout texts of both feeds against each other.
func compareTexts(t *testing.T, name string, one, two *layout.Plan) {
	t.Helper()
	if one.Text() != two.Text() {
		t.Errorf("%s: text by reflection\n%s\nfrom go/types\n%s", name, one.Text(), two.Text())
	}
	if one.Canonical() != two.Canonical() || one.Fingerprint() != two.Fingerprint() {
		t.Errorf("%s: canonical text by reflection\n%s\nfrom go/types\n%s", name, one.Canonical(), two.Canonical())
	}
}

// TestText holds the layout texts of the corpus against what was reviewed, and
// their fingerprints against those of earlier releases: a fingerprint that
// changes parts programs that speak the same bytes.
func TestText(t *testing.T) {
	c := layout.NewCompiler(fromreflect.Feed{})
	list := reflect.TypeFor[corpus.Valid]()
	var texts, prints strings.Builder
	for i := range list.NumField() {
		f := list.Field(i)
		p, problems := c.Compile(f.Type)
		require.Empty(t, problems, f.Name)
		fmt.Fprintf(&texts, "== %s\n%s-- canonical\n%s\n", f.Name, p.Text(), p.Canonical())
		fmt.Fprintf(&prints, "%016x %s\n", p.Fingerprint(), f.Name)
	}
	golden(t, "text", texts.String())
	golden(t, "fingerprints", prints.String())
}
