package ser

import (
	"github.com/spanwire/spanwire/bench/floor/inorder"
	"github.com/spanwire/spanwire/bench/floor/limit"
	"github.com/spanwire/spanwire/bench/floor/model"
)

// floorDec makes a decoder of a function that returns how much it read.
func floorDec[T any](f func([]byte, *T) (int, error)) Dec[T] {
	return func(b []byte, v *T) error { _, err := f(b, v); return err }
}

// noErr makes an encoder of a function that cannot fail.
func noErr[T any](f func([]byte, *T) []byte) Enc[T] {
	return func(b []byte, v *T) ([]byte, error) { return f(b, v), nil }
}

// same makes a maker whose types are the models' own.
func same[M any](enc Enc[M], dec Dec[M]) Maker[M] { return Of[M, M](enc, dec) }

// FloorOf names the floor that a row is compared with.
func FloorOf(r *Row) string {
	if r.Strings == "alias" {
		return "floor alias"
	}
	return "floor " + r.Strings
}

func floorRows() []*Row {
	const order = "the wire order and all checks of package span, by hand with unsafe stores: the bar"
	return []*Row{
		{
			Peer: "harness", Name: "harness", Group: Floor, Strings: "alias",
			Note:   "encoder and decoder do nothing: the cost of the loop",
			Simple: same(nothing[model.Simple](), ignore[model.Simple]()),
			Small:  same(nothing[model.Small](), ignore[model.Small]()),
			Nested: same(nothing[model.Nested](), ignore[model.Nested]()),
			Batch:  same(nothing[model.Batch](), ignore[model.Batch]()),
			Rich:   same(nothing[model.Rich](), ignore[model.Rich]()),
		},
		{
			Peer: "floor", Name: "floor alias", Group: Floor, Strings: "alias", Note: order,
			Simple: same(inorder.AppendSimple, floorDec(inorder.ReadSimple)),
			Small:  same(inorder.AppendSmall, floorDec(inorder.ReadSmall)),
			Nested: same(inorder.AppendNested, floorDec(inorder.ReadNested)),
			Batch:  same(inorder.AppendBatch, inorder.ReadBatch),
			Rich:   same(inorder.AppendRich, inorder.ReadRich),
		},
		{
			Peer: "floor", Name: "floor copy", Group: Floor, Encoder: "floor alias", Strings: "copy", Note: order + "; Rich copies the message once",
			Simple: same(inorder.AppendSimple, floorDec(inorder.ReadSimpleCopy)),
			Small:  same(inorder.AppendSmall, floorDec(inorder.ReadSmallCopy)),
			Nested: same(inorder.AppendNested, floorDec(inorder.ReadNestedCopy)),
			Batch:  same(inorder.AppendBatch, inorder.ReadBatchCopy),
			Rich:   same(inorder.AppendRich, inorder.ReadRichShared),
		},
		{
			Peer: "floor", Name: "floor shared", Group: Floor, Encoder: "floor alias", Strings: "shared", Note: order + "; Simple has one string, so copy and shared are the same",
			Simple: same(inorder.AppendSimple, floorDec(inorder.ReadSimpleCopy)),
			Small:  same(inorder.AppendSmall, floorDec(inorder.ReadSmallShared)),
			Nested: same(inorder.AppendNested, floorDec(inorder.ReadNestedShared)),
			Batch:  same(inorder.AppendBatch, inorder.ReadBatchShared),
			Rich:   same(inorder.AppendRich, inorder.ReadRichShared),
		},
		{
			Peer: "floor", Name: "floor reordered", Group: Floor, Strings: "alias",
			Note:   "another format: fixed fields first, fewer checks; for information, how much order costs",
			Simple: same(noErr(limit.AppendSimple), floorDec(limit.ReadSimpleZC)),
			Small:  same(noErr(limit.AppendSmall), floorDec(limit.ReadSmallZC)),
			Nested: same(noErr(limit.AppendNested), floorDec(limit.ReadNestedZC)),
			Batch:  same(noErr(limit.AppendBatch), limit.ReadBatchZC),
			Rich:   same(noErr(limit.AppendRich), limit.ReadRichZC),
		},
	}
}

func nothing[T any]() Enc[T] { return func(b []byte, _ *T) ([]byte, error) { return b, nil } }
func ignore[T any]() Dec[T]  { return func([]byte, *T) error { return nil } }
