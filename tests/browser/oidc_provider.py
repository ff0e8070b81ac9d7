"""A small OpenID Connect provider on loopback: discovery, authorization code, token, signed id
tokens (OpenID Connect Core 1.0, 3.1). Whoever comes is signed in as `person` at once.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

CLIENT, SECRET = "groundwork", "not-a-secret"


class Provider:
    """`person` holds the claims of whoever signs in next: `sub`, `name`."""

    def __init__(self, person: dict[str, str]):
        self.person = person
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.codes: dict[str, dict[str, Any]] = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, Any]:
        numbers = self.key.public_key().public_numbers()
        key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1"}
        return {"keys": [key | {"n": _number(numbers.n), "e": _number(numbers.e)}]}

    def code(self, asked: dict[str, str]) -> str:
        """The address that the browser is sent back to."""
        code = f"code{len(self.codes)}"
        self.codes[code] = {"nonce": asked.get("nonce", ""), **self.person}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, code: str) -> dict[str, Any]:
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": int(time.time())}
        claims |= {"exp": int(time.time()) + 600, **self.codes.pop(code)}
        head = _text(json.dumps({"alg": "RS256", "kid": "1", "typ": "JWT"}).encode())
        body = _text(json.dumps(claims).encode())
        signature = self.key.sign(f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
        token = f"{head}.{body}.{_text(signature)}"
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 600, "id_token": token}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                place = urlsplit(self.path)
                if place.path == "/authorize":
                    asked = {name: values[0] for name, values in parse_qs(place.query).items()}
                    self.send_response(302)
                    self.send_header("Location", provider.code(asked))
                    self.end_headers()
                elif place.path == "/.well-known/openid-configuration":
                    self.answer(provider.discovery())
                else:
                    self.answer(provider.keys())

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                form = parse_qs(self.rfile.read(length).decode())
                self.answer(provider.token(form["code"][0]))

            def answer(self, body: dict[str, Any]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))
