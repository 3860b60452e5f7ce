"""Does the tasks of a long run: in processes of this machine, or by the workers of a Dask cluster.

A task is a function of a module, with its arguments. If a worker of the cluster dies, another worker does its task
again. If a process of this machine dies, the run stops; after it is continued, it does the task again. Finished tasks
are never lost.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import multiprocessing
import os
import platform
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from importlib import import_module
from itertools import chain, islice
from typing import Any, TypeVar

from engine.training.runs import engine_signature
from engine.whole_file import sentence_of

ALONE = 10.0  # seconds without any worker after which a message says so
CONNECTING = 5  # seconds that a scheduler may take to answer
MOST_PROCESSES = 1024
T = TypeVar("T")
ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^\s/]+:\d{1,5}")


class WorkersLost(Exception):
    """The workers cannot do the tasks; the message says why, in one sentence."""


class Workers:
    """Do tasks, by an executor of the standard library."""

    executor: Executor

    def __init__(self, count: int) -> None:
        self._count = count

    def count(self) -> int:
        """How many tasks are done at the same time, at least 1."""
        return self._count

    def in_order(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]], ahead: int = 1
    ) -> Generator[T, None, None]:
        """The results of `function` for the arguments of each task, in the order of the tasks.

        ahead: the number of tasks for each worker that may be begun, or done, after a task that is not done yet. A
        worker waits if its tasks are quicker than that one; where times differ much, more is better. What was done
        ahead is lost with a stop.

        Raises WorkersLost if the workers cannot go on, with the results of all tasks before the lost one given, and any
        exception of the function. Closing the iterator drops the tasks that have not begun.
        """
        rest = self.begin(tasks)
        waiting: deque[Future[T]] = deque()
        try:
            while True:
                for task in islice(rest, max((1 + ahead) * self.count() - len(waiting), 0)):
                    waiting.append(self.submit(function, task))
                if not waiting:
                    return
                self.wait_for_one([waiting[0]])
                yield self.result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def as_done(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]], ahead: int = 0
    ) -> Generator[tuple[int, T], None, None]:
        """The results of `function` for the arguments of each task, in the order in which the tasks are done.

        Yields pairs of a task's number, counted from 0, and its result. A task is taken from `tasks` only when a
        worker is free for it, so it can depend on the results before it. ahead: the number of tasks that are taken
        earlier for each worker; with one, a worker need not wait for this process after a short task. Exceptions are
        those of `in_order`, but WorkersLost comes after the results of all finished tasks.
        """
        rest = enumerate(self.begin(tasks))
        running: dict[Future[T], int] = {}
        try:
            while True:
                for number, task in islice(rest, max((1 + ahead) * self.count() - len(running), 0)):
                    running[self.submit(function, task)] = number
                if not running:
                    return
                future = self.wait_for_one(running)
                yield running.pop(future), self.result(future)
        except WorkersLost:
            yield from ((running[future], result) for future, result in finished(running))
            raise
        finally:
            for future in running:
                future.cancel()

    def begin(self, tasks: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Gets ready for the tasks, and returns them."""
        return iter(tasks)

    def submit(self, function: Callable[..., T], task: tuple[Any, ...]) -> Future[T]:
        try:
            return self.executor.submit(function, *task)
        except BrokenExecutor:
            raise WorkersLost("a process died") from None

    def wait_for_one(self, futures: Collection[Future[T]]) -> Future[T]:
        """The first of the futures that is done; waits until one is."""
        done = wait(futures, return_when=FIRST_COMPLETED).done
        return next(future for future in futures if future in done)

    def result(self, future: Future[T]) -> T:
        """The result of a finished task."""
        try:
            return future.result()
        except BrokenExecutor:
            raise WorkersLost("a process died") from None


def finished(futures: Iterable[Future[T]]) -> Iterator[tuple[Future[T], T]]:
    """The futures that have a result, each with it."""
    for future in futures:
        if future.done() and not future.cancelled() and future.exception() is None:
            yield future, future.result()


