package span

import (
	"encoding/json"
	"testing"
)

func TestDecimalJSON(t *testing.T) {
	type price struct{ Amount Decimal }
	for _, c := range []struct{ in, out, err string }{
		{`{"Amount":1.10}`, `{"Amount":1.10}`, ""},
		{`{"Amount":"99.99"}`, `{"Amount":99.99}`, ""},
		{`{"Amount":-3e2}`, `{"Amount":-300}`, ""},
		{`{"Amount":null}`, `{"Amount":0}`, ""},
		{`{"Amount":"x"}`, "", "malformed"},
		{`{"Amount":1e40}`, "", "out of range"},
	} {
		var p price
		err := json.Unmarshal([]byte(c.in), &p)
		if (err != nil) != (c.err != "") {
			t.Errorf("%s: %v", c.in, err)
		}
		if c.err != "" {
			continue
		}
		if b, err := json.Marshal(p); string(b) != c.out || err != nil {
			t.Errorf("%s is written as %s, %v; want %s", c.in, b, err, c.out)
		}
	}
}
