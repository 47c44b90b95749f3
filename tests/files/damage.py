"""Damaged results files, drawn at random: changed bytes, changed structure, files rewritten by other programs, and files of other kinds."""

import json
import os
import pickle
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import h5py

from poinsot.files.runs import header, slots
from poinsot.files.runs.file import RunFile

RESEALED = "checksums made anew"  # nonsense with correct checksums: any error message is accepted


def regions(path):
    """Parts of an intact file: name, beginning and end."""
    file = RunFile(path)
    table = file._table
    found = [("head", 0, 200), ("table", 200, table.head)]
    found += [("structure", begin, end) for begin, end in table.written_once()]
    found += [("text", place, place + size) for place, (size,) in table.texts.values()]
    for name, (place, shape) in table.rows.items():
        width = 8
        for n in shape[1:]:
            width *= n
        found.append((name, place, place + width * file.reached()[0]["outputs"]))
    place, (_, room) = table.rooms["slots"]
    found += [("slot", place + k * room, place + k * room + 3000) for k in range(2)]
    place, (names, blocks) = table.rooms["checksums"]
    found += [("checksums", place, place + 4 * names * blocks), ("audit", table.rooms["audit"][0], table.rooms["audit"][0] + 800)]
    return found + [("anywhere", 0, table.size)]


def bytes_damaged(draw, path, others):
    """Change bytes of an intact file; returns what was done."""
    data = bytearray(path.read_bytes())
    name, begin, end = draw.choice(regions(path))
    at, length = draw.randrange(begin, end), draw.choice([1, 8, 64, 512, 4096])
    kind = draw.choice(
        ["bits", "bits", "bytes", "zeros", "ones", "swapped", "copied", "lost", "added", "cut off", "longer", "another file's", "lines", "seven bits"]
    )
    stop = min(at + length, len(data))
    if kind == "bits":
        for _ in range(draw.choice([1, 1, 1, 2, 30])):
            data[draw.randrange(begin, end)] ^= 1 << draw.randrange(8)
    elif kind == "bytes":
        data[at:stop] = draw.randbytes(stop - at)
    elif kind in ("zeros", "ones"):
        data[at:stop] = (b"\0" if kind == "zeros" else b"\xff") * (stop - at)
    elif kind in ("swapped", "copied"):
        other = draw.randrange(begin, max(begin + 1, end - (stop - at)))
        first, second = bytes(data[at:stop]), bytes(data[other : other + stop - at])
        data[at : at + len(second)] = second
        if kind == "swapped":
            data[other : other + len(first)] = first
    elif kind == "lost":
        del data[at:stop]
    elif kind == "added":
        data[at:at] = draw.randbytes(length)
    elif kind == "cut off":
        del data[draw.choice([at, draw.randrange(100), len(data) - draw.randrange(1, 50)]) :]
    elif kind == "longer":
        data += draw.choice([b"\0", draw.randbytes(length), bytes(data[:length])])
    elif kind == "another file's":
        data[at:stop] = draw.choice(others).read_bytes()[at:stop]
    elif kind == "lines":
        data = data.replace(b"\r\n", b"\n") if draw.random() < 0.5 else data.replace(b"\n", b"\r\n")
    else:
        data = bytearray(byte & 0x7F for byte in data)
    path.write_bytes(data)
    return f"{kind} in {name}"


def structure_damaged(draw, path, others):
    """Change the HDF5 content, as other programs could; returns what was done."""
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        name = draw.choice(names)
        data = file[name]
        kind = draw.choice(["deleted", "retyped", "reshaped", "huge", "moved", "linked", "attributes", "text", "root attributes", "numbers"])
        if kind == "deleted":
            del file[name]
        elif kind == "moved":
            file.move(name, f"{name}_other")
        elif kind == "linked":
            del file[name]
            file[name] = draw.choice([h5py.SoftLink(f"/{name}"), h5py.SoftLink("/nowhere"), h5py.ExternalLink("/etc/hostname", "/t")])
        elif kind == "attributes":
            data.attrs[draw.choice(["units", "long_name", "x"])] = draw.choice([1, b"\xff", [1.0, 2.0], "x" * 30_000])
        elif kind == "root attributes":
            file.attrs[draw.choice(["format", "format_version"])] = draw.choice([99, -1, "1", [1, 2], float("nan"), b"x"])
        elif kind == "numbers":
            rows = file[draw.choice([n for n in names if getattr(file[n], "dtype", None) == "f8"])]
            rows[draw.randrange(len(rows))] += 1.0
        else:
            shape = getattr(data, "shape", (3,))
            del file[name]
            if kind == "retyped":
                file[name] = draw.choice([0, "text", [1, 2, 3], float("nan"), b"x"])
            elif kind == "reshaped":
                file.create_dataset(name, (*shape, 2) if draw.random() < 0.5 else (1,), "f8")
            elif kind == "huge":
                file.create_dataset(name, (2**40, *shape[1:]), "f8", chunks=True)
            else:
                file[name] = draw.choice(["", "null", "[]", "{}", "[" * 20_000, "poinsot: 1"])
    return f"{kind} {name}"


