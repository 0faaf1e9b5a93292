package examples_test

import (
	"bytes"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/examples/crosspkg/catalog"
	"github.com/spanwire/spanwire/examples/crosspkg/order"
	"github.com/spanwire/spanwire/examples/crosspkg/plain"
	"github.com/spanwire/spanwire/span"
)

func exampleOrder() *order.Order {
	return &order.Order{
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
var orderMessage = bytes.Join([][]byte{
	{2, 1, 'a', 1, 0, 0, 0, 0, 0, 0, 0, 1, 'b', 255, 255, 255, 255, 255, 255, 255, 255},
	{1, 1, 'c', 2, 0, 0, 0, 0, 0, 0, 0},
	{2, 10}, []byte("Via Roma 1"), {6}, []byte("Torino"), {39, 0},
	{5}, []byte("books"), {1, 1, 4}, []byte("maps"), {0},
	{4, 192, 0, 2, 1},
	{1, 23}, []byte("https://example.com/o/1"),
	{3}, []byte("-77"),
}, nil)

func TestOrderBytes(t *testing.T) {
	b, err := exampleOrder().AppendSpan(nil)
	if err != nil || !bytes.Equal(b, orderMessage) {
		t.Errorf("wrote %q, %v\n want %q", b, err, orderMessage)
	}
	if n := exampleOrder().SizeSpan(); n != len(orderMessage) {
		t.Errorf("SizeSpan %d, wrote %d", n, len(orderMessage))
	}
}

func TestOrderRoundTrip(t *testing.T) {
	var back order.Order
	if err := span.Unmarshal(orderMessage, &back); err != nil {
		t.Fatal(err)
	}
	again, err := back.AppendSpan(nil)
	if err != nil || !bytes.Equal(again, orderMessage) {
		t.Errorf("wrote %q, %v\n want %q", again, err, orderMessage)
	}
	e := exampleOrder()
	if !reflect.DeepEqual(back.Items, e.Items) || !reflect.DeepEqual(back.In, e.In) || back.Client != e.Client ||
		back.Link.String() != e.Link.String() || back.Total.Cmp(&e.Total) != 0 {
		t.Errorf("read %+v", back)
	}
}

// TestOrderUnexported shows that unexported fields keep what they had.
func TestOrderUnexported(t *testing.T) {
	used := order.Order{To: plain.New(1, "x")}
	if err := span.Unmarshal(orderMessage, &used); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(used.To, exampleOrder().To) {
		t.Errorf("read %+v", used.To)
	}
}
