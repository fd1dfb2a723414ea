# The compiled part is private: the modules beside it are its types. python/golden/_core.pyi has
# what it says of itself.
from typing import Any

__version__: str
__commit__: str

def __getattr__(name: str) -> Any: ...
