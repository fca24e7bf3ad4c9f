"""Reads Huawei Cloud's flavors, zones and prices through ECS and BSS (SDKs huaweicloudsdkecs, huaweicloudsdkbss).

Documented at support.huaweicloud.com: ListFlavors of ECS (paged by `marker`), whose `os_extra_specs` tell the zones and
the cards, and ListOnDemandResourceRatings of BSS, at most 100 products a call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from generator.catalog.calls import TIMEOUT_S, Fault, Service, call
from generator.catalog.listing import Ask, ListedOffer, ListedType, Listing, Reading
from generator.catalog.offers import Source

if TYPE_CHECKING:
    from huaweicloudsdkbss.v2 import BssClient
    from huaweicloudsdkecs.v2 import EcsClient, Flavor

FLAVORS, RATINGS = "ListFlavors", "ListOnDemandResourceRatings"
PAGE = 1000
BATCH = 100
HOUR = 4  # `usage_measure_id` of an hour
MIB_IN_GIB = 1024
BSS_HOST = "https://bss.myhuaweicloud.com"
GONE = "abandon"  # taken off sale; `sellout` is sold out for now
UNKNOWN_PRODUCT = ("CBC.6006", "CBC.99006006")
ARCHITECTURES = {"arm64": "arm64", "aarch64": "arm64", "x86_64": "x86_64", "x86": "x86_64"}
_ZONE = re.compile(r"([\w-]+)\((\w+)\)")
CREDENTIALS = (
    "set HUAWEICLOUD_SDK_AK and HUAWEICLOUD_SDK_SK (and HUAWEICLOUD_SDK_PROJECT_ID, _DOMAIN_ID where IAM may not be "
    "asked), or keep them in the SDK's credentials file"
)


def read_fault(error: Exception) -> Fault:
    """What an exception of the SDK means: the gateway's throttling is APIGW.0308, of which the SDK keeps HTTP 429."""
    code = str(getattr(error, "error_code", None) or "")
    request_id = str(getattr(error, "request_id", None) or "")
    status = getattr(error, "status_code", None)
    if status == 429 or code == "APIGW.0308":
        return Fault(kind="throttled", code=code or "429", request_id=request_id)
    if status == 401 or code == "APIGW.0301" or isinstance(error, ValueError):
        return Fault(kind="credentials", code=code, request_id=request_id)
    if status == 403:
        return Fault(kind="denied", code=code or "403", request_id=request_id)
    return Fault(kind="other" if status else "unreachable", code=code, request_id=request_id)


def read(ask: Ask) -> Listing:
    """For each region asked: its flavors, the zones of each, and the list price of those that are wanted."""
    from huaweicloudsdkcore.exceptions.exceptions import SdkException  # noqa: PLC0415

    service = Service(errors=(SdkException, ValueError), read_fault=read_fault, credentials=CREDENTIALS, tell=ask.tell)
    types: dict[str, ListedType] = {}
    offers: list[ListedOffer] = []
    zones: dict[str, tuple[str, ...]] = {}
    for region in ask.regions:
        client, credentials = _ecs(region, ask.endpoint, service)
        flavors = list(read_flavors(client, service))
        kinds = {flavor.id: _type(flavor) for flavor in flavors}
        types |= kinds
        sold = {flavor.id: sold_zones(flavor) for flavor in flavors}
        sold = {name: places for name, places in sold.items() if places}
        wanted = [name for name in sorted(sold) if ask.wants(kinds[name])]
        ask.tell(f"{region}: {len(sold)} flavors, prices of {len(wanted)}")
        bss = _bss(ask.endpoint, service)
        batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
        prices: dict[str, tuple[Decimal, str]] = {}
        for batch in batches:
            prices |= read_prices(bss, service, region, credentials.project_id, batch)
        zones[region] = tuple(sorted({zone for places in sold.values() for zone in places if zone}))
        for name, places in sold.items():
            amount, currency = prices.get(name) or (None, None)
            offers += [
                ListedOffer(region=region, zone=zone, instance_type=name, amount=amount, currency=currency)
                for zone in places
            ]
    return Listing(types=tuple(types.values()), offers=tuple(offers), zones=zones)


def read_flavors(client: EcsClient, service: Service) -> Iterator[Flavor]:
    """Every flavor of the client's region, all pages."""
    from huaweicloudsdkecs.v2 import ListFlavorsRequest  # noqa: PLC0415

    marker = None
    while True:
        request = ListFlavorsRequest(limit=PAGE, marker=marker)
        answer = call(service, FLAVORS, lambda: client.list_flavors(request))  # noqa: B023
        flavors = list(answer.flavors or ())
        yield from flavors
        if len(flavors) < PAGE or flavors[-1].id == marker:
            return
        marker = flavors[-1].id


def sold_zones(flavor: Flavor) -> tuple[str | None, ...]:
    """The zones that sell a flavor; (None,) where it is sold and no zone is named, () where it is not sold."""
    specs = flavor.os_extra_specs
    named = _ZONE.findall((specs.condoperationaz if specs else None) or "")
    if named:
        return tuple(sorted(zone for zone, status in named if status != GONE))
    return () if specs and specs.condoperationstatus == GONE else (None,)


