"""Tokens of those who may use a server: shown once, kept as hashes, compared in constant time."""

import hashlib
import hmac
import json
import secrets
import time
from pathlib import Path
from typing import Any

from ..saving.atomic_write import replace_file

SCOPES = ("read", "write", "admin")  # each includes those before it
_PREFIX = "ks_"


class Tokens:
    """The tokens of a folder of data. They are random and long, so a plain hash cannot be guessed back.

    >>> import tempfile
    >>> tokens = Tokens(Path(tempfile.mkdtemp()))
    >>> secret = tokens.add("write")
    >>> tokens.allows(secret, "read"), tokens.allows(secret, "admin"), tokens.allows("ks_guess", "read")
    (True, False, False)
    """

    def __init__(self, folder: Path):
        self.path = folder / "tokens.json"
        self._read, self._known = 0.0, list[dict[str, Any]]()
        self._load()

    def __len__(self) -> int:
        return len(self._load())

    def add(self, scope: str, note: str = "") -> str:
        """A new token, which is stored nowhere in clear."""
        if scope not in SCOPES:
            raise ValueError(f"The scope is {scope!r}; use one of {', '.join(SCOPES)}.")
        secret = _PREFIX + secrets.token_urlsafe(32)
        entry = {"id": secrets.token_hex(4), "scope": scope, "note": note, "sha256": _hash(secret), "made": time.time()}
        self._write([*self._load(), entry])
        return secret

    def remove(self, name: str) -> bool:
        """Remove the token with this id; whether there was one."""
        known = self._load()
        self._write([entry for entry in known if entry["id"] != name])
        return any(entry["id"] == name for entry in known)

    def listed(self) -> list[dict[str, Any]]:
        """The tokens without their hashes."""
        return [{key: value for key, value in entry.items() if key != "sha256"} for entry in self._load()]

    def find(self, secret: str) -> dict[str, Any] | None:
        """Id, scope and more of a token, if it is known; takes as long whatever is wrong with it."""
        given, found = _hash(secret), None
        for entry in self._load():
            found = entry if hmac.compare_digest(entry["sha256"], given) else found
        return found

    def allows(self, secret: str, scope: str) -> bool:
        """Whether a token is known and has this scope."""
        return includes(self.find(secret), scope)

    def _load(self) -> list[dict[str, Any]]:
        """The tokens; the file is read again when another process has changed it."""
        try:
            changed = self.path.stat().st_mtime_ns
        except FileNotFoundError:
            self._known, self._read = [], 0.0
            return self._known
        if changed != self._read:
            self._known = json.loads(self.path.read_text(encoding="utf-8"))
            self._read = changed
        return self._known

    def _write(self, known: list[dict[str, Any]]) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.path, json.dumps(known, indent=1).encode())
        self.path.chmod(0o600)
        self._load()


def includes(token: dict[str, Any] | None, scope: str) -> bool:
    """Whether a token, if it is one, has this scope."""
    return token is not None and SCOPES.index(token["scope"]) >= SCOPES.index(scope)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).hexdigest()
