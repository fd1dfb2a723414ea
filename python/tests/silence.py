"""What a thread of Python notices while another one is in the library.

SPDX-License-Identifier: Apache-2.0
"""
import threading
import time


def longest_silence(call):
    """The longest time that another thread did not run while `call` did, as a part of all of it."""
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        start = time.monotonic()
        call()
        end = time.monotonic()
    finally:
        stop.set()
        thread.join()
    times = [start, *(t for t in ticks if start < t < end), end]
    return max(b - a for a, b in zip(times, times[1:])) / (end - start)
