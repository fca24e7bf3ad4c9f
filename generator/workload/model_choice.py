"""The model that a spec means: by name, by config.json or by size; and what kind of model that is."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from generator.errors import InputError, Problem
from generator.sizing import architecture
from generator.sizing.architecture import Model, Transformer
from generator.spec import ModelConfig, ModelShape

ModelKind = Literal["language", "vision", "diffusion"]


def resolve_model(model: str | ModelConfig | ModelShape, folder: Path) -> Model:
    """The architecture that a spec's `model` means; InputError with near names when nobody knows it."""
    if isinstance(model, ModelConfig):
        return architecture.read_config(folder / model.config)
    if isinstance(model, ModelShape):
        given = {key: value for key, value in msgspec.structs.asdict(model).items() if value is not None}
        return (architecture.typical_sample_model if model.kind else architecture.typical_transformer)(**given)
    found = architecture.find_model(model)
    if found is not None:
        return found
    near = " or ".join(map(repr, architecture.suggest_models(model)))
    other = "{config: ./config.json} or {parameters: 7B} describe any other model"
    hint = f"did you mean {near}? {other}" if near else other
    raise InputError(Problem(message=f"unknown model '{model}'", hint=hint))


def model_kind(model: Model) -> ModelKind:
    """What a model works on; a diffusion model trains like neither of the others."""
    if isinstance(model, Transformer):
        return "language"
    return "diffusion" if model.family in ("diffusion", "video") else "vision"
