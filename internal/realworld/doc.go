// Package realworld generates code for the structs of large public packages,
// which nobody wrote with us in mind: pointers everywhere, enums, maps,
// recursion, interfaces, embedded markers. Each struct is held in one of ours;
// the holders are generated, compiled and held against reflection with random
// values, whose unexported fields count. Where the rules say what a tag must leave
// out for a struct to be carried, the holder has that tag. What is left out, and
// the structs that can't be carried at all, with the first reason, are listed in
// testdata/refused.txt.
//
//	go test .               20 values for each of a share of the structs
//	go test . -full         1,000 values for each of all structs, of which .ci/run full takes 20
//	go test . -update       write testdata/refused.txt anew
package realworld
