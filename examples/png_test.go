package examples_test

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
	"github.com/spanwire/spanwire/examples/png"
)

// pngChunks reads a file.
func pngChunks(t *testing.T, file []byte) (all []*png.Chunk) {
	t.Helper()
	for c, err := range png.Read(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// pngFiles gives real files: one of the example's own, and those that come with
// the Go distribution where it is complete.
func pngFiles(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	root, _ := exec.Command("go", "env", "GOROOT").Output()
	paths, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/image/png/testdata/pngsuite/*.png"))
	for _, path := range append(paths, "png/testdata/dot.png") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = b
	}
	return all
}

func TestPNGRealFiles(t *testing.T) {
	for name, file := range pngFiles(t) {
		all := pngChunks(t, file)
		var h png.Header
		if err := (binary.Options{Strict: true}).Unmarshal(all[0].Data, &h); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		config, err := stdpng.DecodeConfig(bytes.NewReader(file))
		if err != nil || int(h.Width) != config.Width || int(h.Height) != config.Height {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
		var out bytes.Buffer
		if err := png.Write(&out, all); err != nil || !bytes.Equal(out.Bytes(), file[:out.Len()]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPNGChanged(t *testing.T) {
	for name, file := range pngFiles(t) {
		for i := range min(len(file), 300) {
			bad := bytes.Clone(file)
			bad[i] ^= 0x55
			ok := true
			for _, err := range png.Read(bytes.NewReader(bad)) {
				ok = ok && err == nil
			}
			if ok {
				t.Errorf("%s: a changed byte %d is accepted", name, i)
			}
		}
		for n := range min(len(file)-1, 300) {
			last := error(nil)
			for _, err := range png.Read(bytes.NewReader(file[:n])) {
				last = err
			}
			if !errors.Is(last, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %d bytes: %v", name, n, last)
			}
		}
	}
}

func TestPNGAddText(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	img.SetGray(1, 1, color.Gray{Y: 200})
	var in, out bytes.Buffer
	if err := stdpng.Encode(&in, img); err != nil {
		t.Fatal(err)
	}
	all := pngChunks(t, in.Bytes())
	text, err := png.New("tEXt", &png.Text{Keyword: "Comment", Text: []byte("a dot")})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all[:1:1], append([]*png.Chunk{text}, all[1:]...)...)
	if err := png.Write(&out, all); err != nil {
		t.Fatal(err)
	}
	back, err := stdpng.Decode(&out)
	if err != nil || back.(*image.Gray).GrayAt(1, 1).Y != 200 {
		t.Errorf("%v", err)
	}
	var got png.Text
	if err := binary.Unmarshal(text.Data, &got); err != nil || got.Keyword != "Comment" || string(got.Text) != "a dot" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := png.New("toolong", &got); err == nil {
		t.Error("a type of seven letters is accepted")
	}
}
