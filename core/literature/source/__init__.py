"""Where papers come from: PubMed, PMC, PDF, files, the project. Each module reads one format into
`Paper`s.
"""
