package png

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/binary"
)

// chunks reads a file.
func chunks(t *testing.T, file []byte) (all []*Chunk) {
	t.Helper()
	for c, err := range Read(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// files gives real files: one of this package's own, and those that come with
// the Go distribution where it is complete.
func files(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	root, _ := exec.Command("go", "env", "GOROOT").Output()
	paths, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/image/png/testdata/pngsuite/*.png"))
	for _, path := range append(paths, "testdata/dot.png") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = b
	}
	return all
}

func TestRealFiles(t *testing.T) {
	for name, file := range files(t) {
		all := chunks(t, file)
		var h Header
		if err := binary.Unmarshal(all[0].Data, &h, binary.Options{Strict: true}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		config, err := stdpng.DecodeConfig(bytes.NewReader(file))
		if err != nil || int(h.Width) != config.Width || int(h.Height) != config.Height {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
		var out bytes.Buffer
		if err := Write(&out, all); err != nil || !bytes.Equal(out.Bytes(), file[:out.Len()]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChanged(t *testing.T) {
	for name, file := range files(t) {
		for i := range min(len(file), 300) {
			bad := bytes.Clone(file)
			bad[i] ^= 0x55
			ok := true
			for _, err := range Read(bytes.NewReader(bad)) {
				ok = ok && err == nil
			}
			if ok {
				t.Errorf("%s: a changed byte %d is accepted", name, i)
			}
		}
		for n := range min(len(file)-1, 300) {
			last := error(nil)
			for _, err := range Read(bytes.NewReader(file[:n])) {
				last = err
			}
			if !errors.Is(last, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %d bytes: %v", name, n, last)
			}
		}
	}
}

func TestAddText(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	img.SetGray(1, 1, color.Gray{Y: 200})
	var in, out bytes.Buffer
	if err := stdpng.Encode(&in, img); err != nil {
		t.Fatal(err)
	}
	all := chunks(t, in.Bytes())
	text, err := New("tEXt", &Text{Keyword: "Comment", Text: []byte("a dot")})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all[:1:1], append([]*Chunk{text}, all[1:]...)...)
	if err := Write(&out, all); err != nil {
		t.Fatal(err)
	}
	back, err := stdpng.Decode(&out)
	if err != nil || back.(*image.Gray).GrayAt(1, 1).Y != 200 {
		t.Errorf("%v", err)
	}
	var got Text
	if err := binary.Unmarshal(text.Data, &got); err != nil || got.Keyword != "Comment" || string(got.Text) != "a dot" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := New("toolong", &got); err == nil {
		t.Error("a type of seven letters is accepted")
	}
}
