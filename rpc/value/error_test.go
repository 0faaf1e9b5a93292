package value_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc/value"
)

// An error says where the value belongs, of which type that is, and what has come.
func TestConvertSays(t *testing.T) {
	type list struct {
		Items []struct {
			A bool
			B struct{ N int }
			C map[int]int
			D color
			E [3]byte
			F []byte
			G time.Time
			H time.Duration
			I picky
			J [2]int8
			K wordy
			L float32
			M map[color]int
			N complex64
			O json.Number
		}
	}
	long := strings.Repeat("é", 1<<10) // two bytes each
	for _, k := range []struct {
		name, in string
		lossless bool
		says     []string
	}{
		{"lossless, a string", `{"Items":[{"A":"x"}]}`, true, []string{"Items.0.A (bool)", `a string has come: "x"`}},
		{"lossless, a number", `{"Items":[{"B":1}]}`, true, []string{"Items.0.B (struct", "a number has come: 1"}},
		{"lossless, an array", `{"Items":[{"B":{"N":[1]}}]}`, true, []string{"Items.0.B.N (int)", "an array has come: `[1]`"}},
		{"lossless, an object", `{"Items":{}}`, true, []string{"Items ([]struct", "an object has come: `{}`"}},
		{"lossless, a bool", `{"Items":[true]}`, true, []string{"Items.0 (struct", "a bool has come: true"}},
		{"lossless, null", `{"Items":[null]}`, true, []string{"Items.0 (struct", "null has come"}},
		{"lossless, a key", `{"Items":[{"C":{"x":1}}]}`, true, []string{"C.x (int)", `key "x"`}},
		{"lossless, a name of an enum", `{"Items":[{"D":"red"}]}`, true, []string{"Items.0.D (value_test.color)", `a string has come: "red"`}},
		{"lossless, bytes", `{"Items":[{"E":"AAA="}]}`, true, []string{"Items.0.E ([3]uint8)", `a string has come: "AAA="`, "2 bytes, not 3"}},
		{"lossless, no base64", `{"Items":[{"F":"é"}]}`, true, []string{"Items.0.F ([]uint8)", `a string has come: "é"`, "not base64"}},
		{"lossless, a time", `{"Items":[{"G":"2024-01-02 03:04:05"}]}`, true, []string{"Items.0.G (time.Time)", `a string has come: "2024-01-02 03:04:05"`, "RFC 3339"}},
		{"lossless, a long time", `{"Items":[{"G":"` + long + `"}]}`, true, []string{"Items.0.G (time.Time)", `a string has come: "éé`, `é..."`}},
		{"lossless, a duration", `{"Items":[{"H":"1h"}]}`, true, []string{"Items.0.H (time.Duration)", `a string has come: "1h"`}},
		{"lossless, UnmarshalText", `{"Items":[{"K":"x"}]}`, true, []string{"Items.0.K (value_test.wordy)", `a string has come: "x"`, errPicky.Error()}},
		{"lossless, too many elements", `{"Items":[{"J":[1,2,3]}]}`, true, []string{"Items.0.J ([2]int8)", "an array has come", "more than 2"}},
		{"lossless, too few elements", `{"Items":[{"J":[1]}]}`, true, []string{"Items.0.J ([2]int8)", "an array has come: `[1]`", "1 of 2"}},
		{"lossless, an integer out of range", `{"Items":[{"J":[1,300]}]}`, true, []string{"Items.0.J.1 (int8)", "a number has come: 300", "out of range"}},
		{"lossless, no integer", `{"Items":[{"J":[1.5]}]}`, true, []string{"Items.0.J.0 (int8)", "a number has come: 1.5"}},
		{"lossless, a float", `{"Items":[{"L":0.12345678901234}]}`, true, []string{"Items.0.L (float32)", "a number has come: 0.12345678901234", "not exact"}},
		{"lossless, a complex number", `{"Items":[{"N":[1,"x"]}]}`, true, []string{"Items.0.N.1 (float32)", `a string has come: "x"`}},
		{"NewLife, an array", `{"Items":[{"B":{"N":[1]}}]}`, false, []string{"Items.0.B.N (int)", "an array has come: `[1]`"}},
		{"NewLife, an object", `{"Items":[{"B":{"N":{"a":1}}}]}`, false, []string{"Items.0.B.N (int)", "an object has come: `{\"a\":1}`"}},
		{"NewLife, a text", `{"Items":[{"B":{"N":"x"}}]}`, false, []string{"Items.0.B.N (int)", `a string has come: "x"`}},
		{"NewLife, a long text", `{"Items":[{"B":{"N":"` + long + `"}}]}`, false, []string{"Items.0.B.N (int)", `a string has come: "éé`, `é..."`}},
		{"NewLife, a name of an enum", `{"Items":[{"D":"mauve"}]}`, false, []string{"Items.0.D (value_test.color)", `a string has come: "mauve"`, "not the name"}},
		{"NewLife, a number of an enum", `{"Items":[{"D":300}]}`, false, []string{"Items.0.D (value_test.color)", "a number has come: 300", "out of range"}},
		{"NewLife, a bool for an enum", `{"Items":[{"D":true}]}`, false, []string{"Items.0.D (value_test.color)", "a bool has come: true"}},
		{"NewLife, a key that is a number", `{"Items":[{"C":{"x":1}}]}`, false, []string{"Items.0.C.x (int)", `key "x"`}},
		{"NewLife, a key that is an enum", `{"Items":[{"M":{"mauve":1}}]}`, false, []string{"Items.0.M.mauve (value_test.color)", `key "mauve"`}},
		{"lossless, a long key", `{"Items":[{"C":{"` + long + `":1}}]}`, true, []string{"Items.0.C.éé", `é... (int)`, `é..."`}},
		{"NewLife, a long key", `{"Items":[{"C":{"` + long + `":1}}]}`, false, []string{"Items.0.C.éé", `é... (int)`, `é..."`}},
		{"NewLife, bytes", `{"Items":[{"E":"AAA="}]}`, false, []string{"Items.0.E ([3]uint8)", `a string has come: "AAA="`, "2 bytes, not 3"}},
		{"NewLife, no base64", `{"Items":[{"F":"é"}]}`, false, []string{"Items.0.F ([]uint8)", `a string has come: "é"`, "not base64"}},
		{"NewLife, a number for bytes", `{"Items":[{"E":12}]}`, false, []string{"Items.0.E ([3]uint8)", "a number has come: 12"}},
		{"NewLife, a time", `{"Items":[{"G":"2024-13-01"}]}`, false, []string{"Items.0.G (time.Time)", `a string has come: "2024-13-01"`}},
		{"NewLife, a number for a time", `{"Items":[{"G":1.5}]}`, false, []string{"Items.0.G (time.Time)", "a number has come: 1.5"}},
		{"NewLife, a bool for a time", `{"Items":[{"G":true}]}`, false, []string{"Items.0.G (time.Time)", "a bool has come: true"}},
		{"NewLife, an array for a time", `{"Items":[{"G":[1]}]}`, false, []string{"Items.0.G (time.Time)", "an array has come: `[1]`"}},
		{"NewLife, a duration", `{"Items":[{"H":"25:00:00"}]}`, false, []string{"Items.0.H (time.Duration)", `a string has come: "25:00:00"`}},
		{"NewLife, a number for a duration", `{"Items":[{"H":5}]}`, false, []string{"Items.0.H (time.Duration)", "a number has come: 5"}},
		{"NewLife, UnmarshalJSON", `{"Items":[{"I":{"a": 1}}]}`, false, []string{"Items.0.I (value_test.picky)", "an object has come: `{\"a\": 1}`", errPicky.Error()}},
		{"NewLife, UnmarshalText", `{"Items":[{"K":"x"}]}`, false, []string{"Items.0.K (value_test.wordy)", `a string has come: "x"`, errPicky.Error()}},
		{"NewLife, too many elements", `{"Items":[{"J":[1,2,3]}]}`, false, []string{"Items.0.J ([2]int8)", "an array has come", "more than 2"}},
		{"NewLife, an integer out of range", `{"Items":[{"J":[300]}]}`, false, []string{"Items.0.J.0 (int8)", "a number has come: 300", "out of range"}},
		{"NewLife, no number", `{"Items":[{"O":"x"}]}`, false, []string{"Items.0.O (json.Number)", `a string has come: "x"`}},
		{"NewLife, a string for a list", `{"Items":"x"}`, false, []string{"Items ([]struct", `a string has come: "x"`}},
	} {
		t.Run(k.name, func(t *testing.T) {
			var err error
			if k.lossless {
				_, err = value.Dialect{}.ReadLossless([]byte(k.in), new(list))
			} else {
				err = value.Dialect{}.Read([]byte(k.in), new(list))
			}
			require.ErrorIs(t, err, value.ErrConvert)
			for _, s := range k.says {
				require.ErrorContains(t, err, s)
			}
			require.LessOrEqual(t, strings.Count(err.Error(), "é"), 70, "the text is cut")
			if slices.Contains(k.says, errPicky.Error()) {
				require.ErrorIs(t, err, errPicky)
			}
		})
	}
}

