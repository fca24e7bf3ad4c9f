"""Reads Alibaba Cloud's types, zones and prices through its ECS API of 2014-05-26 (SDK alibabacloud_ecs20140526).

Documented at api.aliyun.com: DescribeInstanceTypes (paged by NextToken), DescribeAvailableResource, DescribePrice.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from generator.catalog.calls import TIMEOUT_S, Fault, Service, call
from generator.catalog.listing import Ask, ListedOffer, ListedType, Listing, Reading
from generator.catalog.offers import Source

if TYPE_CHECKING:
    from alibabacloud_ecs20140526.client import Client

TYPES = "DescribeInstanceTypes"
AVAILABLE = "DescribeAvailableResource"
PRICE = "DescribePrice"

PAGE = 100
KBPS_IN_GBPS = 1024 * 1000  # the API's Kbit/s of a network that its pages give as 1 Gbit/s
ARCHITECTURES = {"X86": "x86_64", "ARM": "arm64"}
GONE = "ClosedWithoutStock"  # sold out and not to be filled again
CREDENTIALS = (
    "set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET, or what else the SDK's default chain reads"
)

# Error codes of api.aliyun.com: throttling begins with `Throttling`; those of the key and of rights stand here.
KEY_CODES = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "IncompleteSignature", "InvalidSecurityToken", "MissingAcc")
DENIED_CODES = ("Forbidden", "NoPermission", "InvalidAccountStatus", "OperationDenied", "UnauthorizedOperation")
# What DescribePrice answers for a type that it cannot price in a region: that one stays unpriced.
UNPRICED_CODES = (
    "InvalidInstanceType",
    "PriceNotFound",
    "InvalidSystemDiskCategory",
    "InvalidParameter",
    "InvalidResource",
)


def read_fault(error: Exception) -> Fault:
    """What an exception of the SDK means; codes are those of the API's error reference."""
    code = str(getattr(error, "code", None) or "")
    request_id = str(getattr(error, "request_id", None) or "")
    if type(error).__name__ == "CredentialException" or code.startswith(KEY_CODES) or code == "InvalidCredentials":
        return Fault(kind="credentials", code=code, request_id=request_id)
    if code.startswith("Throttling"):
        return Fault(kind="throttled", code=code, request_id=request_id)
    if code.startswith(DENIED_CODES):
        return Fault(kind="denied", code=code, request_id=request_id)
    if not code or code == "None" or not request_id:
        return Fault(kind="unreachable", code=type(error).__name__)
    return Fault(kind="other", code=code, request_id=request_id)


def read(ask: Ask) -> Listing:
    """The types of the cloud, and for each region asked its zones, what they sell and at which list price."""
    service = _service(ask)
    types: dict[str, ListedType] = {}
    offers: list[ListedOffer] = []
    zones: dict[str, tuple[str, ...]] = {}
    for region in ask.regions:
        client = _client(region, ask.endpoint, service)
        types |= {kind.id: kind for kind in read_types(client, service)}
        sold = read_zones(client, service, region)
        zones[region] = tuple(sorted({zone for places in sold.values() for zone in places}))
        wanted = [name for name in sorted(sold) if name in types and ask.wants(types[name])]
        ask.tell(f"{region}: {len(sold)} types in {len(zones[region])} zones, prices of {len(wanted)}")
        for name in sorted(sold):
            price = read_price(client, service, region, name, sold[name][0]) if name in wanted else (None, None)
            offers += [
                ListedOffer(region=region, zone=zone, instance_type=name, amount=price[0], currency=price[1])
                for zone in sold[name]
            ]
    return Listing(types=tuple(types.values()), offers=tuple(offers), zones=zones)


def read_types(client: Client, service: Service) -> Iterator[ListedType]:
    """Every type of the region's list, all pages."""
    from alibabacloud_ecs20140526.models import DescribeInstanceTypesRequest  # noqa: PLC0415 - heavy, and an extra

    token = None
    while True:
        request = DescribeInstanceTypesRequest(max_results=PAGE, next_token=token)
        body = call(service, TYPES, lambda: client.describe_instance_types_with_options(request, _options())).body  # noqa: B023
        for row in body.instance_types.instance_type:
            yield _type(row)
        token = body.next_token
        if not token:
            return


