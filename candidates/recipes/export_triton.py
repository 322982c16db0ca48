#!/usr/bin/env python3
"""Makes a recipe of a kernel that Triton has compiled: README.md beside this file shows how.

It reads what Triton 3.6 keeps of a compiled kernel: `asm["cubin"]`, `metadata` and `src`. It imports
neither Triton nor torch.
"""
import json
import re
import struct
from pathlib import Path

# A pointer that Triton gives to every kernel behind its own parameters, and where its size is.
SCRATCHES = ["global_scratch", "profile_scratch"]
INTEGERS = {"i1": "i8", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
            "u1": "i8", "u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64"}
REALS = {"fp32": "f32", "f32": "f32", "fp64": "f64"}
OPERANDS = ["a", "b_row", "b_col", "c"]

# What a pointer to an operand may point at, by the run's element. 16 bits are 16 bits.
POINTED = {"f16": ["*fp16", "*i16", "*u16"], "bf16": ["*bf16", "*i16", "*u16"]}

# As Triton 3.6 does: more shared memory than this has to be asked for, and shared memory is then
# preferred to the cache.
SHARED_WITHOUT_ASKING = 49152

# Elements of a tensor map, by Triton's number; the swizzle by its number.
ELEMENTS = {6: "f16", 7: "f32", 10: "bf16"}
SWIZZLES = ["none", "32B", "64B", "128B"]


class ExportError(Exception):
    """What stands in the way, as a sentence."""


def _value(arguments, name):
    if name not in arguments:
        raise ExportError(f"arguments does not say what '{name}' is")
    return arguments[name]


def _pointer(name, kind, value, element):
    base, offset = value if isinstance(value, (list, tuple)) else (value, 0)
    if base in OPERANDS and kind not in POINTED[element]:
        raise ExportError(f"'{name}' is a {kind}, and '{base}' has elements of {element}; element says of which")
    return {"pointer": base, "offset": offset} if offset else {"pointer": base}


def _real(name, kind, value):
    if not isinstance(value, (int, float)):
        raise ExportError(f"'{name}' is a {kind}, and a number is wanted for it")
    if kind == "fp16":
        return {"i16": struct.unpack("<H", struct.pack("<e", value))[0]}
    if kind == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        return {"i16": (bits + 0x7FFF + (bits >> 16 & 1)) >> 16}
    return {REALS[kind]: value}


def _descriptor(name, kind, value, meta, element):
    """A tensor descriptor: a tensor map, then its shape and its strides."""
    if not isinstance(value, dict) or not {"pointer", "shape", "strides"} <= value.keys():
        raise ExportError(f"'{name}' is a {kind}: give a dictionary of pointer, shape and strides")
    shape, strides = list(value["shape"]), list(value["strides"])
    if not meta or meta.get("fp4_padded") or meta["elem_type"] not in ELEMENTS:
        raise ExportError(f"'{name}' is a {kind}, of a sort that is not known here")
    if value["pointer"] in OPERANDS and ELEMENTS[meta["elem_type"]] != element:
        raise ExportError(f"'{name}' is a {kind}, and '{value['pointer']}' has elements of {element}; element says "
                          "of which")
    if len(shape) != len(meta["block_size"]) or len(strides) != len(shape) or strides[-1] != 1:
        raise ExportError(f"'{name}' is a {kind}: as many sizes and strides are wanted, the last "
                          "stride 1")
    tensor_map = {
        "pointer": value["pointer"],
        "type": ELEMENTS[meta["elem_type"]],
        "dims": shape[::-1],
        "strides": [f"{meta['elem_size']} * ({stride})" for stride in strides[-2::-1]],
        "box": list(meta["block_size"])[::-1],
        "swizzle": SWIZZLES[meta["swizzle"]],
        "l2_promotion": "128B",
        "fill": value.get("padding", "zero"),
    }
    return [{"tensor_map": tensor_map}, *({"i32": size} for size in shape),
            *({"i64": stride} for stride in strides)]


def _scratch(metadata, name, grid, memory):
    """The pointer to what Triton allocates for each block of a launch; null where that is nothing."""
    size = getattr(metadata, name + "_size", 0)
    if size == 0:
        return {"pointer": "null"}
    blocks = " * ".join(f"({part})" for part in grid)
    memory[name] = {"bytes": f"{blocks} * {metadata.num_ctas * size}"}
    return {"pointer": name}


