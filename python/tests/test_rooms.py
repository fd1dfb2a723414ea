"""Modules of the package import each other in one direction only.

SPDX-License-Identifier: Apache-2.0
"""
import ast
import dataclasses
import pathlib
import subprocess
import sys
import typing

import sluice

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "sluice"
#: What a file of the package may have at most, in lines.
MOST = 300


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def statements(tree):
    """All that is run, also within functions; not what only mypy reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from statements(node)


def imports(name):
    """The modules of the package that one needs: those that it names, and the packages that these lie in."""
    path = FILES[name]
    own = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in statements(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom) or node.level == 0:
            continue
        base = own[:len(own) - node.level + 1] + (node.module.split(".") if node.module else [])
        for one in node.names:
            there = ".".join([*base, one.name])
            found = there if there in FILES else ".".join(base)
            while found not in ("sluice", name):
                # Its own package is there already when a module is run.
                if found in FILES and not (name + ".").startswith(found + "."):
                    yield found
                found = found.rpartition(".")[0]


def circle(graph):
    """Modules that need each other, in their order, or None."""
    done, here = set(), []

    def visit(name):
        if name in here:
            return [*here[here.index(name):], name]
        if name in done:
            return None
        here.append(name)
        for other in sorted(graph[name]):
            if found := visit(other):
                return found
        here.pop()
        done.add(name)
        return None
    for name in graph:
        if found := visit(name):
            return found
    return None


def test_no_module_needs_itself():
    graph = {name: set(imports(name)) for name in FILES}
    assert sum(map(len, graph.values())) > 300, "the imports were not read"
    assert circle(graph) is None


def test_a_circle_would_be_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_files_have_one_idea():
    long = {f"{path.relative_to(PACKAGE)}: {n} lines" for path in FILES.values()
            if (n := path.read_text().count("\n")) > MOST}
    assert not long


def test_public_things_say_where_they_are():
    from sluice import distributed, music, proton, slide, stem4d
    for module in (sluice, stem4d, slide, music, proton, distributed):
        for name in module.__all__:
            home = getattr(getattr(module, name), "__module__", None)
            assert home is None or "._" not in home, f"{module.__name__}.{name} says it is in {home}"


def test_the_types_of_fields_are_found():
    from sluice import distributed, music, proton, slide, stem4d
    seen = 0
    for module in (sluice, stem4d, slide, music, proton, distributed):
        for name in module.__all__:
            thing = getattr(module, name)
            if dataclasses.is_dataclass(thing):
                assert set(typing.get_type_hints(thing)) >= {f.name for f in dataclasses.fields(thing)}
                seen += 1
    assert seen > 80


def test_import_loads_little():
    """Domains, and what most people never need, come when they are asked for."""
    code = ("import sys, sluice; print([m for m in sys.modules if m.startswith(('sluice.stem4d', 'sluice.slide', "
            "'sluice.music', 'sluice.proton', 'sluice.distributed', 'sluice._view', 'dask', 'xarray', 'anywidget', "
            "'traitlets', 'tqdm', 'subprocess', 'asyncio'))])")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n", run.stdout
