"""Every record of a method that stands in the specification, of those that nobody asks for by name too."""

from importlib import import_module
from pkgutil import iter_modules

from shuffleproof.spec.vocabulary import methods
from shuffleproof.spec.vocabulary.method import Method

_FAMILIES = [import_module(f"{methods.__name__}.{family.name}") for family in iter_modules(methods.__path__)]
RECORDS = [each for family in _FAMILIES for each in vars(family).values() if isinstance(each, Method)]
