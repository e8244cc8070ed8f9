"""How a server of ours is reached: in plain text, or over TLS.

The scheme of an address decides. Without one, this host is spoken to in plain text, and others over TLS where an authority is named that
vouches for them. The binary has the same rules (`crates/worker/src/connect.rs`).
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import grpc

#: How long a look at who answers may take.
LOOK_SECONDS_MAX = 5.0

#: OpenSSL's numbers for a certificate that is for others.
_OTHER_NAME = {62, 63, 64}
#: …and for one that nobody vouches for.
_UNTRUSTED = {2, 18, 19, 20, 21}


class Unusable(Exception):
    """The settings can't be used."""


@dataclass(frozen=True)
class Server:
    """`unix:/path`, `host:port`, `http://host:port` or `https://host:port`."""

    address: str
    #: A PEM file with the authorities to trust; None: the system's.
    ca: str | None = None
    #: What the certificate must be for; None: the host of the address.
    name: str | None = None

    @classmethod
    def of(cls, address: str, variables: Mapping[str, str]) -> Server:
        return cls(address, variables.get("WAYMARK_TLS_CA") or None, variables.get("WAYMARK_TLS_NAME") or None)

    @property
    def target(self) -> str:
        """Without its scheme."""
        return self._split()[1]

    @property
    def is_socket(self) -> bool:
        return self.target.startswith("unix:")

    @property
    def is_secure(self) -> bool:
        scheme, _ = self._split()
        if scheme:
            return scheme == "https"
        return self.ca is not None and not self.is_socket and not self._is_loopback

    @property
    def is_exposed(self) -> bool:
        """Others may read what is said there."""
        is_any = self._ip is not None and self._ip.is_unspecified
        return not (self.is_secure or self.is_socket or self._is_loopback or is_any)

    def warning(self) -> str:
        return (
            f"the token goes to {self.target} in plain text, and others may read it; where TLS is spoken there, write https://{self.target}"
        )

    def context(self) -> ssl.SSLContext | None:
        """None: plain text. Raises `Unusable`."""
        return self._trust() if self.is_secure else None

    def credentials(self) -> grpc.ChannelCredentials | None:
        """None: plain text. Raises `Unusable`."""
        import grpc

        return grpc.ssl_channel_credentials(self._roots()) if self.is_secure else None

    def options(self) -> list[tuple[str, Any]]:
        return [("grpc.ssl_target_name_override", self.name)] if self.is_secure and self.name else []

    def problem(self) -> str | None:
        """Why it can't be talked to although somebody is there, and the way out. gRPC says it in words that change. Blocks."""
        if self.is_socket:
            return None
        return self._problem_of_tls() if self.is_secure else self._problem_of_plain_text()

    def _problem_of_tls(self) -> str | None:
        try:
            self._look(self._trust(), self.name or self.host)
        except Unusable as error:
            return str(error)
        except ssl.SSLCertVerificationError as error:
            return self._problem_of_certificate(error)
        except (ssl.SSLError, ConnectionResetError) as error:
            return (
                f"what answers at {self.address} does not speak TLS: {error}\n"
                f"hint: set tls_certificate and tls_key there; or, where nobody else can listen, write http://{self.target}"
            )
        except (OSError, ValueError):
            return None
        return None

    def _problem_of_certificate(self, error: ssl.SSLCertVerificationError) -> str:
        if error.verify_code in _OTHER_NAME:
            return (
                f"the certificate of {self.address} is not for this name: {error.verify_message}\n"
                "hint: connect by a name that it is for, or set tls_name (WAYMARK_TLS_NAME) to one"
            )
        if error.verify_code not in _UNTRUSTED:
            return (
                f"the certificate of {self.address} can't be used: {error.verify_message}\n"
                "hint: give the server another one (tls_certificate, tls_key)"
            )
        hint = (
            "tls_ca (WAYMARK_TLS_CA) has another authority than the one that signed it"
            if self.ca
            else "set tls_ca (WAYMARK_TLS_CA) to a PEM file with the certificate of the authority that signed it"
        )
        return f"nobody that we trust has signed the certificate of {self.address}\nhint: {hint}"

    def _problem_of_plain_text(self) -> str | None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        try:
            self._look(context, None)
        except (OSError, ValueError):
            return None
        return (
            f"what answers at {self.target} speaks TLS, and was spoken to in plain text\n"
            f"hint: write https://{self.target}, and set tls_ca (WAYMARK_TLS_CA) unless the system trusts its certificate"
        )

    def _look(self, context: ssl.SSLContext, name: str | None) -> None:
        """A handshake, and nothing else."""
        with contextlib.closing(socket.create_connection((self.host, self.port), LOOK_SECONDS_MAX)) as connection:
            context.wrap_socket(connection, server_hostname=name).close()

    def _trust(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self.ca is None:
            context.load_default_certs()
            return context
        try:
            context.load_verify_locations(cadata=Path(self.ca).read_text())
        except (ssl.SSLError, ValueError):
            raise Unusable(
                f"there is no certificate in the file that `tls_ca` names, {self.ca}\n"
                "hint: it is a PEM file, with `-----BEGIN CERTIFICATE-----`"
            ) from None
        except OSError as error:
            raise Unusable(f"`tls_ca` (WAYMARK_TLS_CA) can't be read: {error}") from error
        return context

    def _roots(self) -> bytes | None:
        """As PEM; None: those that gRPC brings along."""
        context = self._trust()
        if self.ca is not None:
            return Path(self.ca).read_bytes()
        found = context.get_ca_certs(binary_form=True)
        return "".join(map(ssl.DER_cert_to_PEM_cert, found)).encode() or None

    def _split(self) -> tuple[str, str]:
        scheme, separator, rest = self.address.partition("://")
        return (scheme, rest.rstrip("/")) if separator else ("", self.address)

    @property
    def _is_loopback(self) -> bool:
        """By what is written: a name is not asked for what it leads to, because somebody else may answer."""
        return self.host.lower() == "localhost" or (self._ip is not None and self._ip.is_loopback)

    @property
    def _ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        try:
            ip = ipaddress.ip_address(self.host)
        except ValueError:
            return None
        return (ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None) or ip

    @property
    def host(self) -> str:
        host = self.target.rpartition(":")[0]
        return host[1:-1] if host.startswith("[") and host.endswith("]") else host

    @property
    def port(self) -> int:
        return int(self.target.rpartition(":")[2])
