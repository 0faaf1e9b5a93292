package legacy

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/vectors"
)

// line is one line of the recording.
type line struct {
	at      string // file:line
	raw     rawLine
	hex     []byte
	options binary.Options
	value   any // nil where the line has none
	after   any // the object after writing
	read    any // what .NET reads back where that is not value
	bytes   int // how far reading got

	bad error // what is unknown in it
}

type rawLine struct {
	Name            string          `json:"name"`
	Model           string          `json:"model"`
	Decode          bool            `json:"decode"`
	Options         json.RawMessage `json:"options"`
	Value           json.RawMessage `json:"value"`
	Hex             *string         `json:"hex"`
	Read            json.RawMessage `json:"read"`
	ValueAfterWrite json.RawMessage `json:"valueAfterWrite"`
	Error           string          `json:"error"`
	ReadError       string          `json:"readError"`
	ReadBytes       *string         `json:"readBytes"`
	Total           *string         `json:"total"`
}

// rawOptions is the JSON form of the options.
type rawOptions struct {
	EncodeInt, LittleEndian, UseFieldSize, FullTime, UseRef, TrimZero bool

	SizeWidth, Version, Encoding string
	IgnoreMembers                []string
}

// parse reads the recording. A line that says what nobody knows keeps the reason.
func parse(t *testing.T, file string, data []byte, encoding func(string) binary.Encoding) (lines []*line) {
	t.Helper()
	names := map[string]bool{}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		l := &line{at: fmt.Sprintf("%s:%d", file, i+1)}
		l.bad = l.parse(text, encoding)
		if l.bad == nil && names[l.raw.Name] {
			l.bad = fmt.Errorf("the name %s comes twice", l.raw.Name)
		}
		names[l.raw.Name] = true
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		t.Skipf("%s has no lines", file)
	}
	return lines
}

func (l *line) parse(text []byte, encoding func(string) binary.Encoding) (err error) {
	if err := strict(text, &l.raw); err != nil {
		return err
	}
	if New(l.raw.Model) == nil {
		return fmt.Errorf("unknown model %q", l.raw.Model)
	}
	if l.raw.Hex != nil {
		if l.hex, err = hex.DecodeString(*l.raw.Hex); err != nil {
			return err
		}
	}
	l.bytes = len(l.hex)
	if l.raw.ReadBytes != nil {
		if l.bytes, err = strconv.Atoi(*l.raw.ReadBytes); err != nil {
			return err
		}
	}
	for to, raw := range map[*any]json.RawMessage{&l.value: l.raw.Value, &l.after: l.raw.ValueAfterWrite, &l.read: l.raw.Read} {
		if raw == nil {
			continue
		}
		if *to, err = model(l.raw.Model, raw); err != nil {
			return err
		}
	}
	switch {
	case l.raw.Name == "":
		return fmt.Errorf("a line without a name")
	case l.raw.Hex == nil && (l.raw.Decode || l.raw.Error == ""):
		return fmt.Errorf("a line without hex and without error")
	case l.value == nil && !l.raw.Decode:
		return fmt.Errorf("a line without value")
	}
	l.options, err = options(l.raw.Options, encoding)
	return err
}

// model makes a value of a model.
func model(name string, raw json.RawMessage) (any, error) {
	var v any
	if err := strict(raw, &v); err != nil {
		return nil, err
	}
	m := New(name)
	d := vectors.Decoder{New: New}
	return m, d.Value(m, v)
}

func options(raw json.RawMessage, encoding func(string) binary.Encoding) (o binary.Options, err error) {
	var r rawOptions
	if raw == nil {
		return o, fmt.Errorf("a line without options")
	}
	if err := strict(raw, &r); err != nil {
		return o, err
	}
	o = binary.Options{
		EncodeInt: r.EncodeInt, LittleEndian: r.LittleEndian, UseFieldSize: r.UseFieldSize, FullTime: r.FullTime,
		UseRef: r.UseRef, TrimZero: r.TrimZero, Version: r.Version, IgnoreMembers: r.IgnoreMembers,
		Deterministic: true,
	}
	if r.SizeWidth != "" {
		if o.SizeWidth, err = strconv.Atoi(r.SizeWidth); err != nil {
			return o, err
		}
	}
	if r.Encoding != "" {
		if o.Encoding = encoding(r.Encoding); o.Encoding == nil {
			return o, fmt.Errorf("unknown encoding %q", r.Encoding)
		}
	}
	return o, nil
}

// strict reads one JSON value, refusing members that v does not have.
func strict(text []byte, v any) error {
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
