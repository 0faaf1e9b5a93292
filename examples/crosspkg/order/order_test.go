package order

import (
	"bytes"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/examples/crosspkg/catalog"
	"github.com/spanwire/spanwire/examples/crosspkg/plain"
	"github.com/spanwire/spanwire/span"
)

func example() *Order {
	return &Order{
		Items:  catalog.Items{{SKU: "a", Cents: 1}, {SKU: "b", Cents: -1}},
		Gift:   &catalog.Item{SKU: "c", Cents: 2},
		To:     plain.New(39, "Via Roma 1", "Torino"),
		In:     plain.Category{Name: "books", Sub: []*plain.Category{{Name: "maps"}}},
		Client: netip.MustParseAddr("192.0.2.1"),
		Link:   &url.URL{Scheme: "https", Host: "example.com", Path: "/o/1"},
		Total:  *big.NewInt(-77),
	}
}

// want joins the parts of the message that example gives.
var want = bytes.Join([][]byte{
	{2, 1, 'a', 1, 0, 0, 0, 0, 0, 0, 0, 1, 'b', 255, 255, 255, 255, 255, 255, 255, 255},
	{1, 1, 'c', 2, 0, 0, 0, 0, 0, 0, 0},
	{2, 10}, []byte("Via Roma 1"), {6}, []byte("Torino"), {39, 0},
	{5}, []byte("books"), {1, 1, 4}, []byte("maps"), {0},
	{4, 192, 0, 2, 1},
	{1, 23}, []byte("https://example.com/o/1"),
	{3}, []byte("-77"),
}, nil)

func TestBytes(t *testing.T) {
	b, err := example().AppendSpan(nil)
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("wrote %q, %v\n want %q", b, err, want)
	}
	if n := example().SizeSpan(); n != len(want) {
		t.Errorf("SizeSpan %d, wrote %d", n, len(want))
	}
}

func TestRoundTrip(t *testing.T) {
	var back Order
	if err := span.Unmarshal(want, &back); err != nil {
		t.Fatal(err)
	}
	again, err := back.AppendSpan(nil)
	if err != nil || !bytes.Equal(again, want) {
		t.Errorf("wrote %q, %v\n want %q", again, err, want)
	}
	e := example()
	if !reflect.DeepEqual(back.Items, e.Items) || !reflect.DeepEqual(back.In, e.In) || back.Client != e.Client ||
		back.Link.String() != e.Link.String() || back.Total.Cmp(&e.Total) != 0 {
		t.Errorf("read %+v", back)
	}
}

// TestUnexported shows that unexported fields keep what they had.
func TestUnexported(t *testing.T) {
	used := Order{To: plain.New(1, "x")}
	if err := span.Unmarshal(want, &used); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(used.To, example().To) {
		t.Errorf("read %+v", used.To)
	}
}
