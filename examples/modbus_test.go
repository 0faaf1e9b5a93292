package examples_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/examples/modbus"
)

// The examples of the Modbus literature: unit 17 reads the registers 107 to 109,
// and answers AE41, 5652 and 4340; then writes register 1 and the registers 1 to 2.
const (
	readTCP     = "0001 0000 0006 11 03 006b 0003"
	readRTU     = "11 03 006b 0003 7687"
	answerRTU   = "11 03 06 ae41 5652 4340 49ad"
	writeRTU    = "11 06 0001 0003 9a9b"
	multipleRTU = "11 10 0001 0002 04 000a 0102 c6f0"
	refusedRTU  = "0a 81 02 b053"
)

var strict = binary.Options{Strict: true}

// modbusSample checks that v has the bytes and that they read as v.
func modbusSample[T any](t *testing.T, v T, text string) {
	t.Helper()
	b := unhex(t, text)
	out, err := binary.Marshal(&v)
	if err != nil || !bytes.Equal(out, b) {
		t.Errorf("%+v: %x, %v, want %x", v, out, err, b)
	}
	var got T
	if err := strict.Unmarshal(b, &got); err != nil {
		t.Errorf("%x: %v", b, err)
	}
	again, err := binary.Marshal(&got)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("%x becomes %x, %v", b, again, err)
	}
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 1
		if strict.Unmarshal(bad, &got) == nil && !strings.HasPrefix(text, "0001 0000") {
			t.Errorf("%x is accepted", bad)
		}
	}
}

func TestModbusSamples(t *testing.T) {
	modbusSample(t, modbus.TCP{Transaction: 1, Unit: 17, PDU: unhex(t, "03006b0003")}, readTCP)
	modbusSample(t, modbus.RTU[modbus.Request]{Unit: 17, PDU: modbus.Request{Function: modbus.ReadHolding, Address: 107, Value: 3}}, readRTU)
	modbusSample(t, modbus.RTU[modbus.Registers]{Unit: 17, PDU: modbus.Registers{Function: modbus.ReadHolding, Data: unhex(t, "ae4156524340")}}, answerRTU)
	modbusSample(t, modbus.RTU[modbus.Written]{Unit: 17, PDU: modbus.Written{Function: modbus.WriteSingle, Address: 1, Value: 3}}, writeRTU)
	modbusSample(t, modbus.RTU[modbus.Request]{Unit: 17, PDU: modbus.Request{Function: modbus.WriteMultiple, Address: 1, Value: 2, Data: unhex(t, "000a0102")}}, multipleRTU)
	modbusSample(t, modbus.RTU[modbus.Exception]{Unit: 10, PDU: modbus.Exception{Function: 0x81, Code: modbus.IllegalAddress}}, refusedRTU)
}

