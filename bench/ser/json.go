package ser

import (
	"encoding/json"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	ejson "github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/easyjson"
)

// anyRow fills a row with codecs made of functions on any, for the models' own
// types.
func anyRow(r Row, enc func([]byte, any) ([]byte, error), dec func([]byte, any) error) *Row {
	r.Simple = anyOf[model.Simple](enc, dec)
	r.Small = anyOf[model.Small](enc, dec)
	r.Nested = anyOf[model.Nested](enc, dec)
	r.Batch = anyOf[model.Batch](enc, dec)
	r.Rich = anyOf[model.Rich](enc, dec)
	return &r
}

func anyOf[M any](enc func([]byte, any) ([]byte, error), dec func([]byte, any) error) Maker[M] {
	return same(func(b []byte, v *M) ([]byte, error) { return enc(b, v) }, func(b []byte, v *M) error { return dec(b, v) })
}

// fresh makes an encoder of a function that returns memory of its own.
func fresh(f func(any) ([]byte, error)) func([]byte, any) ([]byte, error) {
	return func(_ []byte, v any) ([]byte, error) { return f(v) }
}

type easyMethods[T any] interface {
	*T
	MarshalEasyJSON(*jwriter.Writer)
	ejson.Unmarshaler
}

func easyOf[M, T any, P easyMethods[T]]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) {
		var w jwriter.Writer
		P(v).MarshalEasyJSON(&w)
		return w.BuildBytes(b)
	}, func(b []byte, v *T) error { return ejson.Unmarshal(b, P(v)) })
}

func jsonRows() []*Row {
	const text = "JSON text with field names"
	return []*Row{
		anyRow(Row{Peer: "encoding/json", Name: "encoding/json", Group: Text, Strings: "copy", Note: text},
			fresh(json.Marshal), json.Unmarshal),
		anyRow(Row{Peer: "encoding/json/v2", Name: "json v2", Group: Text, Strings: "copy", Note: text + "; go-json-experiment/json"},
			fresh(func(v any) ([]byte, error) { return jsonv2.Marshal(v) }),
			func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }),
		anyRow(Row{Peer: "sonic", Name: "sonic", Group: Text, Strings: "alias", Note: text + "; ConfigDefault: strings alias the input; compiled at run time"},
			fresh(sonic.ConfigDefault.Marshal), sonic.ConfigDefault.Unmarshal),
		anyRow(Row{Peer: "sonic", Name: "sonic std", Group: Text, Strings: "copy", Note: text + "; ConfigStd: as encoding/json; compiled at run time"},
			fresh(sonic.ConfigStd.Marshal), sonic.ConfigStd.Unmarshal),
		{
			Peer: "easyjson", Name: "easyjson", Group: Text, Strings: "copy", Note: text + "; generated code",
			Simple: easyOf[model.Simple, easyjson.Simple](), Small: easyOf[model.Small, easyjson.Small](),
			Nested: easyOf[model.Nested, easyjson.Nested](), Batch: easyOf[model.Batch, easyjson.Batch](), Rich: easyOf[model.Rich, easyjson.Rich](),
		},
	}
}
