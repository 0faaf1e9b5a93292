package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames: each form and encoding that is declared has a name, and no other value
// has one; the first, which is that of no form, is not known.
func TestNames(t *testing.T) {
	declared := map[string]int{}
	file, err := parser.ParseFile(token.NewFileSet(), "plan.go", nil, 0)
	require.NoError(t, err)
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if typ, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); ok {
			declared[typ.Name] += len(g.Specs)
		}
	}
	require.Equal(t, map[string]int{"Op": len(opNames), "Enc": len(encNames), "TimeEnc": len(timeNames)}, declared)
	for _, names := range [][]string{opNames[:], encNames[:], timeNames[:]} {
		seen := map[string]bool{"": true}
		for i, name := range names {
			require.False(t, seen[name], "%d", i)
			seen[name] = true
		}
	}
	require.False(t, OpInvalid.Known() || Op(len(opNames)).Known() || Op(255).Known())
	require.False(t, EncNone.Known() || Enc(len(encNames)).Known() || Enc(255).Known())
	require.False(t, TimeNone.Known() || TimeEnc(len(timeNames)).Known() || TimeEnc(255).Known())
	require.Equal(t, "op(255) enc(255) time(255)", Op(255).String()+" "+Enc(255).String()+" "+TimeEnc(255).String())
}

// forms are nodes of every form and encoding.
func forms() []*Node {
	byte8 := &Node{Op: OpInt, Size: 1, Enc: EncFixed}
	var all []*Node
	for op := OpInvalid + 1; op.Known(); op++ {
		n := Node{Op: op, Name: "example.com/m.Name", Size: 8, Elem: byte8, Key: byte8, Struct: &Struct{}, Max: Unlimited}
		switch op {
		case OpSized:
			n.Elem = &Node{Op: OpStruct, Struct: &Struct{Sized: true, Fields: []Field{{Name: "A", Node: byte8}}}}
		case OpInt:
			n.Enc = EncFixed
			for enc := EncFixed + 1; enc.Known(); enc++ {
				m := n
				m.Enc = enc
				all = append(all, &m)
			}
		case OpTime:
			n.Enc, n.Time = EncFixed, TimeFull
			for form := TimeFull + 1; form.Known(); form++ {
				m := n
				m.Time = form
				all = append(all, &m)
			}
		}
		all = append(all, &n)
	}
	return all
}

// TestTextOfForms: the layout text and the dump of a plan have a word for every form,
// and each another.
func TestTextOfForms(t *testing.T) {
	texts, dumps := map[string]*Node{}, map[string]*Node{}
	for _, n := range forms() {
		plan := &Plan{Root: &Node{Op: OpStruct, Struct: &Struct{Fields: []Field{{Name: "F", Node: n}}}}}
		text := printText(plan, true)
		_, word, _ := strings.Cut(text, " F ")
		require.NotEmpty(t, strings.TrimSpace(word), "%v", n.Op)
		require.NotContains(t, texts, word, "%v", n.Op)
		require.NotContains(t, word, "op(", "%v", n.Op)
		texts[word] = n
		dump := plan.String()
		require.NotContains(t, dumps, dump, "%v", n.Op)
		require.Contains(t, dump, "("+n.Op.String()+" ")
		dumps[dump] = n
	}
}

// TestUnknown: what has no name, or an encoding that it can't have, is not passed over.
func TestUnknown(t *testing.T) {
	for _, n := range forms() {
		require.Empty(t, n.Unknown(), "%v", n.Op)
	}
	for want, n := range map[string]*Node{
		"the form invalid":                        {},
		"the form op(200)":                        {Op: 200},
		"the encoding none of the form int":       {Op: OpInt},
		"the encoding enc(9) of the form int":     {Op: OpInt, Enc: 9},
		"the encoding fixed of the form bool":     {Op: OpBool, Enc: EncFixed},
		"the encoding none of the form time":      {Op: OpTime, Enc: EncFixed},
		"the encoding time(77) of the form time":  {Op: OpTime, Enc: EncFixed, Time: 77},
		"the encoding full of the form int":       {Op: OpInt, Enc: EncFixed, Time: TimeFull},
		"the encoding time(77) of the form float": {Op: OpFloat, Time: 77},
	} {
		require.Equal(t, want, n.Unknown())
		w := newWalk(NewCompiler(nil), "")
		w.order = []*Node{n}
		w.checkForms(Site{})
		require.Len(t, w.problems, 1)
		require.Contains(t, w.problems[0].Error(), want)
	}
}
