package floor

import (
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/spanwire/spanwire/bench/floor/inorder"
	"github.com/spanwire/spanwire/bench/floor/model"
)

var update = flag.Bool("update", false, "write the golden files of the root's testdata/floor")

// TestGolden holds the floor's bytes against the files that the root's
// generated_test.go holds the product's bytes against.
func TestGolden(t *testing.T) {
	batch := model.NewBatch()
	batch.Items = batch.Items[:10]
	rich := model.NewRich()
	rich.M = map[string]int32{"key": 7} // one entry: the floor has no map order
	for name, b := range map[string][]byte{
		"Simple": must(inorder.AppendSimple)(nil, model.NewSimple()),
		"Small":  must(inorder.AppendSmall)(nil, model.Smalls()[0]),
		"Nested": must(inorder.AppendNested)(nil, model.NewNested()),
		"Batch":  must(inorder.AppendBatch)(nil, batch),
		"Rich":   must(inorder.AppendRich)(nil, rich),
	} {
		path := filepath.Join("..", "..", "testdata", "floor", name+".hex")
		got := hex.EncodeToString(b) + "\n"
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: the floor's bytes differ from %s", name, path)
		}
	}
}
