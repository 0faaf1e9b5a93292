//go:build tools

package realworld

// The packages whose structs are carried; the holders that import them are
// written by the test.
import (
	_ "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	_ "github.com/google/go-github/v75/github"
	_ "github.com/hashicorp/nomad/api"
	_ "github.com/stripe/stripe-go/v82"
	_ "k8s.io/api/apps/v1"
	_ "k8s.io/api/core/v1"
)
