// Command gen writes mus.gen.go of the packages safe, notunsafe and fast.
package main

import (
	"log"
	"os"
	"path/filepath"
	"reflect"

	"github.com/spanwire/spanwire/bench/peers/mus/fast"
	"github.com/spanwire/spanwire/bench/peers/mus/notunsafe"
	"github.com/spanwire/spanwire/bench/peers/mus/safe"

	musgen "github.com/mus-format/musgen-go/mus"
	genops "github.com/mus-format/musgen-go/options/generate"
	structops "github.com/mus-format/musgen-go/options/struct"
	typeops "github.com/mus-format/musgen-go/options/type"
)

func main() {
	generate("safe", []any{safe.Simple{}, safe.Small{}, safe.Nested{}, safe.Batch{}, safe.Rich{}})
	generate("notunsafe", []any{notunsafe.Simple{}, notunsafe.Small{}, notunsafe.Nested{}, notunsafe.Batch{}, notunsafe.Rich{}}, genops.WithNotUnsafe())
	generate("fast", []any{fast.Simple{}, fast.Small{}, fast.Nested{}, fast.Batch{}, fast.Rich{}}, genops.WithUnsafe())
}

// generate writes the serializers of models, which come in dependency order.
// Numbers are fixed-width, as in the format they are compared with.
func generate(dir string, models []any, ops ...genops.SetOption) {
	ops = append(ops, genops.WithPkgPath("github.com/spanwire/spanwire/bench/peers/mus/"+dir))
	g, err := musgen.NewCodeGenerator(ops...)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range models {
		t := reflect.TypeOf(m)
		var fields []structops.SetOption
		for i := range t.NumField() {
			var o []typeops.SetOption
			switch f := t.Field(i).Type; {
			case f.String() == "time.Time":
				o = append(o, typeops.WithTimeUnit(typeops.NanoUTC))
			case f.Kind() == reflect.Int32 || f.Kind() == reflect.Int64 || f.Kind() == reflect.Int:
				o = append(o, typeops.WithNumEncoding(typeops.Raw))
			case f.Kind() == reflect.Slice && f.Elem().Kind() == reflect.Int64,
				f.Kind() == reflect.Map:
				o = append(o, typeops.WithElem(typeops.WithNumEncoding(typeops.Raw)))
			}
			fields = append(fields, structops.WithField(o...))
		}
		if err := g.AddStruct(t, fields...); err != nil {
			log.Fatal(err)
		}
	}
	b, err := g.Generate()
	if err != nil {
		log.Print(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mus.gen.go"), b, 0o644); err != nil {
		log.Fatal(err)
	}
}