// Bare text that does not convert is told like what stands in JSON.
func TestConvertSaysOfText(t *testing.T) {
	for _, k := range []struct {
		in   string
		into any
		says []string
	}{
		{"x", new(int), []string{"a.n (int)", `text has come: "x"`}},
		{"300", new(int8), []string{"(int8)", `text has come: "300"`, "out of range"}},
		{"mauve", new(color), []string{"(value_test.color)", `text has come: "mauve"`}},
		{"AAA=", new([3]byte), []string{"([3]uint8)", `text has come: "AAA="`, "2 bytes, not 3"}},
		{"yesterday", new(time.Time), []string{"(time.Time)", `text has come: "yesterday"`}},
		{"25:00", new(time.Duration), []string{"(time.Duration)", `text has come: "25:00"`}},
		{"x", new(picky), []string{"(value_test.picky)", `text has come: "x"`, errPicky.Error()}},
		{"x", new(wordy), []string{"(value_test.wordy)", `text has come: "x"`, errPicky.Error()}},
	} {
		t.Run(fmt.Sprintf("%T", k.into), func(t *testing.T) {
			err := value.Dialect{}.Bind([]byte(k.in), value.Param{Name: "a.n", Into: k.into})
			read := value.Dialect{}.Read([]byte(k.in), k.into)
			require.ErrorIs(t, err, value.ErrConvert)
			for _, s := range k.says {
				require.ErrorContains(t, err, s)
			}
			if _, bytes := k.into.(*[3]byte); !bytes {
				require.ErrorContains(t, read, k.says[1])
			}
		})
	}
}

type color uint8

func (c color) String() string { return []string{"red", "green"}[c] }

var errPicky = errors.New("not to my taste")

type picky struct{ A int }

func (picky) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

func (*picky) UnmarshalJSON([]byte) error { return errPicky }

type wordy struct{ A int }

func (wordy) MarshalText() ([]byte, error) { return []byte("w"), nil }

func (*wordy) UnmarshalText([]byte) error { return errPicky }
