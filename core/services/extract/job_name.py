"""What extractions are called in the queue, where nothing more of them is needed."""

EXTRACT, EXTRACT_BATCH = "extract", "extract batch"