def _conditions(source, arguments, names):
    """What Triton took for granted when it compiled: sizes that are 1, or multiples of 16."""
    found = []
    for place, value in source.constants.items():
        name = names[place[0]] if isinstance(place, tuple) and len(place) == 1 else place
        if name in arguments:
            found.append(f"({arguments[name]}) == {value}")
    for place, traits in (getattr(source, "attrs", None) or {}).items():
        value = arguments.get(names[place[0]])
        for trait, number in traits:
            if trait != "tt.divisibility":
                continue
            if isinstance(value, (list, tuple)):
                found.append(f"({value[1]}) % {number} == 0")
            elif isinstance(value, int) or (isinstance(value, str) and
                                            not source.signature[names[place[0]]].startswith("*")):
                found.append(f"({value}) % {number} == 0")
    return found


def recipe_of(kernel, *, grid, arguments, accumulate, element="f16", can_do=None, tile=None, memory=None,
              cubin="kernel.cubin"):
    """The recipe of a compiled kernel, as a dictionary. See export."""
    if element not in POINTED:
        raise ExportError(f"element is '{element}', and it may be {' or '.join(POINTED)}")
    metadata, source = kernel.metadata, kernel.src
    grid = list(grid) if isinstance(grid, (list, tuple)) else [grid]
    names, memory = list(source.signature), dict(memory or {})
    descriptors = iter(getattr(metadata, "tensordesc_meta", None) or [])
    parameters = []
    for name, kind in source.signature.items():
        if kind == "constexpr":
            continue
        value = _value(arguments, name)
        if isinstance(kind, tuple):
            raise ExportError(f"'{name}' is a tuple, which is not known here")
        if re.match(r"tensordesc<", kind):
            parameters += _descriptor(name, kind, value, next(descriptors, None), element)
        elif kind.startswith("*"):
            parameters.append(_pointer(name, kind, value, element))
        elif kind in INTEGERS:
            parameters.append({INTEGERS[kind]: value})
        elif kind in REALS or kind in ("fp16", "bf16"):
            parameters.append(_real(name, kind, value))
        else:
            raise ExportError(f"'{name}' is a {kind}, which is not known here")
    parameters += [_scratch(metadata, name, grid, memory) for name in SCRATCHES]
    step = {"function": metadata.name,
            "grid": [f"({grid[0]}) * {metadata.num_ctas}" if metadata.num_ctas > 1 else grid[0],
                     *grid[1:]],
            "block": [metadata.num_warps * getattr(metadata, "warp_size", 32)],
            "shared": metadata.shared}
    if metadata.shared > SHARED_WITHOUT_ASKING:
        step["carveout"] = 100
    if metadata.num_ctas > 1:
        step |= {"cluster": [metadata.num_ctas], "cluster_scheduling": "spread"}
    if getattr(metadata, "launch_cooperative_grid", False):
        step["cooperative"] = True
    if getattr(metadata, "launch_pdl", False):
        step["programmatic_serialization"] = True
    conditions = ([f"({can_do})"] if can_do else []) + _conditions(source, arguments, names)
    recipe = {"recipe": 1, "cubin": cubin, "element": element, "accumulate": accumulate}
    if tile:
        recipe["tile"] = list(tile)
    if conditions:
        recipe["can_do"] = " && ".join(dict.fromkeys(conditions))
    if memory:
        recipe["memory"] = memory
    return recipe | {"steps": [step | {"parameters": parameters}]}


def export(kernel, folder, name, **said):
    """Writes FOLDER/NAME.recipe.json and FOLDER/NAME.cubin.

    kernel      what `matmul[grid](...)` or `triton.compile(...)` returns
    grid        expressions of m, n and k, as Triton's grid
    arguments   by the names of the kernel's parameters: of a pointer, a, b_row, b_col, c, null or a
                name of `memory`, or (that, bytes behind it); of a number, an expression of m, n and k;
                of a tensor descriptor, a dictionary of pointer, shape and strides. What is constexpr
                needs none.
    accumulate  f16 or f32: what the kernel keeps partial sums in
    element     f16 or bf16: what A, B and C are made of
    can_do      an expression: whether the kernel serves the shape. What Triton has specialized the
                kernel for is added.
    tile        m, n and k are padded to multiples of these
    memory      scratch memory, as in a recipe
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    recipe = recipe_of(kernel, cubin=f"{name}.cubin", **said)
    (folder / f"{name}.cubin").write_bytes(kernel.asm["cubin"])
    (folder / f"{name}.recipe.json").write_text(json.dumps(recipe, indent=1) + "\n")
