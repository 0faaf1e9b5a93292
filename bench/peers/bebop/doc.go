// Package bebop holds the models as bebop structs: package safe copies strings,
// package fast lets them alias the input and has methods without checks, package
// dated is as fast and has times instead of integers.
package bebop

//go:generate go tool bebopc-go -i models.bop -o safe/models.go -package safe
//go:generate go tool bebopc-go -i models.bop -o fast/models.go -package fast -generate-unsafe -share-string-memory
//go:generate go tool bebopc-go -i dated/models.bop -o dated/models.go -package dated -generate-unsafe -share-string-memory
//go:generate gofmt -w safe fast dated
