"""An API from a YAML description or an OpenAPI document, checked, without code.

```yaml
name: genenames                      # lower case, the name in `ask --api`
title: HGNC search
summary: Approved human gene symbols
base: https://rest.genenames.org     # https, a public host; the operator must list it in GROUNDWORK_API_HOSTS
documentation: What the API's own pages say; a model is given all of it.
# token: HGNC                        # only if it needs one: taken from GROUNDWORK_TOKEN_HGNC
parameters:
  symbol: {type: string, description: an approved symbol, pattern: "^[A-Za-z0-9-]+$", required: true}
request:
  path: /search/symbol/{symbol}      # {parameter}: a parameter's value
  query: {format: json}
second:                              # optional second stage
  path: /fetch/hgnc_id/{first:/response/docs/0/hgnc_id}   # {first:/pointer}: a value of the first answer
answer:
  records: /response/docs            # JSON pointer to the list of records (empty: the answer itself)
  id: hgnc_id                        # the field that is a record's id
  prefix: HGNC                       # its CURIE prefix, optional
  fields: {symbol: /symbol, hgnc_id: /hgnc_id, name: /name}
  value: symbol                      # the field that answers
examples:
  - {question: "Is TP53 an approved symbol?", parameters: {symbol: TP53}}
```
"""

from __future__ import annotations

from core.apis.described.api import Checked, check, read

__all__ = ["Checked", "check", "read"]
