package models

// New returns a pointer to a new model of the given name, or nil if there is
// none.
func New(name string) any {
	switch name {
	case "Scalars":
		return new(Scalars)
	case "Numbers":
		return new(Numbers)
	case "SByteModel":
		return new(SByteModel)
	case "Text":
		return new(Text)
	case "Times":
		return new(Times)
	case "Nullables":
		return new(Nullables)
	case "NullableScalars":
		return new(NullableScalars)
	case "Enums":
		return new(Enums)
	case "BytesModel":
		return new(BytesModel)
	case "GuidModel":
		return new(GuidModel)
	case "DecimalModel":
		return new(DecimalModel)
	case "CharModel":
		return new(CharModel)
	}
	return newObject(name)
}

// newObject is New for the models that are made of objects.
func newObject(name string) any {
	switch name {
	case "Simple":
		return new(Simple)
	case "Nested":
		return new(Nested)
	case "NestedTail":
		return new(NestedTail)
	case "Point":
		return new(Point)
	case "StructMember":
		return new(StructMember)
	case "BaseModel":
		return new(BaseModel)
	case "Derived":
		return new(Derived)
	case "Deep":
		return new(Deep)
	case "Fast":
		return new(Fast)
	case "FastHolder":
		return new(FastHolder)
	case "Switches":
		return new(Switches)
	}
	return nil
}
