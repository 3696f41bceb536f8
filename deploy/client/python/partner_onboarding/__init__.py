"""Client of the Partner Business Onboarding API."""
from .client import Client
from .errors import ApiError, ConnectionFailed, TokenError, WebhookError
from .webhooks import unwrap

__all__ = ["ApiError", "Client", "ConnectionFailed", "TokenError", "WebhookError", "unwrap"]
