"""Notes with arrows in, plain sentences out: an example of a Groundwork plug-in."""
