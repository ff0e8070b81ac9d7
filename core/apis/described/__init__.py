"""An API from a YAML description or an OpenAPI document, checked, without code.

```yaml
name: genenames
title: HGNC search
summary: Approved human gene symbols
base: https://rest.genenames.org
documentation: What the API's own pages say about what can be asked.
# token: HGNC            only for an API that needs a key
parameters:
  symbol:
    type: string
    description: an approved symbol
    pattern: "^[A-Za-z0-9-]+$"
    required: true
request:
  path: /search/symbol/{symbol}
  query: {format: json}
second:                # optional: a second request, with values from the first answer
  path: /fetch/hgnc_id/{first:/response/docs/0/hgnc_id}
answer:
  records: /response/docs
  id: hgnc_id
  prefix: HGNC
  fields: {symbol: /symbol, hgnc_id: /hgnc_id, name: /name}
  value: symbol
examples:
  - question: Is TP53 an approved symbol?
    parameters: {symbol: TP53}
```
"""

from __future__ import annotations

from core.apis.described.api import CheckedDescription, check_description, read

__all__ = ["CheckedDescription", "check_description", "read"]
