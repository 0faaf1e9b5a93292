module github.com/spanwire/spanwire/bench/floor

go 1.26
