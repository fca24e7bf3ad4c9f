"""Names of cards: canonical ones, aliases, and the one member that `size --gpu` takes."""

import pytest

from generator.sizing.accelerators import (
    _aliases,
    accelerator_names,
    expand_alias,
    find_accelerator,
    pick_member,
    suggest_accelerators,
)


def test_every_card_has_its_source_and_how_sure_it_is() -> None:
    """All 53 cards are there, each sourced, with a confidence, and none computes faster in fp32 than in 16 bit."""
    cards = [find_accelerator(name) for name in accelerator_names()]
    assert len(cards) == 53
    for card in cards:
        assert card is not None
        assert card.source
        assert card.confidence in ("high", "medium", "low")
        assert card.memory_gib > 0
        assert card.bandwidth_gbytes_s > 0


@pytest.mark.parametrize("name", ["T4", "V100-SXM-32", "P100-PCIE-16", "RTX2080Ti"])
def test_no_bf16_before_ampere(name: str) -> None:
    """Cards before Ampere have no bf16 and no fp8."""
    card = find_accelerator(name)
    assert card is not None
    assert card.bf16_tflops is None
    assert card.fp8_tflops is None


def test_fp8_begins_with_ada() -> None:
    """Of the NVIDIA cards exactly those of compute capability 8.9 and later have fp8."""
    for name in accelerator_names():
        card = find_accelerator(name)
        assert card is not None
        if card.compute_capability is not None:
            assert (card.fp8_tflops is not None) <= (float(card.compute_capability) >= 8.9)


def test_every_alias_means_cards_of_the_table() -> None:
    """Each member of each alias is a canonical name, and no alias hides a canonical name."""
    for alias, members in _aliases().values():
        assert members
        assert set(members) <= set(accelerator_names())
        assert find_accelerator(alias) is None


@pytest.mark.parametrize(
    ("alias", "members"),
    [
        ("A100-80GB", {"A100-SXM-80", "A100-PCIE-80"}),
        ("H20", {"H20-96", "H20-141"}),
        ("910B", {"Ascend910B1", "Ascend910B2", "Ascend910B3", "Ascend910B4"}),
        ("a100-sxm-80", {"A100-SXM-80"}),
        ("NVIDIA V100", {"V100-SXM-16", "V100-PCIE-16", "V100-SXM-32", "V100-PCIE-32"}),
        ("no such card", set()),
    ],
)
def test_an_alias_means_its_group(alias: str, members: set[str]) -> None:
    """An alias expands to all forms of the card; a canonical name to itself; an unknown name to nothing."""
    assert set(expand_alias(alias)) == members


@pytest.mark.parametrize(
    ("alias", "gpus", "link", "card"),
    [
        ("A100-80GB", 8, None, "A100-SXM-80"),
        ("A100-80GB", 1, None, "A100-PCIE-80"),
        ("A100-80GB", 8, "pcie", "A100-PCIE-80"),
        ("A100-80GB", 1, "nvlink", "A100-SXM-80"),
        ("A100", 8, None, "A100-SXM-40"),
        ("910B", 8, None, "Ascend910B4"),
        ("H20", 8, None, "H20-96"),
        ("T4", 4, None, "T4"),
    ],
)
def test_size_takes_one_member_of_an_alias(alias: str, gpus: int, link: str | None, card: str) -> None:
    """NVLink or several cards take the SXM form, else PCIe; of a group the member with least memory and bandwidth."""
    picked = pick_member(alias, gpus_per_node=gpus, interconnect=link)  # type: ignore[arg-type]
    assert picked is not None
    assert picked[0].name == card
    assert (picked[1] is None) == (len(expand_alias(alias)) == 1)


def test_near_names_are_suggested() -> None:
    """A misspelt card brings its neighbours; nonsense brings none."""
    assert "A100-80GB" in suggest_accelerators("A100-80G")
    assert suggest_accelerators("zzzzzz") == ()
    assert pick_member("zzzzzz", gpus_per_node=1) is None
