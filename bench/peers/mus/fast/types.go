// Package fast holds the models with musgen's unsafe serializers.
package fast

import "time"

type (
	// Simple is the model of that name.
	Simple struct {
		ID        int32
		Name      string
		IsActive  bool
		CreatedAt time.Time
		Score     float64
	}
	// Small is the model of that name.
	Small struct {
		Name     string
		BirthDay time.Time
		Phone    string
		Siblings int
		Spouse   bool
		Money    float64
	}
	// Nested is the model of that name.
	Nested struct {
		ID        int32
		Title     string
		Inner     Simple
		Timestamp int64
	}
	// Batch is the model of that name.
	Batch struct {
		Items []Simple
	}
	// Rich is the model of that name.
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