def _type(row: Any) -> ListedType:
    rate = row.instance_bandwidth_rx
    return ListedType(
        id=row.instance_type_id,
        family=row.instance_type_family,
        vcpus=row.cpu_core_count,
        ram_gib=row.memory_size,
        # a slice of a card is counted as 0 cards of so much memory
        gpus=row.gpuamount or int(bool(row.gpuspec and row.gpumemory_size)),
        gpu_name=row.gpuspec or None,
        gpu_memory_gib=row.gpumemory_size or None,
        network_gbps=rate / KBPS_IN_GBPS if rate else None,
        cpu_arch=ARCHITECTURES.get(row.cpu_architecture or ""),
        bare_metal="bare metal" in row.instance_category.lower() if row.instance_category else None,
    )


def read_zones(client: Client, service: Service, region: str) -> dict[str, tuple[str, ...]]:
    """The zones of each type that is sold by the hour in a region; what is sold out for now is sold."""
    from alibabacloud_ecs20140526.models import DescribeAvailableResourceRequest  # noqa: PLC0415

    request = DescribeAvailableResourceRequest(
        region_id=region, destination_resource="InstanceType", instance_charge_type="PostPaid"
    )
    answer = call(service, AVAILABLE, lambda: client.describe_available_resource_with_options(request, _options()))
    sold: dict[str, list[str]] = {}
    for zone in answer.body.available_zones.available_zone if answer.body.available_zones else ():
        for kind in zone.available_resources.available_resource if zone.available_resources else ():
            for one in kind.supported_resources.supported_resource:
                if one.status_category != GONE:
                    sold.setdefault(one.value, []).append(zone.zone_id)
    return {name: tuple(sorted(places)) for name, places in sold.items()}


def read_price(
    client: Client, service: Service, region: str, name: str, zone: str
) -> tuple[Decimal | None, str | None]:
    """The list price of the machine alone by the hour, with its currency; None where the API has none."""
    from alibabacloud_ecs20140526.models import DescribePriceRequest  # noqa: PLC0415

    request = DescribePriceRequest(
        region_id=region, resource_type="instance", instance_type=name, price_unit="Hour", period=1, zone_id=zone
    )
    from alibabacloud_tea_openapi.exceptions import ClientException  # noqa: PLC0415

    def ask() -> Any:
        try:
            return client.describe_price_with_options(request, _options()).body.price_info.price
        except ClientException as error:
            if str(error.code).startswith(UNPRICED_CODES):
                return None
            raise

    price = call(service, PRICE, ask)
    for part in price.detail_infos.detail_info if price is not None and price.detail_infos else ():
        if part.resource == "instanceType" and part.original_price:
            return Decimal(str(part.original_price)), price.currency
    return None, None


def _service(ask: Ask) -> Service:
    from alibabacloud_credentials.exceptions import CredentialException  # noqa: PLC0415
    from darabonba.exceptions import RetryError  # noqa: PLC0415
    from requests.exceptions import RequestException  # noqa: PLC0415
    from Tea.exceptions import TeaException  # noqa: PLC0415

    errors = (TeaException, RetryError, CredentialException, RequestException)
    return Service(errors=errors, read_fault=read_fault, credentials=CREDENTIALS, tell=ask.tell)


def _client(region: str, endpoint: str | None, service: Service) -> Client:
    from alibabacloud_credentials.client import Client as Credentials  # noqa: PLC0415
    from alibabacloud_ecs20140526.client import Client  # noqa: PLC0415
    from alibabacloud_tea_openapi.utils_models import Config  # noqa: PLC0415

    scheme, mark, host = (endpoint or "").rpartition("://")
    credential = call(service, "credentials", Credentials)
    call(service, "credentials", credential.get_credential)
    config = Config(credential=credential, region_id=region, protocol=scheme if mark else "https")
    if host:
        config.endpoint = host.rstrip("/")
    return Client(config)


def _options() -> Any:
    """One try a call, since `call` waits and tries again; no answer within the timeout is a failure."""
    from darabonba.runtime import RuntimeOptions  # noqa: PLC0415

    milliseconds = int(TIMEOUT_S * 1000)
    return RuntimeOptions(autoretry=False, max_attempts=1, connect_timeout=milliseconds, read_timeout=milliseconds)


def _source(name: str) -> Source:
    return Source(key=name, title=f"Alibaba Cloud ECS API 2014-05-26, {name}", date=None)


READING = Reading(
    modules=("alibabacloud_ecs20140526", "alibabacloud_tea_openapi", "alibabacloud_credentials", "darabonba"),
    credentials=CREDENTIALS,
    types_source=_source(TYPES),
    offers_source=_source(AVAILABLE),
    price_source=_source(PRICE),
    opens=frozenset({"api_only"}),
    read=read,
)
