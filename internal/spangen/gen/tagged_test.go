package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/test"
)

// TestBinaryTags: structs with binary tags are checked wherever the named packages
// declare them, each fault at its field and once, and code is generated for others
// all the same where nothing but a type is unknown.
func TestBinaryTags(t *testing.T) {
	test.Long(t)
	dir := spanModule(t, map[string]string{
		"part/part.go": "package part\n\ntype Part struct {\n\tSize uint8\n\tData []byte `binary:\"count=Sise\"`\n}\n\n" +
			"type Tail struct {\n\tRest []byte `binary:\"count=Len\"`\n}\n",
		"m.go": "package m\n\nimport \"example.test/m/part\"\n\ntype Whole struct {\n\tLen uint8\n\tParts []part.Part\n\tpart.Tail\n}\n\n" +
			"type Known struct {\n\tN uint16 `binary:\"le\"`\n}\n",
		"m_test.go":  "package m\n\ntype inTest struct {\n\tN uint8 `binary:\"le\"`\n}\n",
		"x_test.go":  "package m_test\n\ntype outside struct {\n\tN uint16 `binary:\"bee\"`\n}\n",
		"broken.go":  "package m\n\ntype Broken struct {\n\tN Missing `binary:\"le\"`\n\tS string `binary:\"fixed=0\"`\n}\n",
		"only/on.go": "package only\n\n//span:generate\ntype A struct{ N uint8 }\n",
	})
	require.Equal(t, []string{
		"broken.go:5:2: Broken.S: the option fixed takes a number from 1 to 2147483647; write it as fixed=8",
		"m_test.go:4:2: inTest.N: the option le is for numbers of 16 or more bits, not for uint8; remove it: there is no byte order",
		"part/part.go:5:2: Part.Data: Sise is not a member before this one; did you mean Size?",
		"x_test.go:4:2: outside.N: unknown option \"bee\"; did you mean be?",
	}, messages(dir, run(t, Config{Load: load.Config{Dir: dir}})))
}

// TestBinaryTagsOfOthers: where nothing requires this module the key belongs to
// somebody else.
func TestBinaryTagsOfOthers(t *testing.T) {
	test.Long(t)
	dir := module(t, map[string]string{"m.go": "package m\n\ntype A struct {\n\tN uint8 `binary:\"whatever\"`\n}\n"})
	r := run(t, Config{Load: load.Config{Dir: dir}})
	require.Empty(t, messages(dir, r))
	require.Zero(t, r.Tagged)
}