// talkModbus uses every function.
func talkModbus(t *testing.T, c *modbus.Client) {
	t.Helper()
	if err := c.Write(1, 2, []uint16{10, 0xffff, 0x1234}); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteOne(1, 3, 77); err != nil {
		t.Fatal(err)
	}
	got, err := c.Read(1, 1, 5)
	if err != nil || !slices.Equal(got, []uint16{0, 10, 77, 0x1234, 0}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := c.Read(1, 60000, 10); !errors.Is(err, modbus.IllegalAddress) || !modbus.IsException(err) {
		t.Errorf("error %v, want IllegalAddress", err)
	}
	if got, err := c.Read(1, 3, 1); err != nil || got[0] != 77 {
		t.Errorf("after an exception: %v, %v", got, err)
	}
}

func TestModbusOwnServer(t *testing.T) {
	for name, start := range map[string]func(*modbus.Server, net.Conn) (*modbus.Client, func(net.Conn) error){
		"tcp": func(s *modbus.Server, c net.Conn) (*modbus.Client, func(net.Conn) error) {
			return modbus.NewClient(c), func(c net.Conn) error { return s.ServeTCP(c) }
		},
		"rtu": func(s *modbus.Server, c net.Conn) (*modbus.Client, func(net.Conn) error) {
			return modbus.NewRTUClient(c), func(c net.Conn) error { return s.ServeRTU(c) }
		},
	} {
		here, there := net.Pipe()
		s := modbus.NewServer(100)
		c, serve := start(s, here)
		done := make(chan error)
		go func() { done <- serve(there) }()
		t.Run(name, func(t *testing.T) { talkModbus(t, c) })
		here.Close()
		if err := <-done; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// line is a stream whose other side answers what it is told.
type oneWay struct{ io.Reader }

func (oneWay) Write(b []byte) (int, error) { return len(b), nil }

// D1: an answer counts only if it is from the unit that was asked, then if it is to the function, an exception like a value.
// After another's answer nothing that still comes is taken.
func TestModbusOnlyOwnAnswers(t *testing.T) {
	rtu := func(v any) []byte {
		b, err := binary.Marshal(v)
		require.NoError(t, err)
		return b
	}
	tcp := func(transaction uint16, unit uint8, pdu string) []byte {
		return rtu(&modbus.TCP{Transaction: transaction, Unit: unit, PDU: unhex(t, pdu)})
	}
	for name, c := range map[string]struct {
		answer []byte
		tcp    bool
		want   error
	}{
		"rtu, own":                        {answer: rtu(&modbus.RTU[modbus.Registers]{Unit: 17, PDU: modbus.Registers{Function: 3, Data: []byte{0, 7}}})},
		"rtu, own exception":              {answer: rtu(&modbus.RTU[modbus.Exception]{Unit: 17, PDU: modbus.Exception{Function: 0x83, Code: modbus.IllegalAddress}}), want: modbus.IllegalAddress},
		"rtu, another unit":               {answer: rtu(&modbus.RTU[modbus.Registers]{Unit: 18, PDU: modbus.Registers{Function: 3, Data: []byte{0, 7}}}), want: modbus.ErrAnswer},
		"rtu, another unit's exception":   {answer: rtu(&modbus.RTU[modbus.Exception]{Unit: 18, PDU: modbus.Exception{Function: 0x83, Code: modbus.IllegalAddress}}), want: modbus.ErrAnswer},
		"rtu, another function":           {answer: rtu(&modbus.RTU[modbus.Written]{Unit: 17, PDU: modbus.Written{Function: 6, Address: 1, Value: 2}}), want: modbus.ErrAnswer},
		"rtu, another exception":          {answer: rtu(&modbus.RTU[modbus.Exception]{Unit: 17, PDU: modbus.Exception{Function: 0x86, Code: modbus.IllegalAddress}}), want: modbus.ErrAnswer},
		"rtu, exception with a wrong CRC": {answer: []byte{17, 0x83, 2, 0, 0}, want: binary.ErrSum},
		"tcp, own":                        {answer: tcp(1, 17, "03020007"), tcp: true},
		"tcp, own exception":              {answer: tcp(1, 17, "8302"), tcp: true, want: modbus.IllegalAddress},
		"tcp, another unit":               {answer: tcp(1, 18, "03020007"), tcp: true, want: modbus.ErrAnswer},
		"tcp, another unit's exception":   {answer: tcp(1, 18, "8302"), tcp: true, want: modbus.ErrAnswer},
		"tcp, another transaction":        {answer: tcp(2, 17, "8302"), tcp: true, want: modbus.ErrAnswer},
		"tcp, another exception":          {answer: tcp(1, 17, "8602"), tcp: true, want: modbus.ErrAnswer},
		"tcp, cut behind the unit":        {answer: unhex(t, "0001 0000 0006 11"), tcp: true, want: io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			// What another unit was sent lies behind the answer: it would fit the second call.
			late := rtu(&modbus.RTU[modbus.Registers]{Unit: 18, PDU: modbus.Registers{Function: 3, Data: []byte{0, 9}}})
			client := modbus.NewRTUClient(oneWay{bytes.NewReader(append(bytes.Clone(c.answer), late...))})
			if c.tcp {
				client = modbus.NewClient(oneWay{bytes.NewReader(c.answer)})
			}
			got, err := client.Read(17, 0, 1)
			if c.want == nil {
				require.NoError(t, err)
				require.Equal(t, []uint16{7}, got)
				return
			}
			require.ErrorIs(t, err, c.want)
			require.Empty(t, got)
			if !modbus.IsException(err) {
				_, again := client.Read(18, 0, 1)
				require.Equal(t, err, again)
			}
		})
	}
}

func TestModbusServerRefuses(t *testing.T) {
	s := modbus.NewServer(10)
	for pdu, code := range map[string]modbus.Code{
		"01 0000 0001": modbus.IllegalFunction, "03 0000 0000": modbus.IllegalValue, "03 0000 007e": modbus.IllegalValue, "03 0009 0002": modbus.IllegalAddress,
		"03 00": modbus.IllegalValue, "10 0000 0002 02 0001": modbus.IllegalValue, "10 0000 0001 04 0001": modbus.IllegalValue, "06 000a 0001": modbus.IllegalAddress,
	} {
		b := unhex(t, pdu)
		in, err := binary.Marshal(&modbus.TCP{Unit: 1, PDU: b})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, s.ServeTCP(struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(in), &out}))
		var got modbus.TCP
		if err := binary.Unmarshal(out.Bytes(), &got); err != nil || !bytes.Equal(got.PDU, []byte{b[0] | 0x80, byte(code)}) {
			t.Errorf("%s: %x, %v, want code %d", pdu, got.PDU, err, code)
		}
	}
}
