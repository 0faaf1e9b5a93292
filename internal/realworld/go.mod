module github.com/spanwire/spanwire/internal/realworld

go 1.26.0

replace github.com/spanwire/spanwire => ../..

require (
	github.com/aws/aws-sdk-go-v2/service/ec2 v1.344.3
	github.com/hashicorp/nomad/api v0.0.0-20261016150620-df630b26e78a
	github.com/spanwire/spanwire v0.0.0-00010101000000-000000000000
	golang.org/x/tools v0.52.0
)

require (
	github.com/aws/smithy-go v1.28.9 // indirect
	github.com/go-viper/mapstructure/v2 v2.5.0 // indirect
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/hashicorp/cronexpr v1.1.3 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-rootcerts v1.0.2 // indirect
	github.com/mitchellh/go-homedir v1.1.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
)
