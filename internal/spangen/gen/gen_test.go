package gen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// module makes a module of one package without dependencies.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.test/m\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func config(dir string, emit func(*model.Package, *model.File) ([]byte, error)) Config {
	return Config{
		Load: load.Config{Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")},
		Emit: emit,
	}
}

// echo renders what it was given.
func echo(p *model.Package, f *model.File) ([]byte, error) {
	var b strings.Builder
	b.WriteString(load.Header + "\n\npackage " + p.Name + "\n\n// " + f.Stem + " " + f.Constraint)
	for _, t := range f.Types {
		b.WriteString(" " + t.Name + "[" + strings.Join(t.Params, " ") + "]")
		for _, field := range t.Plan.Root.Struct.Fields {
			b.WriteString(" " + field.Name)
			if p.Generated(field.Node.Type) {
				b.WriteString("!")
			}
			b.WriteString(p.Constraint(field.Node.Type))
		}
	}
	return []byte(b.String()), nil
}

func TestModel(t *testing.T) {
	dir := module(t, map[string]string{
		"a.go":       "package m\n\n//span:generate\ntype A[K comparable, V any] struct { K K; B B; C *C; D D }\n",
		"b.go":       "package m\n\n//span:generate\ntype B struct { N uint8 }\n\ntype C struct { N uint8 }\n",
		"d.go":       "//go:build !never\n\npackage m\n\ntype D struct { N uint8 }\n\n//span:generate\ntype E struct { N uint8 }\n",
		"b_span.go":  load.Header + "\n\npackage m\n\nfunc (b *B) Old() {}\n",
		"x_span.go":  load.Header + "\n\npackage m\n\nfunc (b *X) Old() {}\n",
		"y_test.go":  "package m\n\n//span:generate\ntype Y struct { B B }\n",
		"z_test.go":  "package m_test\n\n//span:generate\ntype Z struct { N int }\n",
		"unused.txt": "",
	})
	r, err := Generate(context.Background(), config(dir, echo))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		t.Error(d.Format(dir))
	}
	want := []struct{ name, text string }{
		{"a_span.go", "// a  A[K V] K B! C D!never"},
		{"b_span.go", "// b  B[] N"},
		{"d_span.go", "// d !never E[] N"},
		{"x_span.go", ""},
		{"y_span_test.go", "// y_test  Y[] B!"},
		{"z_span_test.go", "// z_test  Z[] N"},
	}
	if len(r.Files) != len(want) || r.Types != 5 {
		t.Fatalf("%d files, %d types", len(r.Files), r.Types)
	}
	for i, w := range want {
		f := r.Files[i]
		if filepath.Base(f.Path) != w.name || !strings.HasSuffix(strings.TrimSpace(string(f.New)), w.text) || (f.New == nil) != (w.text == "") {
			t.Errorf("%s: %s; want %s: %s", filepath.Base(f.Path), f.New, w.name, w.text)
		}
		if (f.Old != nil) != (w.name == "b_span.go" || w.name == "x_span.go") || !f.Changed() {
			t.Errorf("%s: old %q, changed %v", w.name, f.Old, f.Changed())
		}
	}
}

// TestEmitterFaults has an emitter that fails: it is told, nothing is written.
func TestEmitterFaults(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package m\n\n//span:generate\ntype A struct { N uint8 }\n"})
	for _, emit := range []func(*model.Package, *model.File) ([]byte, error){
		func(*model.Package, *model.File) ([]byte, error) { panic("of the emitter") },
		func(*model.Package, *model.File) ([]byte, error) { return nil, errors.New("of the emitter") },
	} {
		r, err := Generate(context.Background(), config(dir, emit))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Files) > 0 || len(r.Diagnostics) != 1 || !strings.Contains(r.Diagnostics[0].Message, "of the emitter") {
			t.Errorf("%+v", r)
		}
	}
}

func TestCancelled(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package m\n\n//span:generate\ntype A struct { N uint8 }\n"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Generate(ctx, config(dir, echo)); !errors.Is(err, context.Canceled) {
		t.Errorf("before: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	emit := func(p *model.Package, f *model.File) ([]byte, error) {
		cancel()
		return echo(p, f)
	}
	if r, err := Generate(ctx, config(dir, emit)); err == nil && len(r.Files) == 0 {
		t.Errorf("while emitting: %+v", r)
	}
}
