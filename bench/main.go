// Command bench measures spanwire, the hand-written floors and every peer that
// can be had, and writes the report: tables, charts, environment and raw data.
//
//	go run .            the full run; it can be stopped and goes on where it was
//	go run -v . -quick  a look in under two minutes; -v shows the packages that are compiled first
//	go run . -report    the report again from what has been measured
//	go run . -keep -suites models,hostile
//	                    some suites anew, everything else as the report has it
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/report"
	"github.com/spanwire/spanwire/bench/rpcpeers"
	"github.com/spanwire/spanwire/bench/suite"
)

type settings struct {
	measure.Options
	quick, only, keep      bool
	suites, results, out   string
	readme                 string
	block                  string
	profileFor, scaledTime time.Duration
}

func main() {
	if role := os.Getenv(load.Role); role != "" {
		exit(child(role))
		return
	}
	var s settings
	flag.BoolVar(&s.quick, "quick", false, "few rows of load, three short rounds, no reruns; the report goes to the results")
	flag.BoolVar(&s.only, "report", false, "measure nothing: write the report from the results that are there")
	flag.BoolVar(&s.keep, "keep", false, "what is not measured now is taken from the report that is there")
	flag.StringVar(&s.suites, "suites", strings.Join(suite.Names, ","), "`suites` to run")
	flag.StringVar(&s.block, "block", "", "run only blocks whose name matches this `expression`")
	flag.StringVar(&s.results, "results", "results", "`folder` of the results")
	flag.StringVar(&s.out, "out", "report", "`folder` of the report")
	flag.StringVar(&s.readme, "readme", filepath.Join("..", "README.md"), "`file` whose lines between the markers are replaced")
	flag.IntVar(&s.Rounds, "rounds", 6, "rounds of each block")
	flag.IntVar(&s.Reruns, "reruns", 3, "reruns of a noisy cell")
	flag.Float64Var(&s.Noise, "noise", 0.15, "a cell is noisy when the middle half of its runs spreads over more than this share")
	flag.Float64Var(&s.Scale, "scale", 1, "of the time each run is given")
	flag.Parse()
	exit(run(s))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(role string) error {
	if role == "hostile" {
		return suite.HostileChild(os.Args[1:])
	}
	return load.Child(rpcpeers.ByName)
}

func run(s settings) error {
	s.profileFor = time.Second
	if s.quick {
		s.results = filepath.Join(s.results, "quick")
		s.out, s.readme = filepath.Join(s.results, "report"), ""
		s.Rounds, s.Reruns, s.Scale, s.profileFor = 3, 0, s.Scale/10, 200*time.Millisecond
		if !s.only { // a look is taken anew each time
			if err := os.RemoveAll(s.results); err != nil {
				return err
			}
		}
	}
	c := suite.Config{Quick: s.quick, Scale: s.Scale}
	match, err := regexp.Compile(s.block)
	if err != nil {
		return err
	}
	var blocks []measure.Block
	names := strings.Split(s.suites, ",")
	for _, name := range suite.Names {
		if !slices.Contains(names, name) {
			continue
		}
		for _, b := range suite.Blocks(name, c) {
			if match.MatchString(b.Name) {
				blocks = append(blocks, b)
			}
		}
	}
	r := measure.Runner{Dir: s.results, Out: os.Stderr, Options: s.Options, Only: s.only}
	start := time.Now()
	results, err := r.Do(blocks)
	if err != nil {
		return err
	}
	if !s.only {
		fmt.Fprintf(os.Stderr, "measured in %s\n", time.Since(start).Round(time.Second))
	}
	profiles, err := profiles(s, results)
	if err != nil {
		return err
	}
	env, err := environment(s)
	if err != nil {
		return err
	}
	data := &report.Data{Env: env, Options: r.Used, Missing: r.Missing, Quick: s.quick, Results: results, Profiles: profiles}
	if s.keep {
		if err := data.Keep(s.out); err != nil {
			return err
		}
	}
	if err := report.Write(data, s.out, s.readme); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "the report is", filepath.Join(s.out, "README.md"))
	return nil
}

// environment is that of the run, kept beside its results.
func environment(s settings) (report.Env, error) {
	file := filepath.Join(s.results, "environment.json")
	var env report.Env
	if s.only {
		text, err := os.ReadFile(file)
		if err == nil {
			return env, json.Unmarshal(text, &env)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return env, err
		}
	}
	env, err := report.Environment(".")
	if err != nil {
		return env, err
	}
	text, err := json.MarshalIndent(env, "", " ")
	if err != nil {
		return env, err
	}
	return env, os.WriteFile(file, text, 0o644)
}

// profiles profiles the stages of ours that are furthest from the floor, and our
// calls. Each kind is kept, so that suites may be run one after another.
func profiles(s settings, results []measure.Result) ([]suite.Profile, error) {
	var all []suite.Profile
	for _, kind := range []struct {
		suite string
		take  func() ([]suite.Profile, error)
	}{
		{"models", func() ([]suite.Profile, error) {
			var ps []suite.Profile
			for _, st := range report.Slowest(results) {
				p, err := suite.ProfileSer(st.Row, st.Model, st.Op, s.profileFor)
				if err != nil {
					return nil, err
				}
				ps = append(ps, p)
			}
			return ps, nil
		}},
		{"rpc", func() ([]suite.Profile, error) {
			var ps []suite.Profile
			for _, name := range []string{"spanwire goroutine blocking", "spanwire inline callbacks"} {
				p, err := suite.ProfileRPC(name, s.profileFor)
				if err != nil {
					return nil, err
				}
				ps = append(ps, p)
			}
			return ps, nil
		}},
	} {
		file := filepath.Join(s.results, "profiles-"+kind.suite+".json")
		if s.only || !slices.Contains(strings.Split(s.suites, ","), kind.suite) {
			var ps []suite.Profile
			text, err := os.ReadFile(file)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if err := json.Unmarshal(text, &ps); err != nil {
				return nil, err
			}
			all = append(all, ps...)
			continue
		}
		ps, err := kind.take()
		if err != nil {
			return nil, err
		}
		text, err := json.MarshalIndent(ps, "", " ")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
		all = append(all, ps...)
	}
	return all, nil
}
