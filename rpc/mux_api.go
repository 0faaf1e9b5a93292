package rpc

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spanwire/spanwire/rpc/value"
)

// AddAPI adds NewLife's actions about the server itself: Api/All, the texts of all actions (see Signature), and Api/Info, what
// the server is, which a client with a token is told more of.
func (x *Mux) AddAPI() {
	Handle(x, "Api/All", func(context.Context, struct{}) ([]string, error) { return x.Texts(), nil }, Signature("String[] Api/All()"))
	began := time.Now()
	Handle(x, "Api/Info", func(ctx context.Context, arg infoArg) (value.Object, error) { return info(ctx, arg.State, began), nil },
		Params(), Signature("Object Api/Info(String state)"))
}

// Texts are the texts of the actions in the order in which they were added.
func (x *Mux) Texts() []string {
	list := []string{}
	a := x.all.Load()
	if a == nil {
		return list
	}
	for _, m := range a.order {
		if m.text != "" {
			list = append(list, m.text)
		} else {
			list = append(list, m.name)
		}
	}
	return list
}

type infoArg struct {
	State string `json:"state"`
}

// info is the answer of Api/Info.
func info(ctx context.Context, state string, began time.Time) value.Object {
	host, _ := os.Hostname() // unknown is left out
	name := filepath.Base(os.Args[0])
	o := value.Object{{Name: "Id", Value: os.Getpid()}, {Name: "Name", Value: name}, {Name: "Title", Value: name},
		{Name: "FileVersion", Value: version()}, {Name: "OS", Value: runtime.GOOS}, {Name: "MachineName", Value: host},
		{Name: "ApiVersion", Value: runtime.Version()}}
	if s := Peer(ctx); s != nil {
		o = append(o, value.Entry{Name: "LocalIP", Value: s.LocalAddr().String()}, value.Entry{Name: "Remote", Value: s.RemoteAddr().String()})
	}
	o = append(o, value.Entry{Name: "State", Value: state}, value.Entry{Name: "Time", Value: time.Now()})
	if token := Token(ctx); token != "" {
		o = append(o, value.Entry{Name: "Token", Value: token}, value.Entry{Name: "Uptime", Value: time.Since(began)},
			value.Entry{Name: "Processors", Value: runtime.NumCPU()})
	}
	return o
}

// version is that of the running program's module.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok {
		return b.Main.Version
	}
	return ""
}
