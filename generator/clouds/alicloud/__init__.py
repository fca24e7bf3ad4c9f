"""All that is known of Alibaba Cloud: names and limits here, catalog data, legality, view and facts beside."""

from generator.clouds import Cloud

CLOUD = Cloud(
    id="alicloud",
    title="Alibaba Cloud",
    sdk="pulumi_alicloud",
    extra="alicloud",
    requirements=("pulumi==3.272.0", "pulumi-alicloud==4.0.0"),
    token_packages=("alicloud",),
    bucket_scheme="oss",
    currency="CNY",
    tag_key_pattern=r"(?!acs:|aliyun)[^\s]{1,128}",
    tag_value_pattern=r".{0,128}",
    provider_config=(("accountType", "Domestic"),),
    interruption_notice_s=300,
    example_config=(("image", "aliyun_3_x64_20G_uefi_alibase_20240819.vhd"),),
)
