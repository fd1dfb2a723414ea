"""A kernel with a widget whose comm is this program's input and output: a message a line.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import json
import sys
import threading

import comm
from comm.base_comm import BaseComm

lock = threading.Lock()


def tell(content, buffers=()):
    with lock:
        print(json.dumps({"content": content, "buffers": [
            base64.b64encode(bytes(one)).decode() for one in buffers or ()]}), flush=True)


class PipeComm(BaseComm):
    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        if data and data.get("method") == "custom":
            tell(data["content"], buffers)


comm.create_comm = PipeComm

from sluice import stem4d  # noqa: E402

w = stem4d.show(sys.argv[1])
tell({"op": "module", "module": str(w._esm)})
for line in sys.stdin:
    message = json.loads(line)
    if "set" in message:
        for name, value in message["set"].items():
            setattr(w, name, value)
    elif "get" in message:
        value = getattr(w, message["get"])
        value = base64.b64encode(value).decode() if isinstance(value, bytes) else value
        value = value.tolist() if hasattr(value, "tolist") else value
        value = [vars(one) for one in value] if message["get"] == "detectors" else value
        tell({"op": "value", "value": value})
    elif "free" in message:
        w.free()
    else:
        w.comm.handle_msg({"content": {"data": {"method": "custom", "content": message["content"]}},
                           "buffers": [base64.b64decode(one) for one in message["buffers"]]})
