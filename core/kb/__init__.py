"""The knowledge base: what passes the gate, how it is written, read back and looked at. Pure but
for rdflib.
"""
