package value

// Object is a JSON object whose members keep their order, where a map is sorted.
type Object []Entry

// Entry is a member of an Object.
type Entry struct {
	Name  string
	Value any
}
