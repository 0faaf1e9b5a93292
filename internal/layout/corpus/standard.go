package corpus

import (
	"archive/zip"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"debug/dwarf"
	"debug/elf"
	"encoding/asn1"
	"encoding/xml"
	"go/ast"
	"go/types"
	"html/template"
	"image"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"os"
	"reflect"
	"regexp/syntax"
	"runtime"
	"sync/atomic"
	"testing"
	"text/template/parse"
	"time"
)

// Standard has a field for each of some types of the standard library that
// nobody wrote for us, most of which have no plan. What they look like changes
// with the Go version; that both feeds agree about them does not.
type Standard struct {
	Request     http.Request
	Server      *http.Server
	Cookie      http.Cookie
	Header      http.Header
	Transport   http.Transport
	Certificate x509.Certificate
	TLS         tls.Config
	State       tls.ConnectionState
	Key         ecdsa.PrivateKey
	File        ast.File
	TypesInfo   types.Info
	Template    template.Template
	Tree        parse.Tree
	DB          sql.DB
	NullString  sql.NullString
	NullOf      sql.Null[time.Time]
	ELF         elf.File
	DWARF       dwarf.StructType
	Bits        asn1.BitString
	Name        xml.Name
	RGBA        image.RGBA
	Paletted    *image.Paletted
	Record      slog.Record
	Attr        slog.Attr
	Dialer      net.Dialer
	Interface   net.Interface
	SRV         []*net.SRV
	Address     mail.Address
	Process     os.Process
	PathError   os.PathError
	StructField reflect.StructField
	Regexp      syntax.Regexp
	MemStats    runtime.MemStats
	Atomic      atomic.Pointer[http.Request]
	AtomicInt   atomic.Int64
	Testing     testing.B
	Zip         zip.FileHeader
	Ticker      time.Ticker
	Location    *time.Location
}
