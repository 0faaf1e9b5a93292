// Package gogo holds the models as messages of gogo/protobuf's gogofaster:
// nested messages by value.
package gogo

//go:generate sh -c "cd ../.. && protoc -I peers/gogo -I $(go list -m -f '{{.Dir}}' github.com/gogo/protobuf) --plugin=protoc-gen-gogofaster=$(go tool -n protoc-gen-gogofaster) --gogofaster_out=paths=source_relative:peers/gogo models.proto"
