// Package easyjson holds the models with easyjson's methods.
package easyjson

import "time"

//go:generate go tool easyjson -all -output_filename easyjson.gen.go types.go

// The models, as in package model.
type (
	Simple struct {
		ID        int32
		Name      string
		IsActive  bool
		CreatedAt time.Time
		Score     float64
	}
	Small struct {
		Name     string
		BirthDay time.Time
		Phone    string
		Siblings int
		Spouse   bool
		Money    float64
	}
	Nested struct {
		ID        int32
		Title     string
		Inner     Simple
		Timestamp int64
	}
	Batch struct {
		Items []Simple
	}
	Rich struct {
		Ints []int64
		Strs []string
		M    map[string]int32
		Blob []byte
		UUID [16]byte
		Ptr  *Nested
		List []Nested
	}
)
