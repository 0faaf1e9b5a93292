package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/span"
)

// Line is one line of a recording.
type Line struct {
	At      string // file:line
	Name    string
	Model   string // the type of Value; or
	Op      string // an operation of SpanWriter with
	Arg     any    // its argument and
	N       int    // its length or width
	Options span.Options

	Decode    bool // only reading was tried
	HasHex    bool
	Hex       []byte
	Value     any // as JSON: nil is null
	HasValue  bool
	Read      any // what .NET reads back where that differs from Value
	HasRead   bool
	Error     string // of writing, or of reading where Decode is set
	ReadError string // .NET can't read its own bytes
	ReadBytes int    // how far reading got

	Bad error // what is unknown in the line
}

// rawLine is the JSON form of a line.
type rawLine struct {
	Name      string          `json:"name"`
	Model     string          `json:"model"`
	Op        string          `json:"op"`
	Arg       json.RawMessage `json:"arg"`
	N         json.RawMessage `json:"n"`
	Options   json.RawMessage `json:"options"`
	Decode    bool            `json:"decode"`
	Hex       *string         `json:"hex"`
	Value     json.RawMessage `json:"value"`
	Read      json.RawMessage `json:"read"`
	Error     string          `json:"error"`
	ReadError string          `json:"readError"`
	ReadBytes json.RawMessage `json:"readBytes"`
}

// Parse reads the lines of a recording. at is its name in messages. A line that
// says what nobody knows keeps the reason.
func Parse(at string, data []byte) (lines []Line) {
	names := map[string]bool{}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		l, err := parseLine(text)
		if l == nil {
			l = &Line{}
		}
		if err == nil && names[l.Name] {
			err = fmt.Errorf("the name %q comes twice", l.Name)
		}
		names[l.Name] = true
		l.At, l.Bad = fmt.Sprintf("%s:%d", at, i+1), err
		lines = append(lines, *l)
	}
	return lines
}

func parseLine(text []byte) (*Line, error) {
	var raw rawLine
	if err := unmarshal(text, &raw); err != nil {
		return nil, err
	}
	l := &Line{Name: raw.Name, Model: raw.Model, Op: raw.Op, Decode: raw.Decode, Error: raw.Error, ReadError: raw.ReadError}
	l.HasHex = raw.Hex != nil
	l.HasValue, l.HasRead = raw.Value != nil, raw.Read != nil
	err := first(
		func() (err error) { l.Value, err = anyJSON(raw.Value); return },
		func() (err error) { l.Read, err = anyJSON(raw.Read); return },
		func() (err error) { l.Arg, err = anyJSON(raw.Arg); return },
		func() (err error) { l.N, err = intJSON(raw.N); return },
		func() (err error) { l.Options, err = options(raw.Options); return },
		func() (err error) {
			if l.HasHex {
				l.Hex, err = hex.DecodeString(*raw.Hex)
			}
			return
		},
	)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	l.ReadBytes = len(l.Hex)
	if raw.ReadBytes != nil {
		if l.ReadBytes, err = intJSON(raw.ReadBytes); err != nil {
			return nil, fmt.Errorf("%s: readBytes: %w", l.Name, err)
		}
	}
	return l, l.complete()
}

// complete reports what a line lacks to say anything.
func (l *Line) complete() error {
	switch {
	case l.Name == "":
		return fmt.Errorf("a line without a name")
	case (l.Model == "") == (l.Op == "") && !strings.Contains(l.Op, "<T>"):
		return fmt.Errorf("%s: a line has a model or an op", l.Name)
	case l.Decode && (!l.HasHex || !l.HasValue && l.Error == ""):
		return fmt.Errorf("%s: reading has hex, and a value or an error", l.Name)
	case !l.Decode && l.HasHex == (l.Error != ""):
		return fmt.Errorf("%s: writing has hex or an error", l.Name)
	case !l.Decode && l.Op == "" && !l.HasValue:
		return fmt.Errorf("%s: writing has a value", l.Name)
	case l.ReadBytes < 0 || l.ReadBytes > len(l.Hex):
		return fmt.Errorf("%s: readBytes is outside hex", l.Name)
	}
	return nil
}

// options reads the switches of a line.
func options(raw json.RawMessage) (o span.Options, err error) {
	if raw == nil {
		return o, nil
	}
	var switches struct{ BigEndian, EncodeInt, FullTime bool }
	if err := unmarshal(raw, &switches); err != nil {
		return o, fmt.Errorf("options: %w", err)
	}
	return span.Options{BigEndian: switches.BigEndian, EncodeInt: switches.EncodeInt, FullTime: switches.FullTime}, nil
}

// unmarshal reads one JSON value, refusing members that v does not have.
func unmarshal(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the value")
	}
	return nil
}

// anyJSON reads a JSON value of any form.
func anyJSON(raw json.RawMessage) (v any, err error) {
	if raw == nil {
		return nil, nil
	}
	err = unmarshal(raw, &v)
	return v, err
}

// intJSON reads an integer, which recordings write as a string.
func intJSON(raw json.RawMessage) (int, error) {
	if raw == nil {
		return 0, nil
	}
	return strconv.Atoi(strings.Trim(string(raw), `"`))
}

// first calls the functions in order until one fails.
func first(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
