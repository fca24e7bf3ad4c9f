"""Reads Baidu AI Cloud's types, zones and prices through its BCC API of version 2 (SDK bce-python-sdk).

Documented at cloud.baidu.com/doc/BCC: zone, instance/flavorSpec and instance/price, none of which has pages. A price
by use is told in CNY a minute.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from generator.catalog.calls import TIMEOUT_S, Fault, Service, call
from generator.catalog.listing import Ask, ListedOffer, ListedType, Listing, Reading
from generator.catalog.offers import Source

if TYPE_CHECKING:
    from baidubce.services.bcc.bcc_client import BccClient

ZONES, FLAVORS, PRICE = "ListZones", "ListFlavorSpec", "GetPriceBySpec"
KEY_VARIABLES = ("BAIDUCLOUD_ACCESS_KEY", "BAIDUCLOUD_SECRET_KEY")  # those that the stack's module reads too
CREDENTIALS = f"set {KEY_VARIABLES[0]} and {KEY_VARIABLES[1]}"
CURRENCY = "CNY"
MINUTES_IN_HOUR = 60
# The maker's name at the head of `cpuModel`.
ARCHITECTURES = {"intel": "x86_64", "amd": "x86_64", "hygon": "x86_64", "kunpeng": "arm64", "ampere": "arm64"}
WHOLE_SERVERS = ("ebc.", "ehc.")  # elastic bare metal, and that of the clusters

# Common error codes of cloud.baidu.com/doc/BCC; throttling is HTTP 429.
THROTTLED_CODES = ("RequestLimitExceeded", "TooManyRequests")
KEY_CODES = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidHTTPAuthHeader", "RequestExpired")
DENIED_CODES = ("AccessDenied", "OptInRequired")


class NoKeysError(Exception):
    """The environment holds no keys: this SDK looks for none by itself."""


def read_fault(error: Exception) -> Fault:
    """What an exception of the SDK means."""
    code, request_id = (_text(getattr(error, name, None)) for name in ("code", "request_id"))
    status = getattr(error, "status_code", None)
    if isinstance(error, NoKeysError) or code in KEY_CODES:
        return Fault(kind="credentials", code=code, request_id=request_id)
    if status == 429 or code in THROTTLED_CODES:
        return Fault(kind="throttled", code=code or "429", request_id=request_id)
    if code in DENIED_CODES or status == 403:
        return Fault(kind="denied", code=code or "403", request_id=request_id)
    return Fault(kind="other" if status else "unreachable", code=code, request_id=request_id)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value or "")


def read(ask: Ask) -> Listing:
    """For each region asked: its zones, the types of each, and the list price of those that are wanted."""
    from baidubce.exception import BceError  # noqa: PLC0415

    service = Service(errors=(BceError, NoKeysError), read_fault=read_fault, credentials=CREDENTIALS, tell=ask.tell)
    types: dict[str, ListedType] = {}
    offers: list[ListedOffer] = []
    zones: dict[str, tuple[str, ...]] = {}
    for region in ask.regions:
        client = _client(region, ask.endpoint, service)
        listed = call(service, ZONES, client.list_zones).zones or ()
        zones[region] = tuple(sorted(zone.zone_name for zone in listed))
        for zone in zones[region]:
            for kind, family in read_flavors(client, service, zone):
                types[kind.id] = kind
                amount = read_price(client, service, zone, kind.id, family) if ask.wants(kind) else None
                offers.append(
                    ListedOffer(region=region, zone=zone, instance_type=kind.id, amount=amount, currency=CURRENCY)
                )
        ask.tell(f"{region}: {len(zones[region])} zones")
    return Listing(types=tuple(types.values()), offers=tuple(offers), zones=zones)


def read_flavors(client: BccClient, service: Service, zone: str) -> Iterator[tuple[ListedType, str]]:
    """Every type that a zone sells by use, with the id of its family."""
    answer = call(service, FLAVORS, lambda: client.list_flavor_spec(zone_name=zone))
    for place in answer.zone_resources or ():
        for part in (place.bcc_resources, place.ebc_resources):
            for group in (part.flavor_groups if part else None) or ():
                for flavor in group.flavors or ():
                    if flavor.product_type != "Prepaid":
                        yield _type(flavor), flavor.spec_id


def _type(flavor: Any) -> ListedType:
    maker = (flavor.cpu_model or "").split(" ")[0].lower()
    return ListedType(
        id=flavor.spec,
        family=flavor.spec.split(".")[1] if flavor.spec.count(".") else flavor.spec_id,
        vcpus=int(flavor.cpu_count),
        ram_gib=float(flavor.memory_capacity_in_gb),
        gpus=int(flavor.gpu_card_count or 0),
        gpu_name=flavor.gpu_card_type or None,
        gpu_memory_gib=None,
        network_gbps=float(flavor.network_bandwidth) if flavor.network_bandwidth else None,
        cpu_arch=ARCHITECTURES.get(maker),
        bare_metal=flavor.spec.startswith(WHOLE_SERVERS),
    )


def read_price(client: BccClient, service: Service, zone: str, name: str, family: str) -> Decimal | None:
    """The list price by the hour of a type in a zone; None where the API has none."""
    answer = call(
        service,
        PRICE,
        lambda: client.get_price_by_spec(
            spec_id=family, spec=name, payment_timing="Postpaid", zone_name=zone, purchase_num=1, purchase_length=1
        ),
    )
    for group in answer.price or ():
        for one in group.spec_prices or ():
            if one.spec == name and one.spec_price and Decimal(str(one.spec_price)) > 0:
                return Decimal(str(one.spec_price)) * MINUTES_IN_HOUR
    return None


def _client(region: str, endpoint: str | None, service: Service) -> BccClient:
    from baidubce.auth.bce_credentials import BceCredentials  # noqa: PLC0415
    from baidubce.bce_client_configuration import BceClientConfiguration  # noqa: PLC0415
    from baidubce.retry.retry_policy import NoRetryPolicy  # noqa: PLC0415
    from baidubce.services.bcc.bcc_client import BccClient  # noqa: PLC0415

    def find() -> Any:
        keys = [os.environ.get(name, "") for name in KEY_VARIABLES]
        if not all(keys):
            raise NoKeysError
        return BceCredentials(*keys)

    return BccClient(
        BceClientConfiguration(
            credentials=call(service, "credentials", find),
            endpoint=endpoint or f"https://bcc.{region}.baidubce.com",
            connection_timeout_in_mills=int(TIMEOUT_S * 1000),
            retry_policy=NoRetryPolicy(),
        )
    )


def _source(name: str) -> Source:
    return Source(key=name, title=f"Baidu AI Cloud BCC API v2, {name}", date=None)


READING = Reading(
    modules=("baidubce",),
    credentials=CREDENTIALS,
    types_source=_source(FLAVORS),
    offers_source=_source(FLAVORS),
    price_source=_source(PRICE),
    opens=frozenset(
        {"id_in_vendor_code", "terraform_examples", "vendor_code_comment", "vendor_doc_example", "vendor_examples"}
    ),
    read=read,
)