def _type(flavor: Flavor) -> ListedType:
    specs = flavor.os_extra_specs
    cards = _cards(specs)
    rate = getattr(specs, "quotamax_rate", None)
    arch = getattr(specs, "ecsinstance_architecture", None)
    return ListedType(
        id=flavor.id,
        family=flavor.id.split(".")[0],
        vcpus=int(flavor.vcpus),
        ram_gib=flavor.ram / MIB_IN_GIB,
        gpus=sum(count for _, count, _ in cards),
        gpu_name=cards[0][0] if cards else None,
        gpu_memory_gib=cards[0][2] if cards else None,
        network_gbps=int(rate) / 1000 if rate else None,
        cpu_arch=ARCHITECTURES.get(arch) if arch else "x86_64",  # the key is there for the others only
        bare_metal=False,
    )


def _cards(specs: Any) -> list[tuple[str, int, float | None]]:
    """Name, count and GiB of the cards: GPUs, or accelerators such as Ascend; else what is passed through."""
    for text in (getattr(specs, name, None) for name in ("infogpus", "infoasic_accelerators")):
        if text:
            rows = json.loads(text)
            return [(row["name"], int(row["count"]), _gib(row.get("memory_mb"))) for row in rows]
    name, mark, count = (getattr(specs, "pci_passthroughalias", None) or "").partition(":")
    return [(name, int(count), None)] if mark and count.isdigit() else []


def _gib(mib: float | None) -> float | None:
    return mib / MIB_IN_GIB if mib else None


def read_prices(
    client: BssClient, service: Service, region: str, project: str, names: Sequence[str]
) -> dict[str, tuple[Decimal, str]]:
    """List prices by the hour, with their currency, by flavor; one that the price system does not know is left out.

    An answer names no flavor that is unknown: such a batch is halved until the unknown one stands alone.
    """
    answer = _ratings(client, service, region, project, names)
    if answer is None:
        half = len(names) // 2
        parts = (names[:half], names[half:]) if half else ()
        return {
            name: price for part in parts for name, price in read_prices(client, service, region, project, part).items()
        }
    rows = {int(row.id): row.official_website_amount for row in answer.product_rating_results}
    return {
        name: (Decimal(str(rows[number])), answer.currency)
        for number, name in enumerate(names)
        if rows.get(number) and answer.currency
    }


def _ratings(client: BssClient, service: Service, region: str, project: str, names: Sequence[str]) -> Any:
    """The answer for these flavors, None where one of them is unknown to the price system."""
    from huaweicloudsdkbss.v2 import (  # noqa: PLC0415
        DemandProductInfo,
        ListOnDemandResourceRatingsRequest,
        RateOnDemandReq,
    )
    from huaweicloudsdkcore.exceptions.exceptions import ServiceResponseException  # noqa: PLC0415

    products = [
        DemandProductInfo(
            id=str(number),
            cloud_service_type="hws.service.type.ec2",
            resource_type="hws.resource.type.vm",
            resource_spec=f"{name}.linux",
            region=region,
            usage_factor="Duration",
            usage_value=1,
            usage_measure_id=HOUR,
            subscription_num=1,
        )
        for number, name in enumerate(names)
    ]
    body = RateOnDemandReq(project_id=project, inquiry_precision=1, product_infos=products)

    def ask() -> Any:
        try:
            return client.list_on_demand_resource_ratings(ListOnDemandResourceRatingsRequest(body=body))
        except ServiceResponseException as error:
            if error.error_code in UNKNOWN_PRODUCT:
                return None
            raise

    return call(service, RATINGS, ask)


def _config() -> Any:
    from huaweicloudsdkcore.http.http_config import HttpConfig  # noqa: PLC0415

    config = HttpConfig.get_default_config()
    config.timeout = (TIMEOUT_S, TIMEOUT_S)
    return config


def _ecs(region: str, endpoint: str | None, service: Service) -> tuple[EcsClient, Any]:
    """The client of a region's servers, and its credentials, which learn the region's project from IAM."""
    from huaweicloudsdkcore.auth.provider import CredentialProviderChain  # noqa: PLC0415
    from huaweicloudsdkcore.region.region import Region  # noqa: PLC0415
    from huaweicloudsdkecs.v2 import EcsClient  # noqa: PLC0415

    chain = CredentialProviderChain.get_basic_credential_provider_chain()
    credentials = call(service, "credentials", chain.get_credentials)
    place = Region(region, endpoint or f"https://ecs.{region}.myhuaweicloud.com")
    builder = EcsClient.new_builder().with_http_config(_config()).with_credentials(credentials).with_region(place)
    return call(service, "credentials", builder.build), credentials


def _bss(endpoint: str | None, service: Service) -> BssClient:
    from huaweicloudsdkbss.v2 import BssClient  # noqa: PLC0415
    from huaweicloudsdkcore.auth.provider import CredentialProviderChain  # noqa: PLC0415
    from huaweicloudsdkcore.region.region import Region  # noqa: PLC0415

    chain = CredentialProviderChain.get_global_credential_provider_chain()
    credentials = call(service, "credentials", chain.get_credentials)
    place = Region("cn-north-1", endpoint or BSS_HOST)
    builder = BssClient.new_builder().with_http_config(_config()).with_credentials(credentials).with_region(place)
    return call(service, "credentials", builder.build)


READING = Reading(
    modules=("huaweicloudsdkecs", "huaweicloudsdkbss", "huaweicloudsdkcore"),
    credentials=CREDENTIALS,
    types_source=Source(key=FLAVORS, title=f"Huawei Cloud ECS API v1, {FLAVORS}", date=None),
    offers_source=Source(key=FLAVORS, title=f"Huawei Cloud ECS API v1, {FLAVORS}", date=None),
    price_source=Source(key=RATINGS, title=f"Huawei Cloud BSS API v2, {RATINGS}", date=None),
    opens=frozenset({"otc_documented_only"}),
    read=read,
)
