package gen

import (
	"go/types"
	"unicode"
	"unicode/utf8"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// tellCaseless reports, under -v, fields of the chosen packages that are
// unexported only because their names begin with a letter that has no case, as
// those of Chinese, Japanese and Korean do: their author may think them on the
// wire.
func (g *generator) tellCaseless(p *load.Package, plan *layout.Plan) {
	for _, s := range plan.Structs {
		t, ok := g.loaded.Feed.Type(s.Type).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range t.NumFields() {
			v := t.Field(i)
			if !caseless(v.Name()) || !p.Named(v.Pos()) || len(layout.SpanTags.Says(t.Tag(i))) > 0 || g.caseless[v] {
				continue
			}
			g.caseless[v] = true
			pos := p.Position(v.Pos())
			pos.Filename = load.Relative(g.cfg.Load.Dir, pos.Filename)
			g.logf("%s: the field %s is not exported, so it is not written: its first letter is not upper case; "+
				"put an upper-case letter in front, or tag it `span:\"-\"`", pos, v.Name())
		}
	}
}

// caseless reports whether name begins with a letter that has no
// case.
func caseless(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsLower(r)
}
