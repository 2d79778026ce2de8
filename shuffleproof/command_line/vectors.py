"""`shuffleproof vectors`: the stored vectors by which implementations are judged."""

from pathlib import Path
from typing import Any

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import Command, Verbs, format_option, print_json, progress_bar
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.errors import IntegrityError, require


class _Folder(click.Path):
    """A folder's path, which is not "": that would be read as where one is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises DomainError."""
        require(str(value) != "", parameter=param.name or "" if param else "", value="''", requirement="a folder's path")
        return super().convert(value, param, ctx)


def _directory(command: Command) -> Command:
    return click.option(
        "--directory",
        default=None,
        metavar="DIR",
        type=_Folder(path_type=Path),
        help="Other vectors than those that come with the package.",
    )(command)


@click.group(cls=Verbs)
def vectors() -> None:
    """Check or rewrite the stored test vectors.

    They are made by the specification and the certified engine, never by hand; brackets of a named randomizer's shuffled reports also by
    float64, every rounding counted.
    """


@vectors.command("lint")
@_directory
@format_option
def vectors_lint(directory: Path | None, as_json: bool) -> int:
    """Are the files whole, made by the present code, and sensible together?"""
    from shuffleproof.conformance.lint import Finding, lint
    from shuffleproof.conformance.vectors import VectorsFile, load_all

    where = directory is None or directory.is_dir()
    require(where, parameter="directory", value=str(directory), requirement="a folder that exists")
    files: tuple[VectorsFile, ...] = ()
    findings: tuple[Finding, ...]
    try:
        files, findings = load_all(directory), lint(directory)
    except IntegrityError as damage:  # here it is what was asked
        findings = (Finding(place=damage.path, message=damage.reason),)
    if as_json:
        rows = [{"file": file.path.name, "cases": len(file.cases), "digest": file.digest} for file in files]
        print_json({"files": rows, "findings": [{"place": finding.place, "message": finding.message} for finding in findings]})
    else:
        for file in files:
            say(f"{file.path.name}: {len(file.cases)} cases, whole, sha256 {file.digest[:16]}...")
        for finding in findings:
            say(str(finding))
    return ExitCode.NEGATIVE if findings else ExitCode.ANSWERED


def _require_ours(folder: Path, *, parameter: str) -> None:
    """Nothing is written among somebody's files. Raises DomainError."""
    from shuffleproof.conformance.operations import OPERATIONS
    from shuffleproof.conformance.vectors import CASES, DIRECTORY, SCHEMA

    ours = {*(path.name for path in DIRECTORY.iterdir()), *(f"{operation}.json" for operation in OPERATIONS), CASES, SCHEMA}
    others = folder.is_dir() and not {path.name for path in folder.iterdir()} <= ours
    require(not others, parameter=parameter, value=str(folder), requirement="an empty folder, or one that holds test vectors alone")


@vectors.command("write")
@_directory
@format_option
def vectors_write(directory: Path | None, as_json: bool) -> None:
    """Make every file again; nothing is written unless all of it could be computed and the engines agree."""
    from shuffleproof.conformance.catalogue.catalogue import groups
    from shuffleproof.conformance.catalogue.generate import write
    from shuffleproof.conformance.lint import about_edition

    if directory is not None:
        _require_ours(directory, parameter="directory")
    with progress_bar() as progress:
        task = progress.add_task("vectors", total=sum(len(group.questions) for group in groups()), now="")
        paths = write(directory, step=lambda name: progress.update(task, advance=1, now=name))
    if as_json:
        print_json([str(path) for path in paths])
    else:
        for path in paths:
            say(str(path))
        for finding in about_edition(directory):
            say(str(finding))


@vectors.command("export")
@click.argument("folder", metavar="FOLDER", type=_Folder(path_type=Path))
@format_option
def vectors_export(folder: Path, as_json: bool) -> None:
    """The vectors as plain files, with their guide and version: for consumers in any language.

    FOLDER: is made where it is not there yet. cases.jsonl has a case a line; README.md says what is expected of an answer.
    """
    from shuffleproof.conformance.vectors import export

    _require_ours(folder, parameter="folder")
    paths = export(folder)
    if as_json:
        print_json([str(path) for path in paths])
    for path in paths if not as_json else ():
        say(str(path))
