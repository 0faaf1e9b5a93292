package layout_test

import (
	"bytes"
	"crypto/sha3"
	"crypto/x509"
	"encoding/json"
	"go/types"
	"log/slog"
	"maps"
	"math"
	"math/big"
	randv2 "math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
)

// kept are the types of the standard library with marshaler methods, each with a
// test that nothing of its values is lost, hidden state included. Struct types
// are written by their methods unasked, the others under the option marshal.
var kept = map[string]func(*testing.T){
	"crypto/sha3.SHA3": func(t *testing.T) { keepsState(t, sha("a"), sha("bc")) },
	"crypto/sha3.SHAKE": func(t *testing.T) {
		same := func(a, b *sha3.SHAKE) bool {
			x, _ := a.MarshalBinary()
			y, _ := b.MarshalBinary()
			return bytes.Equal(x, y)
		}
		keeps(t, same, sha3.NewSHAKE256()) // the kind that reads into a zero one
	},
	"crypto/x509.OID": func(t *testing.T) {
		keeps(t, func(a, b *x509.OID) bool { return a.Equal(*b) }, oid(t, "1.2.840.113549"), oid(t, "2.999"))
	},
	"encoding/json.RawMessage": func(t *testing.T) {
		type holder struct {
			V json.RawMessage `span:"marshal=json"`
			W json.RawMessage
		}
		keeps(t, equal[holder], &holder{json.RawMessage(`{"a":1}`), json.RawMessage("[]")})
	},
	"log/slog.Level": func(t *testing.T) {
		type holder struct {
			V slog.Level
			W slog.Level `span:"marshal=text"`
			X slog.Level `span:"marshal=json"`
		}
		for _, l := range []slog.Level{0, -4, 7, math.MaxInt, math.MinInt} {
			keeps(t, equal[holder], &holder{l, l, l})
		}
	},
	"log/slog.LevelVar": func(t *testing.T) {
		same := func(a, b *slog.LevelVar) bool { return a.Level() == b.Level() }
		keeps(t, same, level(0), level(-4), level(13), level(math.MinInt), level(math.MaxInt))
	},
	"math/big.Float": keepsFloats,
	"math/big.Int": func(t *testing.T) {
		same := func(a, b *big.Int) bool { return a.Cmp(b) == 0 }
		keeps(t, same, new(big.Int), big.NewInt(-7), new(big.Int).Lsh(big.NewInt(3), 999))
	},
	"math/big.Rat": func(t *testing.T) {
		same := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
		keeps(t, same, new(big.Rat), big.NewRat(-7, 3), big.NewRat(1, math.MaxInt64), big.NewRat(5, 1))
	},
	"math/rand/v2.ChaCha8": func(t *testing.T) {
		a, b := randv2.NewChaCha8([32]byte{1}), randv2.NewChaCha8([32]byte{2})
		b.Uint64()
		keepsState(t, a, b)
	},
	"math/rand/v2.PCG": func(t *testing.T) { keepsState(t, randv2.NewPCG(1, 2), randv2.NewPCG(3, 1<<63)) },
	"net.IP": func(t *testing.T) {
		type holder struct{ V net.IP }
		same := func(a, b *holder) bool { return string(a.V) == string(b.V) }
		keeps(t, same, &holder{net.IPv4(1, 2, 3, 4)}, &holder{net.IP{1, 2, 3, 4}}, &holder{net.IPv6loopback}, &holder{})
	},
	"net/netip.Addr": func(t *testing.T) {
		keeps(t, equal[netip.Addr], addr("1.2.3.4"), addr("::ffff:1.2.3.4"), addr("fe80::1%eth0"), new(netip.Addr))
	},
	"net/netip.AddrPort": func(t *testing.T) {
		a, b := netip.AddrPortFrom(*addr("::1%z"), 80), netip.AddrPortFrom(netip.Addr{}, 9)
		keeps(t, equal[netip.AddrPort], &a, &b, new(netip.AddrPort))
	},
	"net/netip.Prefix": func(t *testing.T) {
		a, b := netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")
		keeps(t, equal[netip.Prefix], &a, &b, new(netip.Prefix))
	},
	"net/url.URL": func(t *testing.T) {
		a, err := url.Parse("https://u:p@h:1/a%2Fb/c?q=1&r#f%2F")
		require.NoError(t, err)
		keeps(t, equal[url.URL], a, &url.URL{Scheme: "mailto", Opaque: "a@b"}, &url.URL{Path: "/x", ForceQuery: true}, new(url.URL))
		refusesURLs(t)
	},
	"regexp.Regexp": keepsRegexps,
	"time.Time": func(t *testing.T) {
		type holder struct {
			V time.Time
			W time.Time `span:"marshal"`
			X time.Time `span:"marshal=text"`
			Y time.Time `span:"marshal=json"`
		}
		now := time.Date(2026, 11, 30, 1, 2, 3, 456789, time.FixedZone("", 3600))
		same := func(a, b *holder) bool {
			return a.V.Equal(b.V) && a.W.Equal(b.W) && a.X.Equal(b.X) && a.Y.Equal(b.Y) && a.V.Nanosecond() == b.V.Nanosecond()
		}
		keeps(t, same, &holder{now, now, now, now}, new(holder))
	},
}

