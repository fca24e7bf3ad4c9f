"""Reads Tencent Cloud's types, zones and prices through its CVM API of 2017-03-12 (SDK tencentcloud-sdk-python-cvm).

One documented call tells all three, for a whole region at once and without pages: DescribeZoneInstanceConfigInfos. It
names neither the currency nor the kind of processor nor the memory of a card.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from generator.catalog.calls import TIMEOUT_S, Fault, Service, call
from generator.catalog.listing import Ask, ListedOffer, ListedType, Listing, Reading
from generator.catalog.offers import Source

if TYPE_CHECKING:
    from tencentcloud.cvm.v20170312.cvm_client import CvmClient

CONFIGS = "DescribeZoneInstanceConfigInfos"
HOST = "cvm.tencentcloudapi.com"
CREDENTIALS = "set TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY, or keep them in the SDK's profile file"
UNKNOWN_CURRENCY = (
    "the API names no currency, so its prices were not taken: say --currency CNY for an account of the China site, "
    "--currency USD for one of the international site"
)

# Common error codes of cloud.tencent.com/document/api/213/30435.
THROTTLED_CODES = ("RequestLimitExceeded",)
DENIED_CODES = ("UnauthorizedOperation", "AuthFailure.UnauthorizedOperation")
KEY_CODES = ("AuthFailure", "ClientSideError", "InvalidCredential")
NETWORK_CODES = ("ClientNetworkError", "ServerNetworkError")


def read_fault(error: Exception) -> Fault:
    """What an exception of the SDK means."""
    code, request_id = str(getattr(error, "code", "") or ""), str(getattr(error, "requestId", "") or "")
    if code.startswith(THROTTLED_CODES):
        return Fault(kind="throttled", code=code, request_id=request_id)
    if code.startswith(DENIED_CODES):
        return Fault(kind="denied", code=code, request_id=request_id)
    if code.startswith(KEY_CODES):
        return Fault(kind="credentials", code=code, request_id=request_id)
    return Fault(kind="unreachable" if code in NETWORK_CODES else "other", code=code, request_id=request_id)


def read(ask: Ask) -> Listing:
    """For each region asked: the types, their zones and their list prices by the hour."""
    from tencentcloud.common.exception.tencent_cloud_sdk_exception import TencentCloudSDKException  # noqa: PLC0415

    service = Service(errors=(TencentCloudSDKException,), read_fault=read_fault, credentials=CREDENTIALS, tell=ask.tell)
    types: dict[str, ListedType] = {}
    offers: list[ListedOffer] = []
    zones: dict[str, tuple[str, ...]] = {}
    for region in ask.regions:
        rows = read_configs(_client(region, ask.endpoint, service), service)
        types |= {row.InstanceType: _type(row) for row in rows}
        offers += [_offer(row, region, ask.currency) for row in rows]
        zones[region] = tuple(sorted({row.Zone for row in rows}))
        ask.tell(f"{region}: {len(rows)} offers in {len(zones[region])} zones")
    notes = () if ask.currency else (UNKNOWN_CURRENCY,)
    return Listing(types=tuple(types.values()), offers=tuple(offers), zones=zones, notes=notes)


def read_configs(client: CvmClient, service: Service) -> list[Any]:
    """Each type in each zone of the client's region that is sold by the hour; what is sold out for now is sold."""
    from tencentcloud.cvm.v20170312.models import DescribeZoneInstanceConfigInfosRequest, Filter  # noqa: PLC0415

    by_hour = Filter()
    by_hour.Name, by_hour.Values = "instance-charge-type", ["POSTPAID_BY_HOUR"]
    request = DescribeZoneInstanceConfigInfosRequest()
    request.Filters = [by_hour]
    answer = call(service, CONFIGS, lambda: client.DescribeZoneInstanceConfigInfos(request))
    return list(answer.InstanceTypeQuotaSet or ())


def _type(row: Any) -> ListedType:
    cards = row.GpuCount or row.Gpu or 0
    return ListedType(
        id=row.InstanceType,
        family=row.InstanceFamily,
        vcpus=row.Cpu,
        ram_gib=float(row.Memory),
        gpus=max(int(cards), 1) if cards else 0,  # a part of a card is a slice of one
        gpu_name=None,
        gpu_memory_gib=None,
        network_gbps=row.InstanceBandwidth or None,
        cpu_arch=None,
        bare_metal=None,
    )


def _offer(row: Any, region: str, currency: str | None) -> ListedOffer:
    price = row.Price
    hourly = price is not None and price.ChargeUnit == "HOUR" and price.UnitPrice
    return ListedOffer(
        region=region,
        zone=row.Zone,
        instance_type=row.InstanceType,
        amount=Decimal(str(price.UnitPrice)) if hourly and currency else None,
        currency=currency,
    )


def _client(region: str, endpoint: str | None, service: Service) -> CvmClient:
    from tencentcloud.common.credential import EnvironmentVariableCredential, ProfileCredential  # noqa: PLC0415
    from tencentcloud.common.exception.tencent_cloud_sdk_exception import TencentCloudSDKException  # noqa: PLC0415
    from tencentcloud.common.profile.client_profile import ClientProfile  # noqa: PLC0415
    from tencentcloud.common.profile.http_profile import HttpProfile  # noqa: PLC0415
    from tencentcloud.cvm.v20170312.cvm_client import CvmClient  # noqa: PLC0415

    def find() -> Any:
        found = EnvironmentVariableCredential().get_credential() or ProfileCredential().get_credential()
        if found is None:
            raise TencentCloudSDKException("ClientSideError", "")
        return found

    credential = call(service, "credentials", find)
    scheme, mark, host = (endpoint or HOST).rpartition("://")
    profile = HttpProfile(
        protocol=scheme if mark else "https", endpoint=host.rstrip("/"), reqTimeout=int(TIMEOUT_S), reqMethod="POST"
    )
    return CvmClient(credential, region, ClientProfile(httpProfile=profile))


SOURCE = Source(key=CONFIGS, title=f"Tencent Cloud CVM API 2017-03-12, {CONFIGS}", date=None)
READING = Reading(
    modules=("tencentcloud",),
    credentials=CREDENTIALS,
    types_source=SOURCE,
    offers_source=SOURCE,
    price_source=SOURCE,
    opens=frozenset({"price_list_only", "third_party", "tool_list_only"}),
    names_currency=False,
    read=read,
)
