package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/internal/floormodel/plain"
	"github.com/spanwire/spanwire/span"
)

// The generated methods are called as a program does that knows its type: the
// Reader stands on the stack.

func writeSimple(b []byte, v *floormodel.Simple) ([]byte, error) { return v.AppendSpan(b) }
func writeSmall(b []byte, v *floormodel.Small) ([]byte, error)   { return v.AppendSpan(b) }
func writeNested(b []byte, v *floormodel.Nested) ([]byte, error) { return v.AppendSpan(b) }
func writeBatch(b []byte, v *floormodel.Batch) ([]byte, error)   { return v.AppendSpan(b) }
func writeRich(b []byte, v *floormodel.Rich) ([]byte, error)     { return v.AppendSpan(b) }

func readSimple(m span.StringMode) Dec[floormodel.Simple] {
	return func(b []byte, v *floormodel.Simple) error {
		var r span.Reader
		r.Reset(b, m)
		v.ReadSpan(&r)
		return r.Err()
	}
}

func readSmall(m span.StringMode) Dec[floormodel.Small] {
	return func(b []byte, v *floormodel.Small) error {
		var r span.Reader
		r.Reset(b, m)
		v.ReadSpan(&r)
		return r.Err()
	}
}

func readNested(m span.StringMode) Dec[floormodel.Nested] {
	return func(b []byte, v *floormodel.Nested) error {
		var r span.Reader
		r.Reset(b, m)
		v.ReadSpan(&r)
		return r.Err()
	}
}

func readBatch(m span.StringMode) Dec[floormodel.Batch] {
	return func(b []byte, v *floormodel.Batch) error {
		var r span.Reader
		r.Reset(b, m)
		v.ReadSpan(&r)
		return r.Err()
	}
}

func readRich(m span.StringMode) Dec[floormodel.Rich] {
	return func(b []byte, v *floormodel.Rich) error {
		var r span.Reader
		r.Reset(b, m)
		v.ReadSpan(&r)
		return r.Err()
	}
}

// entryOf uses the entry points that take any value.
func entryOf[M, T any](m span.StringMode) Maker[M] {
	opts := span.Options{Strings: m}
	return Of[M](func(b []byte, v *T) ([]byte, error) { return span.Append(b, v) },
		func(b []byte, v *T) error { return opts.Unmarshal(b, v) })
}

// productRows returns the rows of spanwire.
func productRows() []*Row {
	var rows []*Row
	modes := []struct {
		name string
		mode span.StringMode
	}{{"alias", span.AliasStrings}, {"shared", span.SharedStrings}, {"copy", span.CopyStrings}}
	encoder := func(i int, name string) string { // the modes differ in reading only
		if i == 0 {
			return ""
		}
		return name + " alias"
	}
	for i, m := range modes {
		rows = append(rows, &Row{
			Peer: "spanwire", Name: "spanwire " + m.name, Group: Generated, Strings: m.name, Ours: true, Encoder: encoder(i, "spanwire"),
			Note:   "AppendSpan and ReadSpan; all checks and limits on",
			Simple: Of[model.Simple](writeSimple, readSimple(m.mode)), Small: Of[model.Small](writeSmall, readSmall(m.mode)),
			Nested: Of[model.Nested](writeNested, readNested(m.mode)), Batch: Of[model.Batch](writeBatch, readBatch(m.mode)),
			Rich: Of[model.Rich](writeRich, readRich(m.mode)),
		})
	}
	for i, m := range modes {
		rows = append(rows, &Row{
			Peer: "spanwire", Name: "spanwire any " + m.name, Group: Generated, Strings: m.name, Ours: true, Encoder: encoder(i, "spanwire any"),
			Note:   "Append and Unmarshal, which take any value and find the generated methods",
			Simple: entryOf[model.Simple, floormodel.Simple](m.mode), Small: entryOf[model.Small, floormodel.Small](m.mode),
			Nested: entryOf[model.Nested, floormodel.Nested](m.mode), Batch: entryOf[model.Batch, floormodel.Batch](m.mode),
			Rich: entryOf[model.Rich, floormodel.Rich](m.mode),
		})
	}
	for i, m := range modes {
		rows = append(rows, &Row{
			Peer: "spanwire", Name: "spanwire reflection " + m.name, Group: Reflection, Strings: m.name, Ours: true, Encoder: encoder(i, "spanwire reflection"),
			Note:   "Append and Unmarshal on types without generated code: the same bytes",
			Simple: entryOf[model.Simple, plain.Simple](m.mode), Small: entryOf[model.Small, plain.Small](m.mode),
			Nested: entryOf[model.Nested, plain.Nested](m.mode), Batch: entryOf[model.Batch, plain.Batch](m.mode),
			Rich: entryOf[model.Rich, plain.Rich](m.mode),
		})
	}
	return rows
}
