package emit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/internal/test/randomtypes"
)

// TestRandomTypes generates for random types, compiles what comes of it, and holds
// generated code, the plan - with and without package unsafe - and a codec that
// shares no code with them against each other. A full run has types of its own each
// time; SPANWIRE_SEED repeats one.
func TestRandomTypes(t *testing.T) {
	test.Long(t)                        // compiles what it makes
	seed := uint64(test.Count(0, 1, 0)) // CI says the same of the same code
	if seed == 0 {
		seed = rand.Uint64() >> 32
	}
	if text := os.Getenv("SPANWIRE_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		seed = n
	}
	t.Logf("SPANWIRE_SEED=%d", seed)
	const most = 25 // types of a package
	files := map[string]string{}
	add := func(seed uint64, n int) {
		name := fmt.Sprintf("p%d", len(files)/2)
		p := randomtypes.New(name, seed, n)
		files[name+"/types.go"] = p.Source
		files[name+"/types_test.go"] = checks(name, p.Types, seed)
	}
	for _, found := range []uint64{309, 4087666857, 4087666868, 1867086512} { // faults, once
		add(found, most)
	}
	for n := test.Count(0, 250, 1000); n > 0; n -= most {
		add(seed, min(n, most))
		seed++
	}
	dir := moduleOf(t, "github.com/spanwire/spanwire/randomtypes", files)
	r, err := gen.Generate(context.Background(), gen.Config{
		Load: load.Config{Dir: dir, Patterns: []string{"./..."}, Env: environ()},
		Emit: emit.File, Guard: emit.Guard,
	})
	require.NoError(t, err)
	for _, d := range r.Diagnostics {
		t.Error(d.Format(dir))
	}
	for _, f := range r.Files {
		require.NoError(t, os.WriteFile(f.Path, f.New, 0o666))
	}
	if t.Failed() {
		return
	}
	goRun(t, dir, "vet", "./...")
	goRun(t, dir, "test", "./...")
	goRun(t, dir, "test", "-tags=purego", "./...")
}

// checks is a test of types.
func checks(name string, types []string, seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	for _, path := range []string{"math/big", "net/netip", "net/url", "testing", "time"} {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	for _, path := range []string{"internal/test/randomtypes/lib", "internal/test/wirecheck", "span"} {
		fmt.Fprintf(&b, "\t%q\n", "github.com/spanwire/spanwire/"+path)
	}
	b.WriteString(")\n\nvar (\n\t_ big.Int\n\t_ netip.Addr\n\t_ url.URL\n\t_ time.Time\n\t_ span.GUID\n\t_ lib.Point\n)\n\nfunc TestTypes(t *testing.T) {\n")
	for _, x := range types {
		base, _, _ := strings.Cut(x, "[")
		fmt.Fprintf(&b, "\tt.Run(%q, func(t *testing.T) { wirecheck.Type[%s](t, %d) })\n", base, x, seed)
	}
	b.WriteString("}\n")
	return b.String()
}

// goRun runs the go command in a module.
func goRun(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, shorten(out))
	}
}
