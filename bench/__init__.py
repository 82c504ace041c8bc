"""Side-by-side measurements. Only ratios taken in one run say something: the machine may be slow or busy."""
