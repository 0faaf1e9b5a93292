package span_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spanwire/spanwire/internal/test"
)

// The tests of vectors fail where a recording is not what this package does, and
// where it holds what nobody knows.
func TestVectorsRefuse(t *testing.T) {
	test.Long(t) // runs this test's binary anew for every row
	const good = `{"name":"a","model":"Text","value":{"A":"x","N":"1","B":null},"hex":"01780100000000","read":{"A":"x","N":"1","B":""}}`
	const op = `{"name":"b","op":"Write(string,n)","arg":"x","n":"3","hex":"780000"}`
	const decode = `{"name":"c","model":"Times","decode":true,"hex":"00000000","value":{"T":"0001-01-01T00:00:00.0000000","After":"0"},"readBytes":"4"}`
	tests := []struct {
		at       row
		line     string
		old, new string
		pass     bool
	}{
		{here(), good, "", "", true},
		{here(), op, "", "", true},
		{here(), decode, "", "", true},
		{here(), good, `"Text"`, `"Texts"`, false},
		{here(), good, `"A":"x"`, `"A":"y"`, false},
		{here(), good, `"B":null`, `"C":null`, false},
		{here(), good, `"hex":"01`, `"hex":"02`, false},
		{here(), good, `"hex":"0178`, `"hex":"`, false},
		{here(), good, `"hex"`, `"hax"`, false},
		{here(), good, `"hex":"01780100000000"`, `"error":"ArgumentException"`, false},
		{here(), good, `"value"`, `"options":{"Middle":true},"value"`, false},
		{here(), good, `"B":""}}`, `"B":"z"}}`, false},
		{here(), op, "Write(string,n)", "Write(string,m)", false},
		{here(), op, `"n":"3"`, `"n":"4"`, false},
		{here(), op, `"hex":"78`, `"hex":"79`, false},
		{here(), decode, `"After":"0"`, `"After":"1"`, false},
		{here(), decode, `"0001-`, `"1970-`, false},
		{here(), decode, `"hex":"0`, `"hex":"01000000050`, false},
		{here(), decode, `"value":{"T":"0001-01-01T00:00:00.0000000","After":"0"}`, `"error":"EndOfStream"`, false},
	}
	dir := t.TempDir()
	for _, tt := range tests {
		line := []byte(tt.line)
		if tt.old != "" {
			if line = bytes.Replace(line, []byte(tt.old), []byte(tt.new), 1); string(line) == tt.line {
				t.Fatalf("%s: %s is not in the line", tt.at, tt.old)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "span.jsonl"), line, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestVectorSpan$")
		cmd.Env = append(os.Environ(), "SPANWIRE_VECTORS="+dir)
		out, err := cmd.CombinedOutput()
		if (err == nil) != tt.pass {
			t.Errorf("%s: passes: %t, want %t\n%s\n%s", tt.at, err == nil, tt.pass, line, out)
		}
	}
}
