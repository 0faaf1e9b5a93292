// Package linker_test builds programs and looks at what the linker has kept.
package linker_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	// So that a change of them runs the tests again.
	_ "github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/test"
	_ "github.com/spanwire/spanwire/rpc"
	_ "github.com/spanwire/spanwire/span"
)

const method = "NobodyCallsThisMethod"

// TestUnusedMethods: importing a package of the module does not stop the linker
// from dropping exported methods that nothing calls. One lookup by an index, or
// by a name that is not a constant, keeps all of them.
func TestUnusedMethods(t *testing.T) {
	const here = "github.com/spanwire/spanwire/"
	for _, row := range []struct {
		name, imports, use string
		kept               bool
	}{
		{"a lookup by index", `"reflect"`, `println(reflect.TypeOf(v).Method(len(os.Args)).Name)`, true},
		{"encoding/json", `"encoding/json"`, `json.Marshal(v); json.Unmarshal(nil, &v)`, false},
		{"span", `"` + here + `span"`, `span.Marshal(v); span.Unmarshal(nil, &v)`, false},
		{"binary", `"` + here + `binary"`, `binary.Marshal(v); binary.Unmarshal(nil, &v)`, false},
		{"rpc", `"context"; "` + here + `rpc"`, `
			x := new(rpc.Mux)
			rpc.Handle(x, "v", func(ctx context.Context, v V) (V, error) { return v, nil })
			(&rpc.Server{Handler: x}).Serve(nil)
			new(rpc.Client).Invoke(context.Background(), "v", v, &v)`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.name != "span" && row.name != "encoding/json" {
				test.Long(t)
			}
			source := "package main\nimport (\"os\"; " + row.imports + ")\ntype V struct{ A []int32 }\nfunc (V) " + method +
				"() string { return os.Args[0] }\nfunc main() {\nv := V{}\n" + row.use + "\n}\n"
			require.Equal(t, row.kept, bytes.Contains(build(t, source), []byte("V."+method)))
		})
	}
}

// build returns the program that a source file becomes.
func build(t *testing.T, source string) []byte {
	t.Helper()
	dir := t.TempDir()
	main, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(main, []byte(source), 0o600))
	out, err := exec.Command("go", "build", "-o", program, main).CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(program)
	require.NoError(t, err)
	return b
}
