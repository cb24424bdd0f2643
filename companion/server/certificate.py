"""The table's own certificate: browsers lend a camera to pages over TLS only. Nobody has signed it but the table."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from companion.files import written_whole

if TYPE_CHECKING:
    from cryptography import x509

LASTS = timedelta(days=820)
"""Browsers take no certificate that counts for longer than 825 days."""
RENEWED = timedelta(days=30)
"""How long before its end it is made anew."""


def certificate(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """Return the files of certificate and key for names and addresses, made anew if they lack one of them.

    The key is P-256, and stays the same. A phone's browser warns once for each new certificate.

    Raises:
        OSError: if the folder can't be written.
    """
    # Only here: a table that no phone films for needs none of it in memory.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    where, key_file = folder / "camera-certificate.pem", folder / "camera-key.pem"
    wanted = dict.fromkeys(names)
    now = datetime.now(UTC)
    try:
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        kept = x509.load_pem_x509_certificate(where.read_bytes())
        there = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        known = {f"{name.value}" for name in there}
        if (
            wanted.keys() <= known
            and kept.public_key() == key.public_key()
            and kept.not_valid_after_utc - now > RENEWED
        ):
            return where, key_file
        wanted |= dict.fromkeys(sorted(known))
    except (OSError, ValueError, x509.ExtensionNotFound):
        key = ec.generate_private_key(ec.SECP256R1())
    assert isinstance(key, ec.EllipticCurvePrivateKey)  # noqa: S101 (made here)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Companion")])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A Pi without a network begins in the past, and a phone's clock may be behind.
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + LASTS)
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in wanted]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    shape = serialization.PrivateFormat.PKCS8
    with written_whole(key_file, 0o600) as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, shape, plain))
    with written_whole(where) as file:
        file.write(made.public_bytes(serialization.Encoding.PEM))
    return where, key_file


def _name(name: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
