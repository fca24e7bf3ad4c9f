"""All that is known of Baidu AI Cloud: names and limits here, catalog data and legality beside."""

from generator.clouds import Cloud

CLOUD = Cloud(
    id="baiducloud",
    title="Baidu AI Cloud",
    sdk=None,
    extra="baiducloud",
    requirements=("pulumi==3.272.0",),
    token_packages=("baiducloud",),
    bucket_scheme="bos",
    currency="CNY",
    tag_key_pattern=r"[A-Za-z0-9_\-/.\u4e00-\u9fff]{1,65}",
    tag_value_pattern=r"[A-Za-z0-9_\-/.\u4e00-\u9fff]{0,65}",
    provider_config=(),
    interruption_notice_s=None,  # people get a short message five minutes ahead, the machine is told nothing
    example_config=(("image", "m-Example1"), ("ehcCluster", "ehc-Example1")),
    kind="full",
)
