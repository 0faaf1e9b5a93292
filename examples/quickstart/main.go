// Command quickstart builds and runs the tour beside it: a struct, the code that
// is generated for it, its bytes, what it costs beside other packages, and what
// becomes of a hostile message. It takes about fifteen seconds, and the first
// time as long as the compiler needs for the tour: it says how far that is.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"
)

const tour = "github.com/spanwire/spanwire/examples/quickstart/tour"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "tour.exe") // the name that runs everywhere
	fmt.Println("building the tour, with the generator in it (the first time that takes a minute or so, then a second) ...")
	if err := build(program); err != nil {
		return err
	}
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// build compiles the tour and says every few seconds how far it is.
func build(program string) error {
	cmd := exec.Command("go", "build", "-v", "-o", program, tour)
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var packages atomic.Int32
	done := make(chan struct{})
	go progress(&packages, done)
	defer close(done)
	said, err := listen(out, &packages)
	if err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", tour, err, said)
	}
	return nil
}

// listen counts the packages that the compiler names, a line each, and returns
// the last lines: they say what is wrong, if anything is.
func listen(out io.Reader, packages *atomic.Int32) (said string, err error) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		packages.Add(1)
		said += lines.Text() + "\n"
		said = said[max(0, len(said)-2000):]
	}
	return said, lines.Err()
}

func progress(packages *atomic.Int32, done <-chan struct{}) {
	begun := time.Now()
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			fmt.Printf("  %d packages compiled, %v\n", packages.Load(), time.Since(begun).Round(time.Second))
		case <-done:
			return
		}
	}
}
