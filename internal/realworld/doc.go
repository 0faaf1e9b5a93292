// Package realworld generates code for the structs of large public packages,
// which nobody wrote with us in mind: pointers everywhere, enums, maps,
// recursion, interfaces, embedded markers. Each struct is held in one of ours;
// the holders are generated, compiled and held against reflection with random
// values. Structs that can't be carried are listed in testdata/refused.txt with
// the reasons.
//
//	go test .               20 values a struct
//	go test . -full         1,000 values a struct
//	go test . -update       write testdata/refused.txt anew
package realworld
