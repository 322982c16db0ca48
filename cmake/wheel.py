"""Makes a Python wheel of the tree that cpack has staged: cmake/wheel.py STAGED VERSION LICENCE FOLDER

pip puts bin/ on the PATH, and the rest beside it. The libraries that the programs need come with it, but for those of
glibc, gcc and CUDA. The wheel's version says which CUDA it needs: +cu13, or +cpu. Its tag says which glibc.
Prints the wheel's path.
"""
import base64, hashlib, pathlib, platform, re, subprocess, sys, zipfile

staged, version, licence, folder = sys.argv[1:]
staged = pathlib.Path(staged)
programs = [staged / "bin/gemmgate", staged / "libexec/gemmgate/gemmgate-runner"]


def told(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries():
    """The path of each shared library that the programs need, by its name."""
    lines = "".join(told("ldd", program) for program in programs)
    for name in re.findall(r"(\S+) => not found", lines):
        sys.exit(f"cmake/wheel.py: {name} is not found; name its folder in LD_LIBRARY_PATH")
    return dict(re.findall(r"(\S+) => (/\S+)", lines))


found = libraries()
everywhere = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|cu[a-zA-Z]*)\.so")
bundled = {name: path for name, path in found.items() if not everywhere.match(name)}
cuda = [name.rpartition(".")[2] for name in found if name.startswith("libcudart.so.")]
version += f"+cu{cuda[0]}" if cuda else "+cpu"
needed = "".join(told("objdump", "-T", file) for file in [*programs, *bundled.values()])
glibc = max(tuple(map(int, pair)) for pair in re.findall(r"GLIBC_(\d+)\.(\d+)", needed))
tag = "py3-none-manylinux_%d_%d_%s" % (*glibc, platform.machine())

name = f"gemmgate-{version}"
entries = {}  # the path in the wheel: content, whether it is a program
for path in sorted(staged.rglob("*")):
    if path.is_file():
        place = path.relative_to(staged)
        data = f"{name}.data/" + (f"scripts/{path.name}" if place.parts[0] == "bin" else f"data/{place}")
        entries[data] = path.read_bytes(), path.stat().st_mode & 0o100
for library, path in bundled.items():
    entries[f"{name}.data/data/libexec/gemmgate/{library}"] = pathlib.Path(path).read_bytes(), False
    # What Debian's package says of its licence: bundling it asks for that.
    package = told("dpkg-query", "--search", f"*/{pathlib.Path(path).resolve().name}").split(":")[0]
    entries[f"{name}.dist-info/licenses/{package}"] = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes(), False
entries[f"{name}.dist-info/licenses/LICENSE"] = pathlib.Path(licence).read_bytes(), False
entries[f"{name}.dist-info/METADATA"] = f"""Metadata-Version: 2.1
Name: gemmgate
Version: {version}
Summary: benchmark and regression gate for half-precision GEMM kernels
License: Apache-2.0
""".encode(), False
entries[f"{name}.dist-info/WHEEL"] = f"""Wheel-Version: 1.0
Generator: cmake/wheel.py
Root-Is-Purelib: false
Tag: {tag}
""".encode(), False


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


record = f"{name}.dist-info/RECORD"
lines = [f"{path},sha256={digest(content)},{len(content)}\n" for path, (content, _) in entries.items()]
entries[record] = "".join([*lines, f"{record},,\n"]).encode(), False

wheel = pathlib.Path(folder) / f"{name}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:
    for path, (content, program) in entries.items():
        entry = zipfile.ZipInfo(path)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        out.writestr(entry, content)
print(wheel)
