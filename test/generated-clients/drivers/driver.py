import json, os, sys, time
sys.path.insert(0, os.environ["WORK"])
import importlib, pkgutil
for name in ("partner_client", "dashboard_client"):
    for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
        importlib.import_module(module.name)
from partner_client import AuthenticatedClient
from partner_client.api.business_profiles import profile_create, profile_list
from partner_client.api.events import delivery_list_events
from partner_client.models import Industry, PartnerError, ProfileCreateRequest

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])


def business(email):
    return ProfileCreateRequest(
        partner_customer_id=f"generated-python-{time.time_ns()}", email=email, company_name="Generated",
        business_type_code="LLC", incorporation_country_iso_3_code="NGA", industry=Industry("CustomerRevenue"),
        website="https://generated.example", registration_number="RC1",
    )


refused = profile_create.sync(client=client, body=business("none"))
assert isinstance(refused, PartnerError)
events = delivery_list_events.sync(client=client, cursor=os.environ["CURSOR"], page_size=100).value.items
print(json.dumps({
    "created": str(profile_create.sync(client=client, body=business("a@b.example")).value.customer_id),
    "listed": len(profile_list.sync(client=client).value.items),
    "refused": str(refused.error.code),
    "events": [[event.event_type, type(event).__name__] for event in events],
}))
