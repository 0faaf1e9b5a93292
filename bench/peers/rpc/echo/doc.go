// Package echo holds the echo service as gRPC, DRPC, ttrpc and Connect generate
// it.
package echo

//go:generate sh -c "cd ../../.. && protoc -I peers/rpc/echo --plugin=protoc-gen-go=$(go tool -n protoc-gen-go) --plugin=protoc-gen-go-grpc=$(go tool -n protoc-gen-go-grpc) --plugin=protoc-gen-go-drpc=$(go tool -n protoc-gen-go-drpc) --plugin=protoc-gen-go-ttrpc=$(go tool -n protoc-gen-go-ttrpc) --plugin=protoc-gen-connect-go=$(go tool -n protoc-gen-connect-go) --go_out=paths=source_relative:peers/rpc/echo --go-grpc_out=paths=source_relative:peers/rpc/echo --go-drpc_out=paths=source_relative:peers/rpc/echo --go-ttrpc_out=paths=source_relative,prefix=TTRPC:peers/rpc/echo --connect-go_out=paths=source_relative:peers/rpc/echo echo.proto"
