package output

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	old, gone, fresh := filepath.Join(dir, "old.go"), filepath.Join(dir, "gone.go"), filepath.Join(dir, "fresh.go")
	write(t, old, "a longer text")
	write(t, gone, "x")
	if err := os.Chmod(old, 0o600); err != nil {
		t.Fatal(err)
	}
	files := []File{{old, []byte("new")}, {gone, nil}, {fresh, []byte("")}, {filepath.Join(dir, "never"), nil}}
	if err := Write(context.Background(), files); err != nil {
		t.Fatal(err)
	}
	if got := read(t, old); got != "new" {
		t.Errorf("old.go: %q", got)
	}
	if info, err := os.Stat(old); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("old.go: %v, %v", info.Mode(), err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"fresh.go", "old.go"}) {
		t.Error(got)
	}
}

// TestNothingWritten has one file that can't be written: the others stay as
// they are, and nothing is left over.
func TestNothingWritten(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "first.go")
	write(t, first, "old")
	files := []File{{first, []byte("new")}, {filepath.Join(dir, "missing", "b.go"), []byte("b")}}
	if err := Write(context.Background(), files); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if got := read(t, first); got != "old" {
		t.Errorf("first.go: %q", got)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Error(got)
	}
}

func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Write(ctx, []File{{filepath.Join(dir, "a.go"), []byte("a")}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Error(got)
	}
}

// TestDirectoryInTheWay fails when renaming.
func TestDirectoryInTheWay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Write(context.Background(), []File{{path, []byte("a")}}); err == nil {
		t.Error("no error")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.go"}) {
		t.Error(got)
	}
}

func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.go"), filepath.Join(dir, "link.go")
	write(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Write(context.Background(), []File{{link, []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || read(t, target) != "new" {
		t.Errorf("%v, %v, %q", info, err, read(t, target))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
