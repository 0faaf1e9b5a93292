package binary_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/vectors/legacy"
)

// ruleLines are lines as a recording may have them beyond those at hand, worked out by rule. They keep the rules for lines honest.
var ruleLines = []string{
	// Reading: a length with nothing behind it, lengths elsewhere, ends between members at any depth.
	`{"name":"prefix-5","model":"Simple","decode":true,"options":{},"hex":"0000002a07","error":"EndOfStreamException"}`,
	`{"name":"ref-cut","model":"SizedRef","decode":true,"options":{"UseFieldSize":true},"hex":"050003","value":{"Length":"5","Count":"3","Body":null,"Data":null,"After":"0"},"readBytes":"3"}`,
	`{"name":"ref-none","model":"SizedRef","decode":true,"options":{"UseFieldSize":true},"hex":"000000","value":{"Length":"0","Count":"0","Body":null,"Data":null,"After":"0"},"readBytes":"3"}`,
	`{"name":"ref-cut-second","model":"SizedRef","decode":true,"options":{"UseFieldSize":true},"hex":"0100036a","value":{"Length":"1","Count":"3","Body":"j","Data":null,"After":"0"},"readBytes":"4"}`,
	`{"name":"lists-cut","model":"Lists","decode":true,"options":{},"hex":"0200000001","error":"TryRead returned false"}`,
	`{"name":"lists-tail","model":"Lists","decode":true,"options":{},"hex":"0100000001","value":{"Ints":["1"],"Strings":null,"Array":null,"After":"0"},"readBytes":"5"}`,
	`{"name":"nested-cut","model":"Nested","decode":true,"options":{},"hex":"0000000100","value":{"Id":"1","Title":"","Inner":null,"Timestamp":"0"},"readBytes":"5"}`,
	`{"name":"nested-cut-inside","model":"Nested","decode":true,"options":{},"hex":"000000010000000005","value":{"Id":"1","Title":"","Inner":{"Id":"5","Name":"","IsActive":false,"CreatedAt":"0001-01-01T00:00:00.0000000","Score":"0x0000000000000000"},"Timestamp":"0"},"readBytes":"9"}`,
	`{"name":"derived-cut","model":"Derived","decode":true,"options":{},"hex":"00000001","value":{"BaseId":"1","BaseName":"","Own":"0","OwnName":""},"readBytes":"4"}`,
	`{"name":"dicts","model":"Dicts","decode":true,"options":{},"hex":"0101610000000100ee","value":{"A":[["a","1"]],"B":[],"After":"238"},"readBytes":"9"}`,
	// Null: addresses, elements, values of dictionaries, members whose length is elsewhere.
	`{"name":"nets-null","model":"Nets","options":{},"value":{"Addr":null,"End":null,"After":"238"},"hex":"ee","readError":"EndOfStreamException"}`,
	`{"name":"nets-null-ref","model":"Nets","options":{"UseRef":true},"value":{"Addr":null,"End":null,"After":"238"},"hex":"0000ee","readError":"EndOfStreamException"}`,
	`{"name":"nets-half","model":"Nets","options":{},"value":{"Addr":null,"End":"1.2.3.4:5","After":"238"},"hex":"010203040005ee","readError":"ArgumentException"}`,
	`{"name":"strings-null","model":"Lists","options":{},"value":{"Ints":null,"Strings":["a",null,"b"],"Array":null,"After":"238"},"hex":"00030161016200ee","readError":"ArgumentException"}`,
	`{"name":"dict-null","model":"Dicts","options":{},"value":{"A":null,"B":[["1",null]],"After":"238"},"hex":"0100000001ee","readError":"ArgumentException"}`,
	`{"name":"objects-null-ref","model":"ObjectLists","options":{"UseRef":true},"value":{"Items":[null],"Array":[],"After":"238"},"hex":"0100ee","readError":"ArgumentException"}`,
	`{"name":"offset-null","model":"SizedRefOffset","options":{"UseFieldSize":true},"value":{"Total":"0","Data":null,"After":"1"},"hex":"000001","readError":"ArgumentException"}`,
	`{"name":"ref-empty","model":"SizedRef","options":{"UseFieldSize":true},"value":{"Length":"9","Count":"0","Body":"","Data":"07","After":"1"},"hex":"0000010701","valueAfterWrite":{"Length":"0","Count":"1","Body":"","Data":"07","After":"1"}}`,
	// Text of wider characters in a fixed size: NewLife trims bytes.
	`{"name":"fixed-utf16","model":"FixedText","options":{"Encoding":"utf-16"},"value":{"Name":"a","After":"1"},"hex":"610000000000000001","read":{"Name":"\uFFFD","After":"1"}}`,
	// Times that are null when read.
	`{"name":"null-time","model":"NullableScalars","options":{},"value":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":"1970-01-01T00:00:00.0000000Z","C":null},"hex":"000000000000010000000000","read":{"B":null,"U8":null,"I16":null,"I32":null,"I64":null,"F64":null,"T":null,"C":null}}`,
	`{"name":"empty-mixed","model":"MixedList","options":{},"value":{"Items":[],"After":"1"},"hex":"0001","read":{"Items":null,"After":"1"}}`,
}

func TestVectorRules(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.jsonl"), []byte(strings.Join(ruleLines, "\n")), 0o666))
	t.Setenv("SPANWIRE_VECTORS", dir)
	legacy.Run(t, "rules.jsonl", dotNetEncoding)
}
