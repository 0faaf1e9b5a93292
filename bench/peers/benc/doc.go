// Package benc holds the models as benc containers: package safe copies strings
// and bytes, package fast lets them alias the input.
package benc

//go:generate go tool bencgen --in safe/models.benc --out safe --file ... --lang go --force
//go:generate go tool bencgen --in fast/models.benc --out fast --file ... --lang go --force
//go:generate gofmt -w safe fast
