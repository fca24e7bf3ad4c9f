"""All that is known of Huawei Cloud: names and limits here, catalog data, legality, view and facts beside."""

from generator.clouds import Cloud

CLOUD = Cloud(
    id="huaweicloud",
    title="Huawei Cloud",
    sdk="pulumi_huaweicloud",
    extra="huaweicloud",
    requirements=("pulumi==3.272.0", "pulumi-huaweicloud==0.0.12", "setuptools<81"),
    token_packages=("huaweicloud",),
    bucket_scheme="obs",
    currency="CNY",
    tag_key_pattern=r"(?!_sys_)[A-Za-z0-9_.:=+@/\-\u4e00-\u9fff ]{1,128}",
    tag_value_pattern=r"[A-Za-z0-9_.:=+@/\-\u4e00-\u9fff ]{0,255}",
    provider_config=(("skipCheckWebsiteType", "true"),),
    interruption_notice_s=300,
    example_config=(
        ("alarmTopicUrn", "urn:smn:cn-north-4:00000000000000000000000000000000:oncall"),
        ("image", "aeb3f35e-2852-4c6f-8085-3d0419d58483"),
        ("userId", "00000000000000000000000000000000"),
    ),
    plugin_server="github://api.github.com/huaweicloud",
)
