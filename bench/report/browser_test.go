package report

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPageInBrowser looks at the page of the last run in Chromium: every chart is
// drawn, nothing fails to load, and nothing is wider than a desktop's window, a
// tablet's, or a telephone's.
func TestPageInBrowser(t *testing.T) {
	if os.Getenv("SPANWIRE_PEERS") == "" {
		t.Skip("needs Chromium, node and npm's playwright-core: .ci/peers-bench.sh installs them and runs it")
	}
	page, err := os.ReadFile("index.html")
	if err != nil {
		t.Fatal(err)
	}
	charts := strings.Count(string(page), "<img ")
	if charts == 0 {
		t.Fatal("no charts in the page")
	}
	s := httptest.NewServer(http.FileServer(http.Dir(".")))
	defer s.Close()
	shot := os.Getenv("SPANWIRE_SHOT") // where to keep a picture, if anywhere
	out, err := exec.Command("node", "testdata/page.cjs", s.URL+"/index.html", shot).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := strings.Repeat("drawn\n", charts); strings.TrimSpace(string(out)) != strings.TrimSpace(want) {
		t.Errorf("%d charts, but:\n%s", charts, out)
	}
}
