"""Does a passage say a claim? Judges behind one registry, and one verdict combined from them."""
