"""The project's vocabularies as pages and the command line use them.

- `vocabularies` — what there is, adding, removing, looking up;
- `preparation` — compiling the base set away from the pages, and waiting for it in a job;
- `obstacles.obstacles(desk, schema)` — what stands in the way for a schema (only a dated base set,
  a vocabulary missing or still prepared, no hierarchy), each with the action that mends it: pages
  show it in the header of a result.
"""
