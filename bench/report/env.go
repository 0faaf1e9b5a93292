package report

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Env is where it was measured.
type Env struct {
	CPU, Go, OS, Kernel string
	Cores               int
	MemoryGiB           int
	Month               string
	Modules             map[string]string // versions of what is compared
}

// Environment looks at this machine, and at the versions in the go.mod of dir.
func Environment(dir string) (Env, error) {
	e := Env{
		Go: runtime.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(),
		Month: time.Now().Format("2006-01"), Modules: map[string]string{},
	}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if name, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				e.CPU = strings.TrimSpace(v)
				break
			}
		}
	}
	var u unix.Utsname
	if err := unix.Uname(&u); err == nil { // the version without the builder's suffix
		e.Kernel, _, _ = strings.Cut(unix.ByteSliceToString(u.Release[:]), "-")
	}
	var si unix.Sysinfo_t
	if err := unix.Sysinfo(&si); err == nil {
		e.MemoryGiB = int((si.Totalram*uint64(si.Unit) + 1<<29) >> 30)
	}
	cmd := exec.Command("go", "list", "-m", "-json", "all")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return e, err
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var m struct {
			Path, Version string
			Indirect      bool
		}
		if err := dec.Decode(&m); err != nil {
			return e, err
		}
		if !m.Indirect && m.Version != "" && !strings.HasPrefix(m.Path, "github.com/spanwire/") {
			e.Modules[m.Path] = m.Version
		}
	}
	return e, nil
}

// moduleList is in the order of paths.
func (e Env) moduleList() []string {
	var l []string
	for p, v := range e.Modules {
		l = append(l, p+" "+v)
	}
	sort.Strings(l)
	return l
}
