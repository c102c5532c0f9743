"""Where River is absent, the modules that need it are not looked into for doctests; its tests say that they skip."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("river") else ["src/kernelstream/river/*"]
