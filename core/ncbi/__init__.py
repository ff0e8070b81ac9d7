"""NCBI as typed tools: what may be asked (`call`), how (`client`, `blast`), and what the answers
say (`gene`, …).

A call is a value whose arguments match patterns; an address is built from it and from a base URL
that only the operator can set. Nothing here fetches an address that anybody wrote.
"""
