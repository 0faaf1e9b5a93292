package examples_test

import (
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/examples/dns"
)

// dnsQuery is the question for example.com that the literature on DNS shows byte by
// byte.
const dnsQuery = "1234" + "0100" + "0001" + "0000" + "0000" + "0000" + "076578616d706c6503636f6d00" + "0001" + "0001"

func TestDNSSample(t *testing.T) {
	b, err := hex.DecodeString(dnsQuery)
	if err != nil {
		t.Fatal(err)
	}
	var q dns.Query
	if err := binary.Unmarshal(b, &q); err != nil {
		t.Fatal(err)
	}
	if q.ID != 0x1234 || !q.RecursionDesired || q.Response || len(q.Questions) != 1 || q.Questions[0] != (dns.Question{Name: "example.com.", Type: 1, Class: 1}) {
		t.Errorf("%+v", q)
	}
	q.QDCount = 0 // set when writing
	if out, err := binary.Marshal(&q); err != nil || hex.EncodeToString(out) != dnsQuery {
		t.Errorf("%x, %v", out, err)
	}
	for n := range b {
		if err := (binary.Options{Strict: true}).Unmarshal(b[:n], &q); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestDNSAgainstDNSMessage tries every combination of flags both ways.
func TestDNSAgainstDNSMessage(t *testing.T) {
	for flags := range 1 << 16 {
		if flags&0x40 != 0 {
			continue // reserved
		}
		theirs := dnsmessage.Header{
			ID: uint16(flags) ^ 0x5a5a, Response: flags&0x8000 != 0, OpCode: dnsmessage.OpCode(flags >> 11 & 15), Authoritative: flags&0x400 != 0,
			Truncated: flags&0x200 != 0, RecursionDesired: flags&0x100 != 0, RecursionAvailable: flags&0x80 != 0,
			AuthenticData: flags&0x20 != 0, CheckingDisabled: flags&0x10 != 0, RCode: dnsmessage.RCode(flags & 15),
		}
		builder := dnsmessage.NewBuilder(nil, theirs)
		b, err := builder.Finish()
		if err != nil {
			t.Fatal(err)
		}
		var q dns.Query
		if err := binary.Unmarshal(b, &q); err != nil {
			t.Fatal(err)
		}
		ours := dns.Header{
			ID: theirs.ID, Response: theirs.Response, Opcode: uint8(theirs.OpCode), Authoritative: theirs.Authoritative,
			Truncated: theirs.Truncated, RecursionDesired: theirs.RecursionDesired, RecursionAvailable: theirs.RecursionAvailable,
			AuthenticData: theirs.AuthenticData, CheckingDisabled: theirs.CheckingDisabled, RCode: uint8(theirs.RCode),
		}
		if q.Header != ours {
			t.Fatalf("%04x: %+v", flags, q.Header)
		}
		out, err := binary.Marshal(&q)
		if err != nil {
			t.Fatal(err)
		}
		var p dnsmessage.Parser
		if back, err := p.Start(out); err != nil || back != theirs {
			t.Fatalf("%04x: %+v, %v", flags, back, err)
		}
	}
}

func TestDNSQuestions(t *testing.T) {
	q := &dns.Query{Header: dns.Header{ID: 7, RecursionDesired: true}, Questions: []dns.Question{{Name: "example.com.", Type: 1, Class: 1}, {Name: ".", Type: 2, Class: 1}}}
	b, err := binary.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var p dnsmessage.Parser
	if _, err := p.Start(b); err != nil {
		t.Fatal(err)
	}
	all, err := p.AllQuestions()
	if err != nil || len(all) != 2 || all[0].Name.String() != "example.com." || all[1].Name.String() != "." || all[1].Type != dnsmessage.TypeNS {
		t.Errorf("%v, %v", all, err)
	}
	for _, name := range []dns.Name{"", "example.com", "a..b.", dns.Name(strings.Repeat("a", 64) + "."), dns.Name(strings.Repeat("abc.", 64))} {
		var e *binary.Error
		if _, err := binary.Marshal(&dns.Question{Name: name}); !errors.Is(err, dns.ErrName) || !errors.As(err, &e) || e.Path != "Name" {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	var one dns.Question
	if err := binary.Unmarshal([]byte{0xc0, 0x0c, 0, 1, 0, 1}, &one); !errors.Is(err, dns.ErrName) {
		t.Errorf("a pointer: %v", err)
	}
}
