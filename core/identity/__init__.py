"""Whether two records are one paper: what is compared, how it is folded, and the judgement."""
