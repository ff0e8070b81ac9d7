"""API agents (BioChatter's idea, made safe): parameters, builder, fetcher, interpreter; one file an
API.

An API's host is a constant of its file. A model or a form fills the parameters, a Pydantic model
checks them, and only then is a request made. Everything fetched is recorded like any other call.
"""
