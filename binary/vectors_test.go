package binary_test

import (
	"testing"

	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

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
	case "utf-32":
		return binary.TextEncoding(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM))
	case "utf-32BE":
		return binary.TextEncoding(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM))
	case "latin1":
		name = "iso-8859-1"
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return nil
	}
	return binary.TextEncoding(e)
}
