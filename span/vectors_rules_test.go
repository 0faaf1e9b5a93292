package span_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/vectors"
)

// ruleLines are lines as a recording may have them beyond those at hand, worked
// out by rule. They keep the rules for lines honest.
var ruleLines = []string{
	// A local time is written as its clock shows: 08:00 for 00:00Z.
	`{"name":"local","model":"Times","value":{"T":"2025-01-01T00:00:00.0000000L","After":"238"},"hex":"00f67467ee","read":{"T":"2025-01-01T08:00:00.0000000Z","After":"238"}}`,
	`{"name":"local-nullable","model":"NullableScalars","value":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":"2025-01-01T00:00:00.0000000L","C":null},"hex":"0000000000000100f6746700","read":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":"2025-01-01T08:00:00.0000000Z","C":null}}`,
	`{"name":"local-full","model":"Times","options":{"FullTime":true},"value":{"T":"2025-01-01T00:00:00.0000000L","After":"238"},"hex":"0040313cf729dd88ee"}`,
	`{"name":"unspecified-full","model":"Times","options":{"FullTime":true,"BigEndian":true},"value":{"T":"2025-01-01T00:00:00.0000000","After":"238"},"hex":"08dd29f73c314000ee"}`,
	`{"name":"fraction-1969","model":"Times","value":{"T":"1969-12-31T23:59:59.9999999Z","After":"238"},"hex":"00000000ee","read":{"T":"0001-01-01T00:00:00.0000000","After":"238"}}`,
	// Null in the middle, with what .NET makes of its own bytes.
	`{"name":"nested-null","model":"Nested","value":{"Id":"1","Title":"","Inner":null,"Timestamp":"1"},"hex":"01000000000100000000000000","readError":"InvalidOperationException"}`,
	`{"name":"nested-null-read","model":"Nested","value":{"Id":"1","Title":"","Inner":null,"Timestamp":"-1"},"hex":"0100000000ffffffffffffffff","readError":"InvalidOperationException"}`,
	`{"name":"holder-null","model":"FastHolder","value":{"Before":"1","F":null,"After":"2"},"hex":"01000200","readError":"InvalidOperationException"}`,
	`{"name":"tail-null-trailing","model":"NestedTail","decode":true,"hex":"07000000","value":{"Id":"7","Inner":null},"readBytes":"4"}`,
	// Guid? and other values at their edges.
	`{"name":"guid-only","model":"Nullables","value":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":null,"C":null,"G":"6f9619ff-8b86-d011-b42d-00c04fc964ff"},"error":"ArgumentException"}`,
	`{"name":"guid-far-time","model":"Nullables","value":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":"2200-01-01T00:00:00.0000000Z","C":null,"G":"6f9619ff-8b86-d011-b42d-00c04fc964ff"},"error":"ArgumentException"}`,
	`{"name":"nan","model":"Scalars","value":{"B":false,"I8":"0","U8":"0","I16":"0","U16":"0","I32":"0","U32":"0","I64":"0","U64":"0","F32":"0x7fa00001","F64":"0x7ff4000000000001"},"hex":"000000000000000000000000000000000000000000000000000000000000000100a07f010000000000f47f"}`,
	`{"name":"surrogate","model":"Text","value":{"A":"\uD83D","N":"0","B":"x\uDE00"},"hex":"03efbfbd000000000478efbfbd","read":{"A":"\uFFFD","N":"0","B":"x\uFFFD"}}`,
	`{"name":"negative-zero","model":"DecimalModel","value":{"D":"0.0","After":"1"},"hex":"0000000000000000000000000000018001"}`,
	`{"name":"numbers","model":"Numbers","options":{"EncodeInt":true},"value":{"B":true,"U8":"255","I16":"-1","U16":"1","I32":"-1","U32":"1","I64":"1","U64":"128","F32":"0x3f800000","F64":"0x3ff0000000000000"},"hex":"01ffffff0301ffffffff0f010180010000803f000000000000f03f"}`,
	// Reading: lenient, cut, hostile.
	`{"name":"true-2","model":"Fast","decode":true,"hex":"2a00000001610201000000000000000000000000","value":{"Id":"42","Name":"a","IsActive":true,"CreatedAt":"1970-01-01T00:00:01.0000000Z","Score":"0x0000000000000000"},"readBytes":"19"}`,
	`{"name":"holder-cut","model":"FastHolder","decode":true,"hex":"0100","value":{"Before":"1","F":null,"After":"0"},"readBytes":"2"}`,
	`{"name":"last-second","model":"Times","decode":true,"hex":"ffffffff01","value":{"T":"2106-02-07T06:28:15.0000000Z","After":"1"},"readBytes":"5"}`,
	`{"name":"overflow","model":"Text","decode":true,"hex":"808080801000000000","value":{"A":"","N":"0","B":""},"readBytes":"9"}`,
	`{"name":"overflow-16","model":"Switches","decode":true,"options":{"EncodeInt":true},"hex":"ffff07","error":"InvalidOperationException"}`,
	`{"name":"bytes-min","model":"BytesModel","decode":true,"hex":"808080800801","value":{"Data":null,"After":"1"},"readBytes":"6"}`,
	`{"name":"utf8-cut","model":"Text","decode":true,"hex":"02e4bd0000000000","value":{"A":"\uFFFD","N":"0","B":""},"readBytes":"8"}`,
	// Operations.
	`{"name":"array-be","op":"WriteArray(bytes,n)","options":{"BigEndian":true},"arg":"aa","n":"4","hex":"00000001aa"}`,
	`{"name":"array-encode","op":"WriteArray(bytes,n)","options":{"EncodeInt":true},"arg":"aa","n":"2","hex":"01aa"}`,
	`{"name":"array-null","op":"WriteArray(bytes,n)","arg":null,"n":"2","hex":"0000"}`,
	`{"name":"array-3","op":"WriteArray(bytes,n)","arg":"aa","n":"3","error":"ArgumentOutOfRangeException"}`,
	`{"name":"string-1","op":"Write(string,n)","arg":"你","n":"1","hex":"e4"}`,
	`{"name":"int-read","op":"WriteEncodedInt(int32)","decode":true,"hex":"8000ff","value":"0","n":"0","readBytes":"2"}`,
	`{"name":"int-long","op":"WriteEncodedInt(int32)","decode":true,"hex":"808080808000","error":"FormatException"}`,
	`{"name":"marked-point","op":"Write<T>(object)","model":"Point","options":{"BigEndian":true},"value":{"X":"1","Y":"-1"},"hex":"0100000001ffffffff"}`,
}

