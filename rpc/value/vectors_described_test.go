package value

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// describedObject reads what a line says of an object's members, in their
// order: "anonymous { Name = "Stone", Age = 0, Note = (null) }". It returns
// nothing for other forms. A description may leave out the end of a text, which
// is then taken from the recorded object.
func describedObject(write string, recorded any) (Object, error) {
	_, in, open := strings.Cut(write, "{")
	in, closed := strings.CutSuffix(strings.TrimSpace(in), "}")
	if !open || !closed {
		return nil, nil
	}
	o := Object{}
	for _, member := range splitMembers(in) {
		name, text, ok := strings.Cut(member, "=")
		if !ok {
			return nil, nil
		}
		v, err := describedValue(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		o = append(o, Entry{Name: strings.TrimSpace(name), Value: v})
	}
	if there, ok := recorded.(Object); ok && len(there) == len(o) {
		for i := range o {
			said, ok := o[i].Value.(string)
			whole, ok2 := there[i].Value.(string)
			if ok && ok2 && strings.HasPrefix(whole, said) {
				o[i].Value = whole
			}
		}
	}
	return o, nil
}

// splitMembers cuts at the commas outside of quotes.
func splitMembers(s string) (members []string) {
	quoted, start := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			members, start = append(members, s[start:i]), i+1
		}
	}
	return append(members, s[start:])
}

func describedValue(text string) (any, error) {
	switch {
	case text == "null" || text == "(null)":
		return nil, nil
	case text == "true" || text == "false":
		return text == "true", nil
	case strings.HasPrefix(text, `"`):
		return strconv.Unquote(text)
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return json.Number(text), nil
	}
	if at, err := dotnet.ParseTime(text); err == nil {
		return at, nil
	}
	return nil, fmt.Errorf("nobody knows the value %q", text)
}
