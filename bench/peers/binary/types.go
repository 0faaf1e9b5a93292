// Package binary holds the models for libraries that pack structs as they lie.
package binary

// Restruct and struc: lengths are fields of their own.
type (
	// Simple is for go-restruct/restruct.
	Simple struct {
		ID        int32
		NameLen   uint8 `struct:"uint8,sizeof=Name"`
		Name      string
		IsActive  bool
		CreatedAt int64
		Score     float64
	}
	// Small is for go-restruct/restruct.
	Small struct {
		NameLen  uint8 `struct:"uint8,sizeof=Name"`
		Name     string
		BirthDay int64
		PhoneLen uint8 `struct:"uint8,sizeof=Phone"`
		Phone    string
		Siblings int64
		Spouse   bool
		Money    float64
	}
	// Nested is for go-restruct/restruct.
	Nested struct {
		ID        int32
		TitleLen  uint8 `struct:"uint8,sizeof=Title"`
		Title     string
		Inner     Simple
		Timestamp int64
	}
	// Batch is for go-restruct/restruct.
	Batch struct {
		Count uint32 `struct:"uint32,sizeof=Items"`
		Items []Simple
	}

	// StrucSimple is for lunixbochs/struc.
	StrucSimple struct {
		ID        int32
		NameLen   uint8 `struc:"uint8,sizeof=Name"`
		Name      string
		IsActive  bool
		CreatedAt int64
		Score     float64
	}
	// StrucSmall is for lunixbochs/struc.
	StrucSmall struct {
		NameLen  uint8 `struc:"uint8,sizeof=Name"`
		Name     string
		BirthDay int64
		PhoneLen uint8 `struc:"uint8,sizeof=Phone"`
		Phone    string
		Siblings int64
		Spouse   bool
		Money    float64
	}
	// StrucNested is for lunixbochs/struc.
	StrucNested struct {
		ID        int32
		TitleLen  uint8 `struc:"uint8,sizeof=Title"`
		Title     string
		Inner     StrucSimple
		Timestamp int64
	}
	// StrucBatch is for lunixbochs/struc.
	StrucBatch struct {
		Count uint32 `struc:"uint32,sizeof=Items"`
		Items []StrucSimple
	}

	// FixedSimple is for encoding/binary, which knows no strings.
	FixedSimple struct {
		ID        int32
		Name      [7]byte
		IsActive  bool
		CreatedAt int64
		Score     float64
	}
	// FixedSmall is for encoding/binary.
	FixedSmall struct {
		Name     [16]byte
		BirthDay int64
		Phone    [10]byte
		Siblings int64
		Spouse   bool
		Money    float64
	}
	// FixedNested is for encoding/binary.
	FixedNested struct {
		ID        int32
		Title     [11]byte
		Inner     FixedSimple
		Timestamp int64
	}
)
