// Package tagged holds the models with the tags that cbor wants for structs as
// arrays.
package tagged

import "time"

// The models, as in package model.
type (
	Simple struct {
		_         struct{} `cbor:",toarray"`
		ID        int32
		Name      string
		IsActive  bool
		CreatedAt time.Time
		Score     float64
	}
	Small struct {
		_        struct{} `cbor:",toarray"`
		Name     string
		BirthDay time.Time
		Phone    string
		Siblings int
		Spouse   bool
		Money    float64
	}
	Nested struct {
		_         struct{} `cbor:",toarray"`
		ID        int32
		Title     string
		Inner     Simple
		Timestamp int64
	}
	Batch struct {
		_     struct{} `cbor:",toarray"`
		Items []Simple
	}
	Rich struct {
		_    struct{} `cbor:",toarray"`
		Ints []int64
		Strs []string
		M    map[string]int32
		Blob []byte
		UUID [16]byte
		Ptr  *Nested
		List []Nested
	}
)
