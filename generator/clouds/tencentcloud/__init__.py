"""All that is known of Tencent Cloud: names and limits here, catalog data, legality, view and facts beside."""

from generator.clouds import Cloud

CLOUD = Cloud(
    id="tencentcloud",
    title="Tencent Cloud",
    sdk="tencentcloud_iac_pulumi",
    extra="tencentcloud",
    requirements=("pulumi==3.272.0", "tencentcloud-iac-pulumi==0.2.3"),
    token_packages=("tencentcloud",),
    bucket_scheme="cos",
    currency="CNY",
    tag_key_pattern=r"(?!tencent|project|qcs:)[A-Za-z0-9+=._:/@()\[\], -]{1,127}",
    tag_value_pattern=r"[A-Za-z0-9+=._:/@()\[\], -]{0,255}",
    provider_config=(),
    interruption_notice_s=120,
    example_config=(("alarmGroupId", "100001"), ("image", "img-nannz3uj"), ("spotMaxPrice", "9.5")),
)
