// Package pb holds the models as protobuf messages, for protobuf-go and
// vtprotobuf.
package pb

//go:generate sh -c "cd ../.. && protoc -I peers/pb --plugin=protoc-gen-go=$(go tool -n protoc-gen-go) --plugin=protoc-gen-go-vtproto=$(go tool -n protoc-gen-go-vtproto) --go_out=peers/pb --go_opt=paths=source_relative --go-vtproto_out=peers/pb --go-vtproto_opt=paths=source_relative,features=marshal+unmarshal+unmarshal_unsafe+size+pool,pool=github.com/spanwire/spanwire/bench/peers/pb.Simple,pool=github.com/spanwire/spanwire/bench/peers/pb.Small,pool=github.com/spanwire/spanwire/bench/peers/pb.Nested,pool=github.com/spanwire/spanwire/bench/peers/pb.Batch,pool=github.com/spanwire/spanwire/bench/peers/pb.Rich models.proto"
