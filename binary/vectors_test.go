package binary_test

import (
	"testing"

	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/vectors/legacy"
)

func TestVectorBinary(t *testing.T) { legacy.Run(t, "binary.jsonl", dotNetEncoding) }

// dotNetEncoding gives the encoding of a .NET name.
func dotNetEncoding(name string) binary.Encoding {
	switch name {
	case "gbk":
		return binary.TextEncoding(simplifiedchinese.GBK)
	case "gb18030":
		return binary.TextEncoding(simplifiedchinese.GB18030)
	case "utf-16":
		return binary.TextEncoding(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM))
	case "utf-16BE":
		return binary.TextEncoding(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM))
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return nil
	}
	return binary.TextEncoding(e)
}