// TestStandardTypes: every type of the standard library that has marshaler
// methods arrives as it was sent.
func TestStandardTypes(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		t.Run(name, kept[name])
	}
}

// TestStandardTypesAreAll: there are no others.
func TestStandardTypesAreAll(t *testing.T) {
	test.Long(t)
	out, err := exec.Command("go", "list", "std").Output()
	require.NoError(t, err)
	var paths []string
	for path := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(path, "internal") && !strings.HasPrefix(path, "vendor/") {
			paths = append(paths, path)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports}, paths...)
	require.NoError(t, err)
	var found []string
	for _, p := range pkgs {
		for _, name := range p.Types.Scope().Names() {
			obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() || types.IsInterface(obj.Type()) {
				continue
			}
			for _, method := range []string{"UnmarshalBinary", "UnmarshalText", "UnmarshalJSON", "GobDecode"} {
				if m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, nil, method); m != nil && !obj.IsAlias() {
					found = append(found, p.PkgPath+"."+name)
				}
			}
		}
	}
	slices.Sort(found)
	require.Equal(t, slices.Compact(found), slices.Sorted(maps.Keys(kept)))
}

// keeps sends values in every kind of place, into fresh and into used memory.
func keeps[T any](t *testing.T, same func(a, b *T) bool, values ...*T) {
	t.Helper()
	type holder struct {
		P *T
		L []*T
		M map[string]*T
		Q **T
	}
	used := new(holder)
	for i, v := range values {
		sent := &holder{P: v, L: values, M: map[string]*T{"v": v}, Q: &v}
		b, err := span.Marshal(sent)
		require.NoError(t, err, "value %d", i)
		for _, got := range []*holder{new(holder), used} {
			require.NoError(t, span.Unmarshal(b, got), "value %d", i)
			require.True(t, same(v, got.P), "value %d: sent %v, got %v", i, v, got.P)
			require.True(t, same(v, got.M["v"]), "value %d in a map", i)
			require.True(t, same(v, *got.Q), "value %d behind two pointers", i)
			for j := range values {
				require.True(t, same(values[j], got.L[j]), "element %d", j)
			}
		}
	}
}

func equal[T any](a, b *T) bool { return reflect.DeepEqual(a, b) }

// keepsState is keeps for types that are nothing but state.
func keepsState[T any](t *testing.T, values ...*T) {
	t.Helper()
	keeps(t, equal[T], values...)
}