class Processes(Workers):
    """The processes of this machine. They begin with the first tasks; there are never more processes than tasks."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._begun = 0

    def begin(self, tasks: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        rest = iter(tasks)
        first = list(islice(rest, self.count()))
        if len(first) > self._begun:
            self.close()
            self.executor = new_pool(len(first))
            self._begun = len(first)
        return chain(first, rest)

    def close(self) -> None:
        """Ends the processes when each has done its current task."""
        if self._begun:
            self.executor.shutdown(cancel_futures=True)


def new_pool(count: int) -> ProcessPoolExecutor:
    """A pool of `count` processes of this machine, which end with this one.

    They are not forked from this process, which may have threads: a lock that a thread holds during a fork stays locked
    for ever in the new process.
    """
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    context.set_forkserver_preload([__name__])
    return ProcessPoolExecutor(count, context, begin_process)


def begin_process() -> None:
    """Prepares a process for its first task."""
    # Ctrl-C reaches the processes as well: they end at once, without a message; the main process writes it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Ends this process when its parent process has ended, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster(Workers):
    """The workers of a Dask cluster, which may come and go. Each checks first that its engine is the run's."""

    def __init__(self, client: Any, address: str, killed: type[Exception]) -> None:
        """killed: the exception of Dask for a task that it gives up because several workers have died of it."""
        super().__init__(0)
        self.executor = client.get_executor(pure=False)
        self.killed = killed
        self.client = client
        self.address = address
        self.signature = engine_signature()
        self.has_said = False

    def _threads(self) -> int:
        try:
            return sum(self.client.nthreads().values())
        except Exception:
            raise self._lost() from None

    def _lost(self) -> WorkersLost:
        return WorkersLost(f"lost the scheduler at {self.address}")

    def count(self) -> int:
        return max(1, self._threads())

    def submit(self, function: Callable[..., T], task: tuple[Any, ...]) -> Future[T]:
        return self.executor.submit(checked, self.signature, function, task)

    def wait_for_one(self, futures: Collection[Future[T]]) -> Future[T]:
        while not (done := wait(futures, ALONE, FIRST_COMPLETED).done):
            is_alone = self._threads() == 0
            if is_alone and not self.has_said:
                print(f"\nThe scheduler at {self.address} has no workers; waiting for one", file=sys.stderr)
            self.has_said = is_alone
        return next(future for future in futures if future in done)

    def result(self, future: Future[T]) -> T:
        try:
            return future.result()
        except CancelledError:
            # Tasks are cancelled only by the client, when the connection is lost.
            raise self._lost() from None
        except (WorkersLost, ValueError):
            raise
        except self.killed:
            raise WorkersLost("several workers have died of the same task") from None
        except Exception as error:
            raise WorkersLost(f"a task cannot be done on the cluster: {error!r}") from None


def checked(signature: str, function: Callable[..., T], task: tuple[Any, ...]) -> T:
    """Does the task on a worker. Raises WorkersLost if its engine is not the run's."""
    found = engine_signature()
    if found != signature:
        raise WorkersLost(f"the engine on {platform.node()} is another one: its signature is {found}, not {signature}")
    return function(*task)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that choose where the work is done."""
    parser.add_argument(
        "--processes",
        type=int,
        default=min(os.cpu_count() or 1, MOST_PROCESSES),
        help="number of processes on this machine (default: one for each core, here %(default)s)",
    )
    parser.add_argument(
        "--executor",
        choices=("local", "dask"),
        default="local",
        help="do the work on this machine, or by a Dask cluster (default: %(default)s)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="address of the cluster's scheduler, such as tcp://host:8786; its workers need exactly "
        "this version of the engine (default: none)",
    )


def check_flags(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Ends the program with one sentence if the flags are invalid."""
    if not 1 <= options.processes <= MOST_PROCESSES:
        parser.error(f"--processes is at least 1 and at most {MOST_PROCESSES}")
    if options.executor == "dask" and options.scheduler is None:
        parser.error("--executor dask needs --scheduler ADDRESS")
    if options.executor != "dask" and options.scheduler is not None:
        parser.error("--scheduler needs --executor dask")
    if options.scheduler is not None and (
        not ADDRESS.fullmatch(options.scheduler) or int(options.scheduler.rsplit(":", 1)[1]) > 65535
    ):
        parser.error(f"--scheduler {options.scheduler} is not an address such as tcp://host:8786")


@contextlib.contextmanager
def open_workers(options: argparse.Namespace) -> Iterator[Workers]:
    """The workers that the flags ask for.

    Raises ValueError when the scheduler cannot be reached, and ModuleNotFoundError without Dask.
    """
    if options.executor == "dask":
        with open_cluster(options.scheduler) as cluster:
            yield cluster
        return
    processes = Processes(options.processes)
    try:
        yield processes
    finally:
        processes.close()


@contextlib.contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    # Not every release of the package has types, so none are taken from it.
    distributed: Any = import_module("distributed")
    is_secure = bool(distributed.Security().get_connection_args("client").get("ssl_context"))
    if address.startswith(("tls:", "wss:")) and not is_secure:
        raise ValueError(f"--scheduler {address} needs certificates, which the configuration of Dask does not name")
    # Dask writes a traceback for each lost connection; one sentence of ours takes its place.
    for name in ("distributed", "distributed.client", "distributed.comm", "distributed.core", "distributed.utils"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, set_as_default=False, timeout=CONNECTING)
    except Exception as error:
        raise ValueError(f"cannot reach the scheduler at {address}: {' '.join(str(error).split())}") from None
    try:
        yield Cluster(client, address, distributed.KilledWorker)
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=CONNECTING)


def run_command(name: str, work: Callable[[], None], goes_on: bool = True) -> int:
    """Does the work of a command and returns its exit status; an error is one sentence on stderr.

    goes_on: whether the same command continues a stopped run.
    """
    then = "the same command continues from here" if goes_on else "nothing more was written"
    try:
        work()
    except (ValueError, OSError) as error:
        print(f"{name}: {sentence_of(error)}", file=sys.stderr)
        return 2
    except WorkersLost as error:
        print(f"{name}: {error}; {then}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nstopped; {then}", file=sys.stderr)
        return 130
    return 0
