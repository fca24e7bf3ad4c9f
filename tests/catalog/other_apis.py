"""The APIs of the three other clouds on the loopback: answers written after their public pages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.catalog.recorded_api import Answer, Request

ANSWERS = Path(__file__).parent.parent / "data" / "refresh"


def recorded(cloud: str, name: str) -> Any:
    return json.loads((ANSWERS / cloud / f"{name}.json").read_text(encoding="utf-8"))


def tencentcloud(request: Request) -> Answer:
    """One call, one answer: the service has no pages."""
    return 200, recorded("tencentcloud", request.headers["x-tc-action"])


def tencentcloud_error(code: str) -> Answer:
    return 200, {"Response": {"Error": {"Code": code, "Message": "for planted-key-id planted-key-secret"}} | REQUEST}


def huaweicloud(request: Request) -> Answer:
    """Flavors in pages by marker; prices for a batch in which every flavor is known, else the error of a batch."""
    if request.path.endswith("/cloudservers/flavors"):
        markers = {None: "1", "c6.12xlarge.4": "2", "p9n.2xlarge.8": "3"}
        return 200, recorded("huaweicloud", f"ListFlavors-{markers[request.query.get('marker')]}")
    prices = recorded("huaweicloud", "ratings")
    asked = request.body["product_infos"]
    if any(one["resource_spec"] not in prices for one in asked):
        return 400, {"error_code": "CBC.99006006", "error_msg": "Can not find product"}
    results = [
        {"id": one["id"], "product_id": "p", "amount": 1, "official_website_amount": prices[one["resource_spec"]]}
        for one in asked
    ]
    return 200, {"amount": 1, "currency": "USD", "measure_id": 1, "product_rating_results": results}


def huaweicloud_error(code: str) -> Answer:
    status = {"APIGW.0308": 429, "APIGW.0301": 401}.get(code, 403)
    return status, {"error_code": code, "error_msg": "for planted-key-id planted-key-secret", **REQUEST}


def baiducloud(request: Request) -> Answer:
    """Zones, what each sells, and a price by the minute."""
    name = request.path.rpartition("/")[2]
    if name != "price":
        return 200, recorded("baiducloud", name)
    spec = request.body["spec"]
    price = {"spec": spec, "specPrice": recorded("baiducloud", "price")[spec], "tradePrice": "0.001"}
    return 200, {"price": [{"specId": request.body["specId"], "specPrices": [price]}]}


def baiducloud_error(code: str) -> Answer:
    status = {"RequestLimitExceeded": 429, "SignatureDoesNotMatch": 400}.get(code, 403)
    return status, {"code": code, "message": "for planted-key-id planted-key-secret", "requestId": REQUEST["RequestId"]}


REQUEST = {"RequestId": "00000000-0000-0000-0000-00000000000f"}


class Api(NamedTuple):
    """A cloud's API: a region, the environment of its credentials, its answers and its errors by kind."""

    cloud: str
    region: str
    environment: dict[str, str]
    answer: Callable[[Request], Answer]
    error: Callable[[str], Answer]
    throttled: str
    shown: str  # what the SDK keeps of that code
    denied: str
    keys: str
    options: tuple[str, ...]
    offers: tuple[str, ...]  # rows of offers.csv afterwards
    types: tuple[str, ...]  # beginnings of rows of instance_types.csv afterwards
    others: tuple[str, ...]  # beginnings of rows of other_types.csv afterwards


APIS = (
    Api(
        cloud="tencentcloud",
        region="ap-bangkok",
        environment={"TENCENTCLOUD_SECRET_ID": "planted-key-id", "TENCENTCLOUD_SECRET_KEY": "planted-key-secret"},
        answer=tencentcloud,
        error=tencentcloud_error,
        throttled="RequestLimitExceeded",
        shown="RequestLimitExceeded",
        denied="UnauthorizedOperation",
        keys="AuthFailure.SignatureFailure",
        options=("--currency", "CNY"),
        offers=(
            "ap-bangkok,ap-bangkok-2,GN7.2XLARGE32,8.01,CNY,2026-12-01,DescribeZoneInstanceConfigInfos",
            "ap-bangkok,ap-bangkok-2,GN7.5XLARGE80,12.5,CNY,2026-12-01,DescribeZoneInstanceConfigInfos",
        ),
        types=("GN10Xp.4XLARGE64,GN10Xp,listed,16,64,1,no,32,32,",),
        others=("GN99.2XLARGE64,ap-bangkok,",),
    ),
    Api(
        cloud="huaweicloud",
        region="ap-southeast-4",
        environment={
            "HUAWEICLOUD_SDK_AK": "planted-key-id",
            "HUAWEICLOUD_SDK_SK": "planted-key-secret",
            "HUAWEICLOUD_SDK_PROJECT_ID": "project",
            "HUAWEICLOUD_SDK_DOMAIN_ID": "domain",
        },
        answer=huaweicloud,
        error=huaweicloud_error,
        throttled="APIGW.0308",
        shown="429",
        denied="Ecs.0319",
        keys="APIGW.0301",
        options=(),
        offers=(
            "ap-southeast-4,ap-southeast-4a,c6.6xlarge.4,1.4,USD,2026-12-01,ListOnDemandResourceRatings",
            "ap-southeast-4,ap-southeast-4b,c6.6xlarge.4,1.4,USD,2026-12-01,ListOnDemandResourceRatings",
            "ap-southeast-4,,c6.12xlarge.4,2.8,USD,2026-12-01,ListOnDemandResourceRatings",
            "ap-southeast-4,ap-southeast-4a,p9n.2xlarge.8,,,2026-12-01,ListFlavors",
        ),
        types=("p9n.2xlarge.8,p9n,listed_only,8,64,1,no,,,",),
        others=(),
    ),
    Api(
        cloud="baiducloud",
        region="bj",
        environment={"BAIDUCLOUD_ACCESS_KEY": "planted-key-id", "BAIDUCLOUD_SECRET_KEY": "planted-key-secret"},
        answer=baiducloud,
        error=baiducloud_error,
        throttled="RequestLimitExceeded",
        shown="RequestLimitExceeded",
        denied="AccessDenied",
        keys="SignatureDoesNotMatch",
        options=(),
        offers=(
            "bj,cn-bj-d,bcc.g5.c2m8,0.6,CNY,2026-12-01,GetPriceBySpec",
            "bj,cn-bj-d,bcc.hgn5IB.c116m978.8A100-80g,270,CNY,2026-12-01,GetPriceBySpec",
        ),
        types=(
            "bcc.hgn5IB.c116m978.8A100-80g,hgn5IB,listed,116,978,8,no,80,640,",
            "bcc.gx9.c16m64.1x9,gx9,listed_only,16,64,1,no,,,",
        ),
        others=(),
    ),
)
