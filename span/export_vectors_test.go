package span

// PlanOnly makes options ignore generated methods at every depth.
func PlanOnly(o Options) Options {
	o.planOnly = true
	return o
}
