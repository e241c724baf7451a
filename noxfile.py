# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""The sessions of development and of continuous integration.

`nox --list` shows them, `nox -s NAME` runs one, `nox -t change` those that every change must pass.
The tools come from PyPI as pyproject.toml pins them; what only the system offers (compilers,
clang-tidy, valgrind, an emulator) is named where it is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "tests"]
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = True

ROOT = Path(__file__).parent
PROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
CORES = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
BUILD = ROOT / "build" / "nox"
TESTS = "tests/requirements.txt"
OPENSPIEL = "open_spiel==2.0.2"  # the independent program that rules and speed are compared with
WHEELS: dict[str, Path] = {}  # the wheel of this run, by version of Python


def need(session: nox.Session, program: str, package: str) -> None:
    """End the session where a program of the system is missing, and name its Debian package."""
    if shutil.which(program) is None:
        session.error(f"{program} is missing (Debian: {package})")


def install_wari(session: nox.Session, *extras: str) -> None:
    """Install the package from a wheel that each run builds once for a version of Python.

    The build has a virtual environment and a folder of its own, so that it is incremental: the path
    of pybind11 would differ in every other one.
    """
    version = session.run(
        "python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])", silent=True, log=False
    )
    version = str(version).strip()
    if version not in WHEELS:
        folder = BUILD / version
        python = (
            folder / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        )
        if not python.exists():
            session.run("python", "-m", "venv", str(folder / "venv"), log=False)
        run = [str(python), "-m", "pip", "--disable-pip-version-check", "-q"]
        requires = PROJECT["build-system"]["requires"]
        session.run(*run, "install", *requires, external=True, silent=True)
        for old in folder.glob("*.whl"):
            old.unlink()
        options = ["--no-deps", "--no-build-isolation", "-C", f"build-dir={folder / 'build'}"]
        session.run(*run, "wheel", *options, "-w", str(folder), ".", external=True, silent=True)
        (WHEELS[version],) = folder.glob("*.whl")
    wheel = str(WHEELS[version])
    session.install("--force-reinstall", "--no-deps", wheel, silent=True)
    session.install(wheel, *extras, silent=True)


def install_group(session: nox.Session, *names: str) -> None:
    """Install groups of pyproject.toml."""
    session.install(*nox.project.dependency_groups(PROJECT, *names), silent=True)


def preset(session: nox.Session, name: str, *options: str, target: str = "all") -> Path:
    """Configure and build a preset of CMakePresets.json; its folder."""
    need(session, "cmake", "cmake")
    build = ["cmake", "--build", "--preset", name, "--parallel", CORES, "--target", target]
    session.run("cmake", "--preset", name, *options, external=True, silent=True)
    session.run(*build, external=True, silent=True)
    return ROOT / "build" / name


def ctest(session: nox.Session, name: str, *options: str, prefix: tuple[str, ...] = ()) -> None:
    """Run the tests of a preset; a preset without tests is an error."""
    session.run(
        *prefix, "ctest", "--preset", name, "--parallel", CORES, "--timeout", "600",
        "--no-tests=error", *options, external=True,
    )  # fmt: skip


def without_randomisation() -> tuple[str, ...]:
    """The prefix under which the sanitizers of older compilers live with newer kernels."""
    command = ("setarch", os.uname().machine, "-R")
    done = subprocess.run([*command, "true"], capture_output=True, check=False)
    return command if done.returncode == 0 else ()


def pybind11_option(session: nox.Session) -> str:
    """The option that shows CMake the pybind11 of the session."""
    session.install(*(line for line in PROJECT["build-system"]["requires"] if "pybind11" in line))
    folder = session.run("python", "-m", "pybind11", "--cmakedir", silent=True, log=False)
    return f"-Dpybind11_DIR={str(folder).strip()}"


@nox.session(tags=["change"])
def lint(session: nox.Session) -> None:
    """Layout, lint and layers of Python, layout of C++, the workflows, the commit messages."""
    install_group(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("lint-imports", env={"PYTHONPATH": "python"})
    files = str(session.run("git", "ls-files", "*.cpp", "*.hpp", "*.h", external=True, silent=True))
    session.run("clang-format", "--dry-run", "--Werror", *files.split())
    workflows = [str(path) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))]
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("python", "tools/check_commits.py")