// deepLine is a chain of n levels.
func deepLine(n int) string {
	value, hex := "null", ""
	for i := range n {
		value = fmt.Sprintf(`{"Level":"%d","Next":%s}`, n-i, value)
		hex = fmt.Sprintf("%02x%02x0000", (n-i)&0xff, (n-i)>>8) + hex
	}
	return fmt.Sprintf(`{"name":"deep-%d","model":"Deep","value":%s,"hex":"%s"}`, n, value, hex)
}

func TestVectorRules(t *testing.T) {
	dir := t.TempDir()
	lines := append([]string{deepLine(3), deepLine(1000), deepLine(1001)}, ruleLines...)
	if err := os.WriteFile(filepath.Join(dir, "rules.jsonl"), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SPANWIRE_VECTORS", dir)
	vectors.Run(t, "rules.jsonl", reflection, stream)
}

// The form of methods by themselves, with models that have hand-written ones.
func TestVectorMethods(t *testing.T) {
	file := linesWith(t, "span.jsonl", `"model":"Fast"`)
	more := linesWith(t, "spanwriter.jsonl", `"model":"Switches"`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "methods.jsonl"), []byte(file+more), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SPANWIRE_VECTORS", dir)
	vectors.Run(t, "methods.jsonl", vectors.Methods)
}

// linesWith gives the lines of a recording that have a part.
func linesWith(t *testing.T, file, part string) (lines string) {
	b, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, part) {
			lines += line
		}
	}
	if lines == "" {
		t.Fatalf("%s has no line with %s", file, part)
	}
	return lines
}