// keepsFloats: precision, mode and accuracy arrive, into used values too.
func keepsFloats(t *testing.T) {
	third := func(prec uint, mode big.RoundingMode) *big.Float {
		f := new(big.Float).SetPrec(prec).SetMode(mode)
		return f.Quo(f.SetInt64(1), big.NewFloat(3))
	}
	same := func(a, b *big.Float) bool {
		return a.Cmp(b) == 0 && a.Prec() == b.Prec() && a.Mode() == b.Mode() && a.Acc() == b.Acc() && a.Signbit() == b.Signbit()
	}
	keeps(t, same, third(200, big.ToZero), big.NewFloat(0.1), third(24, big.AwayFromZero), third(1000, big.ToNearestEven),
		new(big.Float), new(big.Float).SetInf(true), new(big.Float).Neg(new(big.Float)), third(64, big.ToNegativeInf))
	type asked struct {
		V *big.Float `span:"marshal=text"`
	}
	same64 := func(a, b *asked) bool { return a.V.Cmp(b.V) == 0 }
	keeps(t, same64, &asked{big.NewFloat(1.5)}, &asked{new(big.Float)}, &asked{third(64, big.ToNearestEven)})
	b, err := span.Marshal(&asked{third(64, big.ToNearestEven)})
	require.NoError(t, err)
	used := asked{new(big.Float).SetPrec(8)}
	require.NoError(t, span.Unmarshal(b, &used))
	require.Zero(t, used.V.Cmp(third(64, big.ToNearestEven)))
}

// keepsRegexps: what its text does not tell is refused.
func keepsRegexps(t *testing.T) {
	same := func(a, b *regexp.Regexp) bool { return reflect.DeepEqual(a, b) }
	keeps(t, same, regexp.MustCompile(`a(?P<x>b|c)+$`), regexp.MustCompile(``))
	longest := regexp.MustCompile("a|ab")
	longest.Longest()
	for _, re := range []*regexp.Regexp{longest, regexp.MustCompilePOSIX("a|ab")} {
		type holder struct{ V *regexp.Regexp }
		_, err := span.Marshal(&holder{re})
		require.ErrorIs(t, err, span.ErrUnsupported)
		require.ErrorContains(t, err, "longest match")
	}
}

func addr(s string) *netip.Addr {
	a := netip.MustParseAddr(s)
	return &a
}

func level(l slog.Level) *slog.LevelVar {
	v := new(slog.LevelVar)
	v.Set(l)
	return v
}

func oid(t *testing.T, s string) *x509.OID {
	t.Helper()
	o, err := x509.ParseOID(s)
	require.NoError(t, err)
	return &o
}

func sha(s string) *sha3.SHA3 {
	h := sha3.New256()
	_, _ = h.Write([]byte(s)) // never fails
	return h
}

// refusesURLs: what their text does not tell, or tells otherwise, is refused.
func refusesURLs(t *testing.T) {
	type holder struct{ V *url.URL }
	for name, test := range map[string]struct {
		url  url.URL
		text string
	}{
		"a path that reads as a host":   {url.URL{Path: "//a/b"}, "another Host"},
		"a relative path behind a host": {url.URL{Scheme: "http", Host: "h", Path: "x"}, "another Path"},
		"a fragment in the query":       {url.URL{RawQuery: "a#b"}, "another Fragment"},
		"opaque without a scheme":       {url.URL{Opaque: "x"}, "another Opaque"},
		"a scheme in capitals":          {url.URL{Scheme: "HTTP", Host: "h"}, "another Scheme"},
		"a host with a slash":           {url.URL{Scheme: "http", Host: "a/b"}, "does not read back"},
		"a host with a space":           {url.URL{Host: "a b"}, "does not read back"},
		"a hidden host without effect":  {url.URL{Path: "/x", OmitHost: true}, "another OmitHost"},
	} {
		_, err := span.Marshal(&holder{&test.url})
		require.ErrorIs(t, err, span.ErrUnsupported, name)
		require.ErrorContains(t, err, test.text, name)
	}
	hinted := &holder{&url.URL{Path: "/a b", RawPath: "/a%20b"}}
	b, err := span.Marshal(hinted)
	require.NoError(t, err)
	back := new(holder)
	require.NoError(t, span.Unmarshal(b, back))
	require.Equal(t, hinted.V.String(), back.V.String())
}
