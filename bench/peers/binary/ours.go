package binary

// For package binary of spanwire, whose times are seconds or ticks of 100 ns.
type (
	// OurSimple is the model Simple.
	OurSimple struct {
		ID        int32
		Name      string
		IsActive  bool
		CreatedAt int64
		Score     float64
	}
	// OurSmall is the model Small.
	OurSmall struct {
		Name     string
		BirthDay int64
		Phone    string
		Siblings int
		Spouse   bool
		Money    float64
	}
	// OurNested is the model Nested.
	OurNested struct {
		ID        int32
		Title     string
		Inner     OurSimple
		Timestamp int64
	}
	// OurBatch is the model Batch.
	OurBatch struct{ Items []OurSimple }
	// OurRich is the model Rich.
	OurRich struct {
		Ints []int64
		Strs []string
		M    map[string]int32
		Blob []byte
		UUID [16]byte
		Ptr  *OurNested
		List []OurNested
	}
)
