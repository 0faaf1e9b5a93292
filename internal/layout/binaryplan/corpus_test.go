package binaryplan_test

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/layout/binaryplan/testdata/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var running = fromreflect.Accessors{
	Accessor: reflect.TypeFor[binary.Accessor](), MemberAccessor: reflect.TypeFor[binary.MemberAccessor](),
}

// TestCorpus compares the feeds: what a running program says of a type is what
// spangen says of its source, plan or problems. Problems are golden.
func TestCorpus(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
	}, reflect.TypeFor[corpus.Valid]().PkgPath())
	require.NoError(t, err)
	require.Empty(t, pkgs[0].Errors)
	for _, list := range []reflect.Type{reflect.TypeFor[corpus.Valid](), reflect.TypeFor[corpus.Invalid]()} {
		walked := map[binaryplan.Op]bool{}
		source := pkgs[0].Types.Scope().Lookup(list.Name()).Type().Underlying().(*types.Struct)
		feed := fromtypes.New()
		one, two := binaryplan.NewCompiler(running), binaryplan.NewCompiler(feed)
		var texts []txtar.File
		for i := range list.NumField() {
			f := list.Field(i)
			for _, form := range []binaryplan.Form{{}, binaryplan.Strictest, {LittleEndian: true, EncodeInt: true, FullTime: true, SizeWidth: 2}} {
				got := outcome(one.Compile(f.Type, form))
				require.Equal(t, got, outcome(two.Compile(feed.Ref(source.Field(i).Type()), form)), "%s from source", f.Name)
				require.Equal(t, got, outcome(binaryplan.NewCompiler(running).Compile(f.Type, form)), "%s alone", f.Name)
				if form == binaryplan.Strictest {
					texts = append(texts, txtar.File{Name: f.Name, Data: []byte(got)})
				}
			}
			n, problems := one.Compile(f.Type, binaryplan.Strictest)
			note(n, walked, map[*binaryplan.Node]bool{})
			require.Equal(t, list.Name() == "Invalid", len(problems) > 0, "%s: %v", f.Name, problems)
		}
		for _, op := range binaryplan.Ops() {
			require.NotContains(t, op.String(), "(")
			if list.Name() == "Valid" {
				require.Equal(t, op != binaryplan.OpUnknown, walked[op], "the corpus has a %s", op)
			}
		}
		golden(t, filepath.Join("testdata", strings.ToLower(list.Name())+".txtar"), texts)
	}
}

// note notes the forms of a plan.
func note(n *binaryplan.Node, walked map[binaryplan.Op]bool, seen map[*binaryplan.Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n], walked[n.Op] = true, true
	note(n.Elem, walked, seen)
	note(n.Key, walked, seen)
	if n.Struct != nil {
		for i := range n.Struct.Fields {
			note(n.Struct.Fields[i].Node, walked, seen)
		}
	}
}

// golden compares texts with those of a file.
func golden(t *testing.T, file string, texts []txtar.File) {
	t.Helper()
	got := strings.ReplaceAll(string(txtar.Format(&txtar.Archive{Files: texts})), "github.com/spanwire/spanwire/internal/layout/binaryplan/testdata/", "")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s: run with -update and review the change", file)
}

// outcome is a plan, or all problems, as text.
func outcome(n *binaryplan.Node, problems []layout.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s [%s, field %d, type %s]\n", p.Error(), p.Code, p.Field, p.Type)
	}
	if len(problems) == 0 {
		(&dump{b: &b, seen: map[*binaryplan.Node]bool{}}).node(n, 0)
	}
	return b.String()
}

// A dump prints a plan, each struct once.
type dump struct {
	b    *strings.Builder
	seen map[*binaryplan.Node]bool
}

func (d *dump) node(n *binaryplan.Node, depth int) {
	fmt.Fprintf(d.b, "%s %s len=%d size=%d %+v min=%d", n.Op, n.Name, n.Len, n.Size, n.Length, n.Min)
	for _, f := range []struct {
		on   bool
		name string
	}{
		{n.LE, "le"}, {n.Varint, "varint"}, {n.Full, "full"}, {n.Signed, "signed"}, {n.BCD > 0, "bcd"},
		{n.Null > 0, "null"}, {n.Empty, "empty"}, {n.Mutates, "mutates"}, {n.Open, "open"},
	} {
		if f.on {
			d.b.WriteString(" " + f.name)
		}
	}
	if d.seen[n] {
		d.b.WriteString(" (again)\n")
		return
	}
	d.seen[n] = true
	d.b.WriteByte('\n')
	for _, m := range []*binaryplan.Node{n.Key, n.Elem} {
		if m != nil {
			d.b.WriteString(strings.Repeat("\t", depth+1))
			d.node(m, depth+1)
		}
	}
	if n.Struct != nil {
		d.structure(n.Struct, depth+1)
	}
}

func (d *dump) structure(s *binaryplan.Struct, depth int) {
	tabs := strings.Repeat("\t", depth)
	fmt.Fprintf(d.b, "%srefs=%v last=%d member=%v\n", tabs, s.Refs, s.Last, s.Member)
	for i := range s.Fields {
		f := &s.Fields[i]
		fmt.Fprintf(d.b, "%s%s %v min=%d", tabs, f.Path, f.Index, f.Min)
		fmt.Fprintf(d.b, " blank=%v own=%v lends=%v pad=%d align=%d mark=%d open=%v trailer=%d", f.Blank, f.Own, f.Lends, f.Pad, f.Align, f.Mark, f.Open, f.Trailer)
		for _, c := range f.Sizes {
			fmt.Fprintf(d.b, " size(%q %+v%s)", c.Version, c.Length, reference(c.Ref))
		}
		d.b.WriteString(reference(f.Count))
		if f.If != nil {
			fmt.Fprintf(d.b, " if%s bit=%d negate=%v", reference(&f.If.Reference), f.If.Bit, f.If.Negate)
		}
		if f.Bits != nil {
			fmt.Fprintf(d.b, " run of %d lsb=%v", f.Bits.Size, f.Bits.LSB)
			for _, b := range f.Bits.Fields {
				fmt.Fprintf(d.b, " %s:%d %v%s", b.Path, b.Bits, b.Index, constant(b.Const))
			}
		}
		if f.Sum != nil {
			fmt.Fprintf(d.b, " sum(%s %d %d)", f.Sum.Name, f.Sum.Size, f.Sum.Slot)
		}
		d.b.WriteString(constant(f.Const))
		if f.Node == nil {
			d.b.WriteByte('\n')
			continue
		}
		d.b.WriteString(": ")
		d.node(f.Node, depth)
	}
}

func reference(r *binaryplan.Reference) string {
	if r == nil {
		return ""
	}
	s := fmt.Sprintf(" (%s field %d %s offset=%d", r.Text, r.Field, r.Node.Op, r.Offset)
	for _, step := range r.Steps {
		s += fmt.Sprint(" ", step.Index)
	}
	return s + ")"
}

func constant(c *binaryplan.Const) string {
	switch {
	case c == nil:
		return ""
	case c.Value != nil:
		return fmt.Sprintf(" const(%#x)", *c.Value)
	}
	return fmt.Sprintf(" const(%x)", c.Raw)
}
