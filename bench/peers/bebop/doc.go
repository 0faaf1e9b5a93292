// Package bebop holds the models as bebop structs: package safe copies strings,
// package fast lets them alias the input and has methods without checks.
package bebop

//go:generate sh -c "go tool bebopc-go -i models.bop -o safe/models.go -package safe && go tool bebopc-go -i models.bop -o fast/models.go -package fast -generate-unsafe -share-string-memory && gofmt -w safe fast"
