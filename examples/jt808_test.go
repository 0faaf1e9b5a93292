package examples_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/examples/jt808"
)

var gbk = binary.TextEncoding(simplifiedchinese.GBK)

// Frames that makers of open-source servers publish with their meaning.
const (
	location2011 = "7e 0200 0026 123456789012 007d02 00000001 00000002 00ba7f0e 07e4f11c 0028 003c 0000 181015101010 01 04 00000064 02 02 007d01 13 7e"
	location2019 = "7e 0200 4026 01 00000000013912344329 0000 0000006f 00000016 01dc9a07 07456246 007b 0042 0003 250129223344 02 02 0064 01 04 0000000c 41 7e"
	register2013 = "7e 0100 002c 012345678901 0000 001f 0073 797a680000 7777772e6a74743830382e636f6d000000000000 37363534333231 01 b2e24131323334 ca 7e"
	register2019 = "7e 0100 4053 01 00000000017299841738 0000 001f 0073 797a680000000000000000 7777772e6a74743830382e636f6d00000000000000000000000000000000 3736353433323100000000000000000000000000000000000000000000 00 01 b2e24131323334 3d 7e"
)

// readsFrame checks that a frame is the message, and that the message is the frame.
func readsFrame(t *testing.T, text, version string, body any) *jt808.Message {
	t.Helper()
	frame := unhex(t, text)
	m := &jt808.Message{}
	if err := jt808.Parse(frame, m); err != nil {
		t.Fatal(err)
	}
	if err := jt808.Options(version, gbk).Unmarshal(m.Body, body); err != nil {
		t.Fatal(err)
	}
	again := *m
	again.Length = 0 // set when writing
	var err error
	if again.Body, err = jt808.Options(version, gbk).Marshal(body); err != nil {
		t.Fatal(err)
	}
	out, err := jt808.Append(nil, &again)
	if err != nil || !bytes.Equal(out, frame) {
		t.Errorf("written %x, %v, want %x", out, err, frame)
	}
	return m
}

func TestJT808Location(t *testing.T) {
	var l jt808.Location
	m := readsFrame(t, location2011, "2011", &l)
	if m.Phone != "123456789012" || m.Serial != 0x7e || m.Length != 38 || m.Versioned {
		t.Errorf("%+v", m.Header)
	}
	at, err := l.At()
	if err != nil || l.Latitude != 12222222 || l.Longitude != 132444444 || l.Altitude != 40 || l.Speed != 60 || at.UTC().String() != "2018-10-15 02:10:10 +0000 UTC" {
		t.Errorf("%+v, %v, %v", l, at, err)
	}
	if len(l.Extra) != 2 || l.Extra[0].Data[3] != 100 || l.Extra[1].Data[1] != 125 {
		t.Errorf("%+v", l.Extra)
	}
	m = readsFrame(t, location2019, "2019", &l)
	if m.LongPhone != "00000000013912344329" || m.Version != 1 || m.Phone != "" || !m.Versioned {
		t.Errorf("%+v", m.Header)
	}
	if l.Alarm != 111 || l.Status != 22 || l.Latitude != 31234567 || l.Longitude != 121987654 || l.Altitude != 123 || l.Speed != 66 || l.Direction != 3 {
		t.Errorf("%+v", l)
	}
}

func TestJT808Register(t *testing.T) {
	want := jt808.Register{Province: 31, City: 115, Manufacturer: "yzh", Model: "www.jtt808.com", Terminal: "7654321", PlateColor: 1, Plate: "测A1234"}
	for text, version := range map[string]string{register2013: "2013", register2019: "2019"} {
		var r jt808.Register
		readsFrame(t, text, version, &r)
		if r != want {
			t.Errorf("%s: %+v", version, r)
		}
	}
	for version, size := range map[string]int{"2011": 32, "2013": 44, "2019": 83} {
		r := want
		if version == "2011" {
			r.Model = "jtt808"
		}
		b, err := jt808.Options(version, gbk).Marshal(&r)
		if err != nil || len(b) != size {
			t.Errorf("%s: %d bytes, %v", version, len(b), err)
		}
	}
	if _, err := jt808.Options("2011", gbk).Marshal(&want); !errors.Is(err, binary.ErrRange) {
		t.Errorf("a model too long for 2011: %v", err)
	}
}

func TestJT808SplitMessage(t *testing.T) {
	m := &jt808.Message{Header: jt808.Header{ID: 0x0801, Split: true, Phone: "012345678900", Serial: 1, Total: 3, Index: 2}, Body: []byte{1, 2, 3}}
	frame, err := jt808.Append(nil, m)
	if err != nil || hex.EncodeToString(frame[1:len(frame)-2]) != "080120030123456789000001000300020102"+"03" {
		t.Errorf("%x, %v", frame, err)
	}
	m.Body = make([]byte, 1024)
	if _, err := jt808.Append(nil, m); !errors.Is(err, binary.ErrRange) {
		t.Errorf("a body of 1024 bytes: %v", err)
	}
}

func TestJT808Frames(t *testing.T) {
	stream := append([]byte("noise"), unhex(t, location2011)...)
	stream = append(stream, unhex(t, location2019)...)
	stream = append(stream, 0x7e, 1, 2)
	s := bufio.NewScanner(bytes.NewReader(stream))
	s.Split(jt808.Split)
	n := 0
	for s.Scan() {
		var m jt808.Message
		if err := jt808.Parse(s.Bytes(), &m); err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 2 || s.Err() != nil {
		t.Errorf("%d frames, %v", n, s.Err())
	}
	good := unhex(t, location2011)
	var m jt808.Message
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if err := jt808.Parse(bad, &m); err == nil {
			t.Errorf("a changed byte %d is accepted", i)
		}
		if err := jt808.Parse(good[:i], &m); err == nil {
			t.Errorf("%d bytes are accepted", i)
		}
	}
	for _, text := range []string{"", "7e", "7e7e", "7e7d7e", "7e7d037e", "7e017e017e"} {
		if err := jt808.Parse(unhex(t, text), &m); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
