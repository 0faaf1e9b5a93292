package value

import "reflect"

// Object is a JSON object whose members keep their order, where a map is sorted.
type Object []Entry

// Entry is a member of an Object.
type Entry struct {
	Name  string
	Value any
}

var objectType = typeFor[Object]()

func (d *Dialect) appendObject(b []byte, o Object, level int) ([]byte, error) {
	b = append(b, '{')
	if d.deep(level) {
		return append(b, '}'), nil
	}
	first := true
	for _, m := range o {
		v := reflect.ValueOf(m.Value)
		if !d.Keep && (!v.IsValid() || d.leftOut(v)) {
			if err := d.lose("an entry that is zero is left out"); err != nil {
				return b, under(err, m.Name)
			}
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, m.Name), ':')
		var err error
		if b, err = d.appendJSON(b, v, level+1); err != nil {
			return b, under(err, m.Name)
		}
	}
	return append(b, '}'), nil
}
