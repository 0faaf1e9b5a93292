// Package evolution shows how a type grows without breaking the programs that
// were built before: types with the names V1 and V2 stand for two versions of one
// type in two programs.
//
//   - Fields with the tag optional may be missing at the end of a message, so a
//     new program reads what an old one wrote.
//   - A sized struct has its length in front, so an old program skips what a new
//     one has added, even in the middle of a message.
//
// Fields are only ever added at the end; to drop one, keep it and stop using it.
package evolution

//go:generate go tool spangen

// UserV1 is the first version.
//
//span:generate
type UserV1 struct {
	Name string
	Age  uint8
}

// UserV2 has fields that messages of the first version lack.
//
//span:generate
type UserV2 struct {
	Name  string
	Age   uint8
	Mail  string   `span:"optional"`
	Roles []string `span:"optional"`
}

// PointV1 is sized wherever it is used.
//
//span:generate
type PointV1 struct {
	_    struct{} `span:"sized"`
	X, Y int16
}

// PointV2 has learnt a third dimension, and a label.
//
//span:generate
type PointV2 struct {
	_       struct{} `span:"sized"`
	X, Y, Z int16
	Label   string
}

// PathV1 has sized structs in its middle.
//
//span:generate
type PathV1 struct {
	ID     uint32
	Points []PointV1
	Owner  UserV1 `span:"sized"`
	Closed bool
}

// PathV2 uses the new versions. Because UserV2 has optional fields it can only
// be nested under sized.
//
//span:generate
type PathV2 struct {
	ID     uint32
	Points []PointV2
	Owner  UserV2 `span:"sized"`
	Closed bool
}
