package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// What is shown: the source of the structs, and the file that was generated for
// it when this program was made.
var (
	//go:embed model.go
	modelSource string
	//go:embed model_span.go
	modelSpan string
)

// showStruct prints the first struct of the model as its source has it.
func showStruct(w io.Writer) error {
	title(w, "1. A struct, with one line above it")
	source, err := between(modelSource, "//\n//span:generate\ntype Simple", "\n}\n")
	if err != nil {
		return err
	}
	fmt.Fprint(w, indent(strings.TrimPrefix(source, "//\n")))
	return nil
}

// showGenerated runs the generator on a copy of the model, and shows what it
// gives.
func showGenerated(ctx context.Context, w io.Writer) error {
	title(w, "2. go generate: the generator, run here and now on a copy of that package")
	begun := time.Now()
	output, err := generate(ctx, modelSource)
	if err != nil {
		return err
	}
	if output != modelSpan {
		return fmt.Errorf("what was generated is not what this program is built with: run go generate in %s", "examples/quickstart")
	}
	fmt.Fprintf(w, "model_span.go, %d lines in %v: SizeSpan, AppendSpan, WriteSpan and ReadSpan of each struct. One of them:\n\n",
		strings.Count(output, "\n"), time.Since(begun).Round(time.Millisecond))
	method, err := between(output, "// AppendSpan", "\n}\n")
	if err != nil {
		return err
	}
	fmt.Fprint(w, indent(method))
	fmt.Fprintln(w, "\nIt is, byte for byte, the file that this program is built with.")
	return nil
}

// generate writes source into a temporary package and returns the file that the
// generator makes for it.
func generate(ctx context.Context, source string) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/spanwire/spanwire").Output()
	if err != nil {
		return "", fmt.Errorf("looking for the module (run the tour inside it): %w", err)
	}
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := module(dir, strings.TrimSpace(string(root)), source); err != nil {
		return "", err
	}
	result, err := gen.Generate(ctx, gen.Config{
		Load: load.Config{Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "PWD="+dir, "GOFLAGS=-mod=mod", "GOWORK=off")},
		Emit: emit.File, Guard: emit.Guard,
	})
	if err != nil {
		return "", err
	}
	if len(result.Diagnostics) > 0 {
		return "", errors.New(result.Diagnostics[0].Format(dir))
	}
	if len(result.Files) != 1 {
		return "", fmt.Errorf("the generator gave %d files", len(result.Files))
	}
	return string(result.Files[0].New), nil
}

// module makes dir a module that uses the one at root.
func module(dir, root, source string) error {
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	mod := "module example.com/quickstart\n\ngo 1.26.0\n\nrequire github.com/spanwire/spanwire v0.0.0\n\nreplace github.com/spanwire/spanwire => " + fmt.Sprintf("%q", root) + "\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sums), "model.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// between returns the part of text from the first begin to the end after it,
// both included.
func between(text, begin, end string) (string, error) {
	i := strings.Index(text, begin)
	if i < 0 {
		return "", fmt.Errorf("%q is not there", begin)
	}
	j := strings.Index(text[i:], end)
	if j < 0 {
		return "", fmt.Errorf("%q is not there", end)
	}
	return text[i : i+j+len(end)], nil
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}
