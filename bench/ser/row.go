package ser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/bench/floor/model"
)

// Row is one way of using one serializer.
type Row struct {
	Peer    string // module or package, as users name it
	Name    string // of the row, unique
	Group   Group
	Strings string // what decoded strings are: alias, copy, shared
	Note    string // what differs from the other rows
	Encoder string // row that has the same encoder, so that it is measured once
	Ours    bool

	Simple Maker[model.Simple]
	Small  Maker[model.Small]
	Nested Maker[model.Nested]
	Batch  Maker[model.Batch]
	Rich   Maker[model.Rich]
}

// Group says what a row stands among.
type Group string

// The groups, in the order of the tables.
const (
	Floor      Group = "floor"
	Generated  Group = "generated"
	Reflection Group = "reflection"
	Text       Group = "text"
	Stream     Group = "stream"
)

// Models are the models that are measured.
var Models = []string{"Simple", "Small", "Nested", "Batch100", "Batch1000", "Rich"}

var (
	simples = []*model.Simple{model.NewSimple()}
	smalls  = model.Smalls()
	nesteds = []*model.Nested{model.NewNested()}
	riches  = []*model.Rich{model.NewRich()}
)

// NewBatch returns a Batch of n.
func NewBatch(n int) *model.Batch {
	b := &model.Batch{Items: make([]model.Simple, n)}
	for i := range b.Items {
		b.Items[i] = *model.NewSimple()
		b.Items[i].ID = int32(i)
		b.Items[i].Score = float64(i) + 0.5
	}
	return b
}

// Codec returns the codec of a model by its name, where Batch is followed by a
// count, or nil when the row has none.
func (r *Row) Codec(name string) (Codec, error) {
	n, batch := strings.CutPrefix(name, "Batch")
	switch {
	case name == "Simple":
		return made(r.Simple, simples), nil
	case name == "Small":
		return made(r.Small, smalls), nil
	case name == "Nested":
		return made(r.Nested, nesteds), nil
	case name == "Rich":
		return made(r.Rich, riches), nil
	case name == "Rich1": // one map entry, so that its bytes have one order
		v := model.NewRich()
		v.M = map[string]int32{"key": 7}
		return made(r.Rich, []*model.Rich{v}), nil
	case batch:
		count, err := strconv.Atoi(n)
		if err != nil {
			return nil, fmt.Errorf("no model %q", name)
		}
		if r.Batch == nil {
			return nil, nil
		}
		return r.Batch([]*model.Batch{NewBatch(count)}), nil
	}
	return nil, fmt.Errorf("no model %q", name)
}

func made[M any](m Maker[M], vs []*M) Codec {
	if m == nil {
		return nil
	}
	return m(vs)
}

// Rows returns every row, floors first.
func Rows() []*Row {
	return slices.Concat(floorRows(), productRows(), productBinaryRows(), bencRows(), bebopRows(), musRows(), msgpRows(), protoRows(),
		colferRows(), flatRows(), jsonRows(), gotinyRows(), reflectRows(), binaryRows())
}

// ByName returns the row of that name or nil.
func ByName(name string) *Row {
	for _, r := range Rows() {
		if r.Name == name {
			return r
		}
	}
	return nil
}
