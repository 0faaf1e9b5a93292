package binaryplan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnknownOptions has misspelt options, and those in the wrong place.
func TestUnknownOptions(t *testing.T) {
	for text, want := range map[string]string{
		"siz=3":        "did you mean size=3?",
		"Rest":         "did you mean rest?",
		"3=size":       "did you mean size=3?",
		"offst=-2":     "did you mean offset=-2?",
		"untill=0":     "did you mean until=0?",
		"sums=crc32":   "did you mean sum=crc32?",
		"method":       "methods is a type option: put it on a blank field, as in _ struct{} `binary:\"methods\"`",
		"omitempty":    "the options here are size=6, ref=Head.Len, offset=-2, width=2, version=2019, fixed=8, rest, count=Head.Len, until=0, bcd=6, be, le, bits=3, lsb, null, pad=2, align=4, const=0x7e, if=Flags.3, sum=crc32, from=Kind, ignore",
		"bites=3":      "did you mean bits=3?",
		"aling=4":      "did you mean align=4?",
		"version2=1":   "did you mean version=1?",
		"count=A,widh": "did you mean width=2?",
	} {
		_, faults := parseTag(`binary:"` + text + `"`)
		require.Len(t, faults, 1, text)
		require.Equal(t, want, faults[0].Fix, text)
	}
}

// TestTable holds what the rows of the table say of each other.
func TestTable(t *testing.T) {
	for _, o := range table {
		_, faults := dialect.Options(o.Example, dialect.Fields)
		require.Empty(t, faults, "the example of %s", o.Name)
		require.Equal(t, o.of == "", o.fits == nil, "what %s is for", o.Name)
		for _, name := range append(append([]string{}, o.needs...), o.beside...) {
			require.Equal(t, name, rowOf(name).Name, "%s names %s", o.Name, name)
		}
		_, faults = dialect.Options(o.Name+"=nonsense", dialect.Fields)
		require.LessOrEqual(t, len(faults), 1)
	}
	for _, name := range lengths {
		require.NotNil(t, rowOf(name))
	}
}
