"""What all of `sluice.distributed` stands on: parts that go to the workers of a Dask client, what workers keep
between them, and digests that tell whether everyone works on the same.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import collections
import hashlib
import os
import pickle
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Tuple, Union

from . import _core
from ._errors import Error, InvalidArgument
from ._progress import Progress, shown

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found,unused-ignore]


class Kept:
    """The scans and plans that a worker process used last, by their tokens."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._there: "collections.OrderedDict[Any, Any]" = collections.OrderedDict()

    def get(self, token: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            if token not in self._there:
                self._there[token] = make()
            self._there.move_to_end(token)
            while len(self._there) > self._most:
                self._there.popitem(last=False)
            return self._there[token]


def own_threads() -> int:
    """As many as this worker has; 0, one per processor, where there is none."""
    try:
        from distributed import get_worker
        return int(get_worker().state.nthreads)
    except (ImportError, ValueError):
        return 0


def own_name() -> str:
    """Of the process, in errors."""
    try:
        from distributed import get_worker
        return f"the worker {get_worker().address}"
    except (ImportError, ValueError):
        return "this process"


def version() -> str:
    """Of this process; others make other bits."""
    return f"{_core.__version__} ({_core.__commit__})"


def digest(wanted: Any) -> str:
    return hashlib.sha256(pickle.dumps(wanted)).hexdigest()


def digest_of_file(path: "Union[str, os.PathLike[str]]") -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def ranges_of(groups: int, tasks: int) -> List[Tuple[int, int]]:
    tasks = max(1, min(groups, tasks))
    return [(groups * i // tasks, groups * (i + 1) // tasks) for i in range(tasks)]


def workers_of(client: "Client") -> int:
    count = len(client.scheduler_info(n_workers=-1)["workers"])
    if count == 0:
        raise InvalidArgument("the Dask client has no worker; start some, or wait for them with "
                              "client.wait_for_workers(1)")
    return count


def gather(client: "Client", function: Callable[..., Any], arguments: Iterable[Tuple[Any, ...]],
           window: int) -> Iterator[Tuple[int, Any]]:
    """Runs function(*a) for each of the arguments, at most `window` at once; what each gives, as
    it comes."""
    from distributed import KilledWorker, as_completed
    todo = enumerate(arguments)
    numbers: Dict[Any, int] = {}

    def submit() -> Any:
        for number, given in todo:
            future = client.submit(function, *given, pure=False, retries=2)
            numbers[future] = number
            return future
        return None

    running: Any = as_completed([f for f in (submit() for _ in range(window))
                                 if f is not None])  # type: ignore[no-untyped-call]
    try:
        for future in running:
            try:
                answer = future.result()
            except KilledWorker as died:
                raise Error(f"{died.allowed_failures + 1} workers died one after the other at the same part "
                            "(most often memory ran out; their logs say more); give workers more memory, or "
                            "less work at once") from died
            number = numbers.pop(future)
            following = submit()
            if following is not None:
                running.add(following)
            yield number, answer
    finally:
        for future in list(numbers):
            future.cancel()


def add_parts(here: Any, client: "Client", function: Callable[..., bytes], given: Tuple[Any, ...],
              word: str, progress: Progress) -> None:
    """Adds what function(*given, first, last) packs on workers, for all groups of `here`."""
    workers = workers_of(client)
    ranges = ranges_of(here.groups, 2 * workers)
    with shown(progress, word, "parts") as tell:
        done = 0
        for number, packed in gather(client, function, ((*given, *r) for r in ranges),
                                     2 * workers):
            try:
                here.add(packed)
            except Error as wrong:
                first, last = ranges[number]
                raise type(wrong)(f"what a worker sent of groups {first} to {last - 1} of "
                                  f"{here.groups}: {wrong}") from wrong
            done += 1
            if tell is not None:
                tell(done, len(ranges))
