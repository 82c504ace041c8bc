"""Side-by-side measurements. Only ratios from one run are meaningful: the machine may be slow or busy."""
