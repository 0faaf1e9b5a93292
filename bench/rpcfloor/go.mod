module github.com/spanwire/spanwire/bench/rpcfloor

go 1.26