def repacked(draw, path, others):
    """Rewrite the file, as other programs do, with or without the head before HDF5."""
    head = path.read_bytes()[: RunFile(path)._table.head]
    old = path.with_suffix(".old")
    os.rename(path, old)
    kept = draw.random() < 0.5
    with h5py.File(old) as source, h5py.File(path, "w", userblock_size=len(head) if kept else 0) as file:
        file.attrs.update(source.attrs)
        for name in source:
            source.copy(name, file)
    if kept:
        with open(path, "r+b") as raw:
            raw.write(head)
    old.unlink()
    return f"repacked, head {'kept' if kept else 'lost'}"


def foreign(draw, path, others):
    """Put a file of another kind there."""
    kind = draw.choice(["empty", "signature", "head alone", "text", "pickle", "random", "other HDF5", "format 1", "endless"])
    data = {
        "empty": b"",
        "signature": header.SIGNATURE + draw.randbytes(draw.randrange(3000)),
        "head alone": header.MAGIC + draw.randbytes(draw.randrange(3000)),
        "text": b"t,x\n0,1\n",
        "pickle": pickle.dumps({"t": [1.0]}),
        "random": draw.randbytes(5000),
    }.get(kind)
    if data is not None:
        path.write_bytes(data)
    elif kind == "endless":  # a head that claims to be larger than any file
        first = header.FIRST.pack(header.MAGIC, header.VERSION, 2**32 - 1, 0)
        path.write_bytes(first + header.CHECKSUM.pack(zlib.crc32(first)))
    else:
        with h5py.File(path, "w") as file:
            file["t"] = [1.0, 2.0]
            if kind == "format 1":
                file.attrs["format"], file.attrs["format_version"] = "poinsot run", 1
                file.create_group("poinsot")["model"] = "x"
    return f"{kind} instead"


NONSENSE = [None, -1, 0, 1.5, "x", [], {}, [[1, 2]], 1e308, True, 2**62, "by until", float("nan")]


def table_resealed(draw, path, others):
    """Change the head, with correct checksums."""
    data = bytearray(path.read_bytes())
    table = RunFile(path)._table
    kind = draw.choice(["rows", "rooms", "texts", "outputs", "block", "size"])
    if kind in ("rows", "rooms", "texts"):
        places = dict(getattr(table, kind))
        name = draw.choice(list(places))
        place, shape = places.pop(name)
        wrong = [(place + 8, shape), (2**50, shape), (-8, shape), (place, (2**40, *shape[1:])), (place, ()), (place, (0,) * len(shape)), None]
        new = draw.choice(wrong)
        table = replace(table, **{kind: places if new is None else places | {name: new}})
    else:
        table = replace(table, **{kind: draw.choice([0, -1, 1, 2**40, "x", None, 1.5])})
    try:
        data[: table.head] = header.pack_head(table)
    except AssertionError:
        return "nothing"
    path.write_bytes(data)
    return f"{RESEALED}: {kind}"


def state_resealed(draw, path, others):
    """Change the progress of the run, with correct checksums."""
    file = RunFile(path)
    place, (_, room) = file.places["slots"]
    number, content = file._slots._newest(False)
    (length,) = struct.unpack_from("<Q", content)
    state, rest = json.loads(content[8 : 8 + length]), content[8 + length :]
    kind = draw.choice(["info", "info", "missing", "dtype", "shape", "array missing", "part missing", "short"])
    what = draw.choice(list(state["info"] if kind in ("info", "missing") else state["arrays"]))
    if kind == "info":
        state["info"][what] = draw.choice(NONSENSE)
    elif kind == "missing":
        del state["info"][what]
    elif kind == "dtype":
        state["arrays"][what][0] = draw.choice(["|O", "<U4", "<i1", "<c16", "M8[s]", "<f2", "nonsense", "<i8"])
    elif kind == "shape":
        state["arrays"][what][1] = draw.choice([[10**9], [-1], [0], "x", [3, 3], [2**62], None, [1.5], [2**32, 2**32], [1]])
    elif kind == "array missing":
        del state["arrays"][what]
    elif kind == "part missing":
        del state[draw.choice(["info", "arrays"])]
    else:
        rest = rest[: len(rest) // 2]
    text = json.dumps(state).encode()
    content = struct.pack("<Q", len(text)) + text + rest
    with open(path, "r+b") as raw:
        raw.seek(place + (number % 2) * room)
        raw.write(slots.HEAD.pack(slots.WHOLE, number, len(content), slots._checksum(number, content)) + content)
    return f"{RESEALED}: {kind} {what}"


KINDS = [bytes_damaged] * 8 + [structure_damaged] * 3 + [repacked, foreign, table_resealed, state_resealed, state_resealed]


def damaged(draw, whole, path):
    """Put a damaged copy of one of the intact files at `path`; returns which one, and what was done to it."""
    base = draw.choice(whole)
    path.write_bytes(base.read_bytes())
    return base, draw.choice(KINDS)(draw, path, [Path(other) for other in whole if other != base])
