"""What is said of programs of other people: registered, let in, given tokens (PL-179)?"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, validate

from services.gateway.api.schemas import A_TIME, Shape, an_id, text, told, told_time

ID, BACK = "p-9tK2mQ4xZ1bC7dEf", "https://ladder.example/back"


class ClientIn(Shape):
    name = text(200, required=True)
    homepage = text(500, required=True)
    redirects = fields.List(text(500), required=True, validate=validate.Length(1, 10),
                            metadata={"description": "where people may be sent back to, letter by letter: https, or http on 127.0.0.1 or [::1]"})
    organisation = an_id(metadata={"description": "in whose name; its owners see to it"})
    example: ClassVar[Any] = {"name": "Ladder watch", "homepage": "https://ladder.example/", "redirects": [BACK]}


class Client(Shape):
    client, name, homepage, organisation = told(metadata={"description": "the client_id"}), told(), told(), told()
    redirects = fields.List(fields.String())
    people = fields.Integer(metadata={"description": "how many have let it in"})
    created_at = told_time()
    example: ClassVar[Any] = {"client": ID, **ClientIn.example, "organisation": None, "people": 0, "created_at": A_TIME}


class LetIn(Shape):
    client, name, homepage = told(), told(), told()
    scopes = fields.List(fields.String())
    granted_at, ends_at, used_on = told_time(), told_time(), told()
    example: ClassVar[Any] = {"client": ID, "name": "Ladder watch", "homepage": "https://ladder.example/", "scopes": ["match:read"],
                              "granted_at": A_TIME, "ends_at": A_TIME, "used_on": "2027-02-03"}


class AuthorizeAsked(Shape):
    response_type, client_id, redirect_uri = text(metadata={"description": "code"}), text(), text(500)
    scope, state = text(1000), text(1000)
    code_challenge, code_challenge_method = text(), text(metadata={"description": "S256"})


class TokenWish(Shape):
    grant_type = text(required=True, metadata={"description": "authorization_code or refresh_token"})
    client_id = text(required=True)
    code, redirect_uri, code_verifier = text(), text(500), text()
    refresh_token, scope = text(), text(1000)
    example: ClassVar[Any] = {"grant_type": "authorization_code", "client_id": ID, "code": "hV3…", "redirect_uri": BACK, "code_verifier": "dBjf…"}


class GivenTokens(Shape):
    access_token = fields.String(metadata={"description": "for the Authorization header; an hour at most"})
    token_type = told()
    expires_in = fields.Integer(metadata={"description": "seconds"})
    refresh_token = fields.String(metadata={"description": "works once; the answer brings the next one"})
    scope = told()
    example: ClassVar[Any] = {"access_token": "lg_oat_…", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "lg_oat_…", "scope": "match:read"}


class RevokeWish(Shape):
    token = text(required=True)
    client_id = text(required=True)
    token_type_hint = text()
    example: ClassVar[Any] = {"token": "lg_oat_…", "client_id": ID}


class OAuthError(Shape):
    error = told(metadata={"description": "invalid_request, invalid_client, invalid_grant, invalid_scope, unsupported_grant_type"})
    error_description = told()
    example: ClassVar[Any] = {"error": "invalid_grant", "error_description": "this code is unknown, or was used up"}
