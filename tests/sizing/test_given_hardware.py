"""Hardware as a person gives it to `size`."""

import pytest

from generator.errors import InputError
from generator.sizing.given_hardware import give_hardware


@pytest.mark.parametrize(
    ("name", "gpus", "canonical", "link"),
    [
        ("A100-80GB", 8, "A100-SXM-80", "nvlink"),
        ("A100-80GB", 1, "A100-PCIE-80", "none"),
        ("A10", 4, "A10", "pcie"),
        ("H20", 8, "H20-96", "nvlink"),
        ("A100-PCIE-80", 4, "A100-PCIE-80", "pcie"),
        ("a10", 1, "A10", "none"),
    ],
)
def test_a_name_means_one_card_and_its_link(name: str, gpus: int, canonical: str, link: str) -> None:
    """An alias takes the SXM form with several cards, else PCIe, and the member with least memory."""
    hardware = give_hardware(name, gpus_per_node=gpus).hardware
    assert hardware.gpu is not None
    assert (hardware.gpu.name, hardware.interconnect) == (canonical, link)


def test_what_is_not_given_is_told() -> None:
    """Host, network and RDMA are said to be assumed; what is given is not."""
    told = " ".join(give_hardware("A100-80GB", gpus_per_node=8, nodes=2).assumptions)
    for part in ("A100-SXM-80", "12 vCPU", "800 Gb/s", "RDMA"):
        assert part in told
    given = give_hardware("A100-SXM-80", gpus_per_node=8, nodes=2, network_gbps=400.0, rdma=True)
    assert "Gb/s" not in " ".join(given.assumptions)
    assert given.hardware.rdma_gbps == 400.0


def test_usable_memory_is_below_nominal() -> None:
    """What the driver shows is less than the label, also where no figure was read."""
    for name in ("A10", "A100-SXM-80", "RTX3090", "Ascend910B3"):
        hardware = give_hardware(name).hardware
        assert hardware.gpu is not None
        assert 0.9 * hardware.gpu.memory_gib <= hardware.usable_gib <= hardware.gpu.memory_gib


@pytest.mark.parametrize(("name", "link", "says"), [("A1O", None, "unknown GPU"), ("A10", "nvlink", "no NVLink")])
def test_what_does_not_exist_is_refused(name: str, link: str | None, says: str) -> None:
    """An unknown card is met with near names, and a link that the card lacks with the cure."""
    with pytest.raises(InputError) as caught:
        give_hardware(name, gpus_per_node=2, interconnect=link)  # type: ignore[arg-type]
    assert says in caught.value.problems[0].message
    assert caught.value.problems[0].hint
