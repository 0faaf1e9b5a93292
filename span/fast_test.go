package span

import "testing"

func TestPresent(t *testing.T) {
	r := NewReader([]byte{0, 1, 2})
	if r.Fast().Present(false) || !r.Fast().Present(false) || r.Fast().Present(false) || r.Err() == nil {
		t.Error("0, 1, 2:", r.Err())
	}
	r = NewReader([]byte{0, 1, 2})
	if r.Fast().Present(true) || !r.Fast().Present(true) || !r.Fast().Present(true) || r.Err() != nil {
		t.Error("lenient 0, 1, 2:", r.Err())
	}
	if r.Fast().Present(true) || r.Err() == nil {
		t.Error("a mark behind the end")
	}
}

func TestPlanHash(t *testing.T) {
	type a struct{ X, Y int16 }
	type b struct{ Y, X int16 }
	type sized struct {
		_ struct{} `span:"sized"`
		X int16
	}
	if (Plan[a]{}).Hash() == (Plan[b]{}).Hash() || (Plan[a]{}).Hash() == 0 || (Plan[sized]{}).Hash() == 0 {
		t.Error("different structs with one hash")
	}
	if (Plan[int]{}).Hash() != 0 || (Plan[struct{ C chan int }]{}).Hash() != 0 {
		t.Error("a hash of what is no struct, or has no wire form")
	}
}
