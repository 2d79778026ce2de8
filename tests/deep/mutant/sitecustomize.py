"""Found by every Python that has this folder on its path: one module of ours is run from other source."""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        return compile(Path(os.environ["MUTANT_SOURCE"]).read_bytes(), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != os.environ["MUTANT_MODULE"]:
            return None
        place = os.environ["MUTANT_PATH"]
        return spec_from_file_location(fullname, place, loader=_Loader(fullname, place))


if "MUTANT_MODULE" in os.environ:
    sys.meta_path.insert(0, _Finder())
