package load

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// foreignPlace says where a package lies that is not the user's to change, "" for
// one that is: of the main module, or of one that a folder stands for.
func foreignPlace(p *packages.Package) string {
	m := p.Module
	switch {
	case m == nil || m.Main:
		return ""
	case len(p.GoFiles) > 0 && strings.Contains(filepath.ToSlash(p.GoFiles[0]), "/vendor/"+p.PkgPath+"/"):
		return "a vendor directory"
	case m.Replace != nil && m.Replace.Version == "":
		return ""
	}
	return "the module cache"
}

// noteVendor reports a module with a vendor folder that lacks the package that
// generated code imports: until it is vendored as well nothing builds.
func (l *loader) noteVendor() {
	for _, u := range l.units {
		m := u.pkg.Module
		if len(u.chosen) == 0 || m == nil || m.Dir == "" {
			continue
		}
		vendor := filepath.Join(m.Dir, "vendor")
		if _, err := os.Stat(filepath.Join(vendor, "modules.txt")); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(vendor, filepath.FromSlash(spanPath))); err == nil {
			continue
		}
		l.diagnostics = append(l.diagnostics, Diagnostic{
			Warning: true,
			Message: "the vendor directory of " + m.Path + " has no " + spanPath + ", which the generated code imports: run go mod vendor",
		})
		return
	}
}
