"""How does a mail reach the mail server? One connection for as long as it lasts; of what goes wrong only the kind is kept."""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from email.utils import parseaddr
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shared.runtime.settings import SettingRefused, Settings

WAITING = 15.0          # seconds for each answer of the mail server
PORTS = {"smtp": 587, "smtps": 465}
WELL, REFUSED_FOR_GOOD = 250, 500


class Outcome(NamedTuple):
    """What became of one attempt."""

    reason: str = ""            # empty: the mail server has taken it
    final: bool = False         # asking again would not help

    @property
    def good(self) -> bool:
        return not self.reason


class Server:
    """The mail server of the settings."""

    def __init__(self, settings: Settings) -> None:
        parts = urlsplit(settings.smtp_url)
        if parts.scheme not in PORTS or not parts.hostname:
            raise SettingRefused("CUPBOARD_SMTP_URL: mail needs smtp://NAME:PASSWORD@HOST:PORT or smtps://...")
        if "@" not in parseaddr(settings.mail_from)[1]:
            raise SettingRefused("CUPBOARD_MAIL_FROM: a mail address, also as in `Cupboard <league@example.org>`")
        self._place = (parts.hostname, parts.port or PORTS[parts.scheme])
        self._login = (unquote(parts.username or ""), unquote(parts.password or ""))
        self._wrapped, self._plain = parts.scheme == "smtps", settings.smtp_plain
        self._own_name = urlsplit(settings.origin).hostname
        self._line: smtplib.SMTP | None = None

    def send(self, letter: EmailMessage) -> Outcome:
        """One attempt; whatever goes wrong is a reason, never an exception."""
        outcome = self._sent(letter)
        if not outcome.good:
            self.close()
        return outcome

    def close(self) -> None:
        if self._line is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._line.quit()
            self._line = None

    def _sent(self, letter: EmailMessage) -> Outcome:
        try:
            self._open().send_message(letter)
        except smtplib.SMTPRecipientsRefused as error:
            return Outcome("refused", final=all(code >= REFUSED_FOR_GOOD for code, _ in error.recipients.values()))
        except smtplib.SMTPDataError as error:
            return Outcome("refused", final=error.smtp_code >= REFUSED_FOR_GOOD)
        except smtplib.SMTPAuthenticationError:
            return Outcome("login")
        except (smtplib.SMTPNotSupportedError, UnicodeError, ValueError):
            return Outcome("address", final=True)
        except TimeoutError:
            return Outcome("time")
        except ssl.SSLError:
            return Outcome("tls")
        except (OSError, smtplib.SMTPException):
            return Outcome("connection")
        return Outcome()

    def _open(self) -> smtplib.SMTP:
        if self._line is not None:
            with suppress(OSError, smtplib.SMTPException):
                if self._line.noop()[0] == WELL:
                    return self._line
            self.close()
        line = self._connected()
        self._line = line
        if self._login[0]:
            line.login(*self._login)
        return line

    def _connected(self) -> smtplib.SMTP:
        safe = ssl.create_default_context()
        if self._wrapped:
            return smtplib.SMTP_SSL(*self._place, self._own_name, timeout=WAITING, context=safe)
        line = smtplib.SMTP(*self._place, self._own_name, timeout=WAITING)
        if not self._plain:
            try:
                line.starttls(context=safe)
            except (OSError, smtplib.SMTPException) as error:
                line.close()
                raise ssl.SSLError(type(error).__name__) from error
        return line
