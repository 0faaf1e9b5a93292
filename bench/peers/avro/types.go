// Package avro holds the models' Avro schemas and structs.
package avro

import "github.com/hamba/avro/v2"

// The models, as in package model, with times as int64 nanoseconds: the library
// knows logical times up to microseconds.
type (
	Simple struct {
		ID        int32   `avro:"id"`
		Name      string  `avro:"name"`
		IsActive  bool    `avro:"is_active"`
		CreatedAt int64   `avro:"created_at"`
		Score     float64 `avro:"score"`
	}
	Small struct {
		Name     string  `avro:"name"`
		BirthDay int64   `avro:"birth_day"`
		Phone    string  `avro:"phone"`
		Siblings int     `avro:"siblings"`
		Spouse   bool    `avro:"spouse"`
		Money    float64 `avro:"money"`
	}
	Nested struct {
		ID        int32  `avro:"id"`
		Title     string `avro:"title"`
		Inner     Simple `avro:"inner"`
		Timestamp int64  `avro:"timestamp"`
	}
	Batch struct {
		Items []Simple `avro:"items"`
	}
	Rich struct {
		Ints []int64          `avro:"ints"`
		Strs []string         `avro:"strs"`
		M    map[string]int32 `avro:"m"`
		Blob []byte           `avro:"blob"`
		UUID [16]byte         `avro:"uuid"`
		Ptr  *Nested          `avro:"ptr"`
		List []Nested         `avro:"list"`
	}
)

const (
	simple = `{"type":"record","name":"Simple","fields":[{"name":"id","type":"int"},{"name":"name","type":"string"},
{"name":"is_active","type":"boolean"},{"name":"created_at","type":"long"},{"name":"score","type":"double"}]}`
	nested = `{"type":"record","name":"Nested","fields":[{"name":"id","type":"int"},{"name":"title","type":"string"},
{"name":"inner","type":` + simple + `},{"name":"timestamp","type":"long"}]}`
)

// The schemas.
var (
	SimpleSchema = avro.MustParse(simple)
	SmallSchema  = avro.MustParse(`{"type":"record","name":"Small","fields":[{"name":"name","type":"string"},{"name":"birth_day","type":"long"},
{"name":"phone","type":"string"},{"name":"siblings","type":"int"},{"name":"spouse","type":"boolean"},{"name":"money","type":"double"}]}`)
	NestedSchema = avro.MustParse(nested)
	BatchSchema  = avro.MustParse(`{"type":"record","name":"Batch","fields":[{"name":"items","type":{"type":"array","items":` + simple + `}}]}`)
	RichSchema   = avro.MustParse(`{"type":"record","name":"Rich","fields":[{"name":"ints","type":{"type":"array","items":"long"}},
{"name":"strs","type":{"type":"array","items":"string"}},{"name":"m","type":{"type":"map","values":"int"}},{"name":"blob","type":"bytes"},
{"name":"uuid","type":{"type":"fixed","name":"UUID","size":16}},{"name":"ptr","type":["null",` + nested + `]},
{"name":"list","type":{"type":"array","items":"Nested"}}]}`)
)
