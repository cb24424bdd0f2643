"""What a QR code on a card says: seven characters, `GGPPPFC`.

`GG` names the game (two letters), `PPP` the piece (three base-36 digits), `F` the face (one letter) and `C` is a check
character by ISO 7064 MOD 37,36, so that a misread, a menu or a bus ticket is not taken for a card.
"""

from __future__ import annotations

import msgspec

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BACK = "000"
"""The piece number that every card back of a deck carries: a back tells nobody which card it is (ruling C1)."""


class Code(msgspec.Struct, frozen=True):
    """One code as printed: which game's deck, which piece of it, which face of the piece."""

    game: str
    piece: str
    face: str

    def __str__(self) -> str:
        """Return the payload with its check character."""
        body = f"{self.game}{self.piece}{self.face}"
        return body + check_character(body)


def check_character(body: str) -> str:
    """Compute the ISO 7064 MOD 37,36 check character of `body` (base-36 digits, upper case).

    Raises:
        ValueError: if a character is not a base-36 digit.
    """
    carry = 36
    for character in body:
        carry = (carry + ALPHABET.index(character)) % 36 or 36
        carry = carry * 2 % 37
    return ALPHABET[(37 - carry) % 36]


def parse(payload: str) -> Code | None:
    """Read a payload; None if it is no code of ours (wrong length, characters, or check character)."""
    if len(payload) != 7 or any(character not in ALPHABET for character in payload):
        return None
    if any(payload[i].isdigit() for i in (0, 1, 5)) or check_character(payload[:6]) != payload[6]:
        return None
    return Code(payload[:2], payload[2:5], payload[5])
