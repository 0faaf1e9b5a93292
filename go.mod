module github.com/spanwire/spanwire

go 1.26
