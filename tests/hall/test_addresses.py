"""What the hall says of its database's address: a password may be in it."""

from __future__ import annotations

import pytest

from companion.hall.database import DatabaseError, connect


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://hall:secret@127.0.0.1:9/hall",
        "postgresql://hall:se@secret@127.0.0.1:9/hall",
        "postgresql//hall:secret@127.0.0.1/hall",
        "host=127.0.0.1 password=my secret",
        "postgresql://hall:%secret@127.0.0.1/hall",
    ],
)
def test_no_sentence_about_the_database_has_its_password(address: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        connect(address)
    assert "secret" not in f"{caught.value}"
