"""Gene questions answered from NCBI's records: by a planner without a model, by a model with tools,
or as GeneGPT does.

Every value of an answer is bound to a field of a record in a stored answer, or the answer is *not
found*.
"""