@nox.session(tags=["change"])
def types(session: nox.Session) -> None:
    """Mypy, the stub of the extension module against the module, the texts to translate."""
    session.install("-r", TESTS)
    install_group(session, "types")
    install_wari(session)
    session.run("mypy")
    session.run("python", "tools/stubs.py", "--check")
    allowed = [
        "--mypy-config-file",
        "pyproject.toml",
        "--allowlist",
        "tools/stubtest-allowlist.txt",
    ]
    session.run("python", "-m", "mypy.stubtest", "wari", *allowed)
    BUILD.mkdir(parents=True, exist_ok=True)
    session.run("pybabel", "--quiet", "extract", env={"PYTHONPATH": "."})
    session.run("pybabel", "--quiet", "update", "--check")


@nox.session
def tests(session: nox.Session) -> None:
    """The default tests on all cores; `nox -s tests -- -m "not process and not slow"` is quick."""
    session.install("-r", TESTS, "pytest-xdist")
    install_wari(session)
    session.run("pytest", "-q", "-n", CORES, *session.posargs)


@nox.session(tags=["nightly"])
def slow(session: nox.Session) -> None:
    """What the default tests sample, in full, in Python and in C++."""
    session.install("-r", TESTS, "pytest-xdist")
    install_wari(session)
    marked = ["-m", "slow", "-n", CORES, "--durations=10", "--timeout=1800"]
    session.run("pytest", "-q", *marked, *session.posargs)
    thorough = {"HYPOTHESIS_PROFILE": "thorough"}
    session.run("pytest", "-q", "-m", "hypothesis and not slow", "-n", CORES, env=thorough)
    preset(session, "release")
    ctest(session, "release", "-L", "slow", "-C", "Slow")


@nox.session(tags=["change"])
def openspiel(session: nox.Session) -> None:
    """Rules and perft against OpenSpiel's Oware."""
    session.install("-r", TESTS, OPENSPIEL)
    install_wari(session)
    session.run("pytest", "-q", "tests/test_openspiel.py")


@nox.session(tags=["change"])
def cpp(session: nox.Session) -> None:
    """The C++ tests with g++; the same and the extension without a warning with clang++."""
    preset(session, "release")
    ctest(session, "release")
    need(session, "clang++", "clang")
    preset(session, "clang", "-DWARI_PYTHON=ON", pybind11_option(session))
    ctest(session, "clang")


@nox.session(tags=["change"])
def tidy(session: nox.Session) -> None:
    """clang-tidy over the core, the library for C and the examples, on all cores."""
    need(session, "run-clang-tidy-14", "clang-tidy-14")
    build = preset(session, "clang", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", target="help")
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    # Kernels are compiled for several instruction sets; the last is the newest, with most code.
    once = {command["file"]: command for command in commands}
    folder = ROOT / "build" / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(list(once.values())), encoding="utf-8")
    runner = ["run-clang-tidy-14", "-quiet", "-p", str(folder), "-j", CORES]
    paths = session.posargs or [rf"{ROOT}/(cpp|examples)/.*"]
    session.run(*runner, *paths, external=True, silent=True)


@nox.session(tags=["change"])
def sanitizers(session: nox.Session) -> None:
    """The C++ tests under the address and undefined-behaviour sanitizers."""
    preset(session, "asan")
    session.env["ASAN_OPTIONS"] = "detect_stack_use_after_return=1"
    ctest(session, "asan")


@nox.session(tags=["nightly"])
def sanitizers_python(session: nox.Session) -> None:
    """The Python tests of what is given to the core, under the same sanitizers."""
    session.install("-r", TESTS, "pytest-xdist", *PROJECT["project"]["dependencies"])
    build = preset(session, "asan", "-DWARI_PYTHON=ON", pybind11_option(session), target="_core")
    package = ROOT / "build" / "asan-package"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "python" / "wari", package / "wari")
    for module in (build / "python" / "bindings").glob("_core*.so"):
        shutil.copy(module, package / "wari")
    # Exceptions are seen only where libstdc++ is there from the beginning; what the interpreter
    # leaves behind at its end is no leak of wari, so leaks are left to the C++ tests.
    libraries = [
        str(session.run("g++", f"-print-file-name={name}", external=True, silent=True)).strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    session.env.update(
        {
            "LD_PRELOAD": " ".join(libraries),
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "halt_on_error=1",
            "PYTHONPATH": str(package),
        }
    )
    session.run("pytest", "-q", "-n", CORES, "-m", "not process and not slow", *session.posargs)


@nox.session(tags=["change"])
def tsan(session: nox.Session) -> None:
    """The C++ tests of what threads do together, under the thread sanitizer."""
    preset(session, "tsan")
    ctest(session, "tsan", "-L", "threads", prefix=without_randomisation())


@nox.session(tags=["change"])
def embedding(session: nox.Session) -> None:
    """The library installed, moved, and linked by programs in C and C++; as a sub-project."""
    need(session, "pkg-config", "pkg-config")
    need(session, "valgrind", "valgrind")
    session.env["CMAKE_BUILD_PARALLEL_LEVEL"] = CORES
    session.run("bash", "tests/embedding/run.sh", external=True)


@nox.session(tags=["change"])
def wheel(session: nox.Session) -> None:
    """The source distribution, the wheel made from it, what is in them; the wheel alone at work."""
    session.install("build", silent=True)
    dist = ROOT / "build" / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(dist), ".", silent=True)
    session.run("python", "tools/check_distribution.py", str(dist))
    session.install("--force-reinstall", *map(str, dist.glob("*.whl")), silent=True)
    with session.chdir(session.create_tmp()):
        session.run("wari", "--version")
        session.run("wari", "analyse", "--depth", "10", "--multipv", "1", silent=True)


@nox.session(tags=["change"])
def benchmarks(session: nox.Session) -> None:
    """The benchmarks run and their answers are right; speeds are shown and never judged."""
    session.install("-r", TESTS, OPENSPIEL)
    install_wari(session)
    signature = (ROOT / "benchmarks" / "signature.txt").read_text(encoding="utf-8").split()[-1]
    session.run("wari", "bench", "--expect", signature)
    files = [f"benchmarks/bench_{name}.py" for name in ("perft", "python", "start")]
    shown = ["--benchmark-enable", "--benchmark-columns=median,rounds"]
    session.run("pytest", "-q", "-s", *shown, *files)
    session.run("python", "benchmarks/bench_tablebase.py", "--seeds", "12", "--rounds", "1")


@nox.session(tags=["change", "nightly"])
def fuzz(session: nox.Session) -> None:
    """Each border under libFuzzer and atheris, five seconds or as many as are asked for."""
    need(session, "clang++", "clang")
    session.install("atheris", *PROJECT["project"]["dependencies"], silent=True)
    install_wari(session)
    session.env.update({"WARI_FUZZ_JOBS": CORES, "WARI_FUZZ_SEED": "1"})
    session.run("bash", "fuzz/run.sh", *(session.posargs or ["5"]), external=True)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"], tags=["nightly"])
def pythons(session: nox.Session) -> None:
    """The default tests on every version of Python that the machine has."""
    session.install("-r", TESTS, "pytest-xdist")
    install_wari(session)
    session.run("pytest", "-q", "-n", CORES, *session.posargs)


@nox.session(tags=["nightly"])
def emulated(session: nox.Session) -> None:
    """The installed package on an emulated processor without AVX (x86-64-v2)."""
    need(session, "qemu-x86_64", "qemu-user")
    install_wari(session)
    python = str(Path(session.bin) / "python")
    wari = ["qemu-x86_64", "-cpu", "Nehalem", python, "-m", "wari"]
    if "x86-64-v2" not in str(session.run(*wari, "--version", external=True, silent=True)):
        session.error("the processor without AVX was not noticed")
    counted = session.run(*wari, "perft", "--depth", "7", "--json", external=True, silent=True)
    if json.loads(str(counted))["nodes"] != 139157:  # see tests/recomputed.py
        session.error(f"perft 7 differs on the old processor: {counted}")
    session.run(*wari, "analyse", "--depth", "8", external=True, silent=True)


@nox.session(tags=["nightly"])
def windows(session: nox.Session) -> None:
    """The core and the library for C for Windows, by mingw-w64; their tests under wine."""
    need(session, "x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64-posix")
    need(session, "wine", "wine64 wine")
    preset(session, "windows")
    ctest(session, "windows")


@nox.session(tags=["nightly"])
def aarch64(session: nox.Session) -> None:
    """The core and the library for C for 64-bit ARM; their tests under qemu."""
    need(session, "aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu")
    need(session, "qemu-aarch64", "qemu-user")
    preset(session, "aarch64")
    ctest(session, "aarch64")
