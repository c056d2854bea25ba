"""What needs a look in an index, in words, each with the command that mends it."""

from __future__ import annotations

from rootleaf.embed.choosing import is_known
from rootleaf.indexing.adopting import find_moved_root, home_of
from rootleaf.indexing.gone import prune_command
from rootleaf.indexing.remedies import resolve_anew
from rootleaf.indexing.snapshot import CURRENT
from rootleaf.indexing.survey import ABSENT, PRESENT, UNREADABLE
from rootleaf.store.paths import default_db_path, join_root, quoted
from rootleaf.types import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rootleaf.indexing.survey import Survey
    from rootleaf.store.protocol import Store
    from rootleaf.types import Skipped

_MOUNT = "If it lies on a drive that is not mounted, mount it instead"


def list_findings(
    surveys: Sequence[Survey], store: Store, unparsed: Iterable[Skipped], snapshot: str
) -> list[Finding]:
    """All that needs a look, by root, what concerns the whole index last.

    Args:
        surveys: Of every root.
        store: The index.
        unparsed: All documents whose front matter was not understood.
        snapshot: What `describe_snapshot` says.
    """
    findings: list[Finding] = []
    paths = [problem.path for problem in unparsed]
    for survey in surveys:
        if survey.state == ABSENT:
            findings.append(_absent(survey, store))
            continue
        if survey.state == UNREADABLE:
            findings.append(_unreadable(survey))
            continue
        below = join_root(survey.root.path, "")
        findings += _of_files(survey, store)
        findings += _of_metadata(survey, store)
        findings += _of_last_run(survey, store, [path for path in paths if path.startswith(below)])
    return [*findings, *_of_index(surveys, store, snapshot)]


def _absent(survey: Survey, store: Store) -> Finding:
    path = survey.root.path
    title = f"{path} is not there; {_documents(survey.files)} of it still answer"
    home = home_of(store.db_path)
    if home is not None and find_moved_root(store, home) == survey.root:
        return Finding(
            code="root.moved",
            root=path,
            title=title,
            advice=f"It seems to be {home} now: a run there keeps the documents under the new name",
            files=(),
            commands=(f"rootleaf index {quoted(home)}",),
        )
    return Finding(
        code="root.absent",
        root=path,
        title=title,
        advice=f"{_MOUNT}; this is for one that is gone for good",
        files=(),
        commands=(f"rootleaf forget {quoted(path)} --db {quoted(store.db_path)}",),
    )


def _unreadable(survey: Survey) -> Finding:
    path = survey.root.path
    return Finding(
        code="root.unreadable",
        root=path,
        title=f"{path} cannot be read: {survey.reason}",
        advice=f"{_documents(survey.files)} of it still answer as they were indexed",
        files=(),
        commands=(f"ls -ld {quoted(path)}",),
    )


def _of_files(survey: Survey, store: Store) -> Iterator[Finding]:
    """Files that are gone, and those that an interrupted run has not come to."""
    root = survey.root.path
    gone = [mark.path for mark in survey.gone.marks]
    if survey.root.files_to_go:
        yield Finding(
            code="run.incomplete",
            root=root,
            title=f"incomplete: {_files(survey.root.files_to_go)} to go in {root}",
            advice="",
            files=(),
            commands=(_run(survey, store),),
        )
    if gone and survey.gone.reason is not None:
        yield Finding(
            code="files.held_back",
            root=root,
            title="gone from disk, held back",
            advice=survey.gone.reason,
            files=_absolute(survey, gone),
            commands=(prune_command(root, store.db_path),),
        )
    elif gone:
        yield Finding(
            code="files.gone",
            root=root,
            title="gone from disk since the last run",
            advice="The next run removes their documents, or lets them follow moved files",
            files=_absolute(survey, gone),
            commands=(_run(survey, store),),
        )


def _of_metadata(survey: Survey, store: Store) -> Iterator[Finding]:
    problem = survey.rules_problem
    if problem is not None:
        yield Finding(
            code=problem.code,
            root=survey.root.path,
            title=problem.message,
            advice=f"{problem.hint or 'Mend it'}; metadata is what the rules said before",
            files=(),
            commands=(_run(survey, store),),
        )
    for code, title, rows in (
        ("metadata.unscanned", "never scanned for metadata", survey.unscanned),
        ("metadata.unreadable", "metadata that cannot be read", survey.unreadable),
        ("metadata.stale", "metadata of rules that have changed", survey.stale),
    ):
        if rows:
            # Not every row is within what a plain run reads.
            remedy = resolve_anew(survey.root, rows, store.db_path)
            yield Finding(
                code=code,
                root=survey.root.path,
                title=title,
                advice=" ".join(remedy.advice),
                files=_absolute(survey, rows),
                commands=remedy.commands,
            )


def _of_last_run(survey: Survey, store: Store, unparsed: Sequence[str]) -> Iterator[Finding]:
    for code, title, advice, files in (
        (
            "files.skipped",
            "skipped",
            "When what the reason names is mended",
            [entry.path for entry in survey.root.skipped],
        ),
        (
            "front_matter.unparsed",
            "front matter not understood",
            "When the line that is named is mended",
            unparsed,
        ),
    ):
        if files:
            yield Finding(
                code=code,
                root=survey.root.path,
                title=title,
                advice=advice,
                files=tuple(files),
                commands=(_run(survey, store),),
            )


def _of_index(surveys: Sequence[Survey], store: Store, snapshot: str) -> Iterator[Finding]:
    missing = store.count_without_vector()
    present = [survey for survey in surveys if survey.state == PRESENT]
    if present and missing:
        model = store.model()
        # Of an embedder that only a program brings there is no command.
        lacking = (
            [survey for survey in present if store.count_without_vector(survey.root.root_id)]
            if model is not None and is_known(model.name)
            else []
        )
        yield Finding(
            code="vectors.missing",
            root=None,
            title=f"chunksets that lack a vector: {missing:,}",
            advice=(
                "Searches find them by keyword alone; a run of their roots with the embedder of "
                f"{model} gives them theirs"
            ),
            files=(),
            commands=tuple(_run(survey, store) for survey in lacking),
        )
    if present and snapshot != CURRENT:
        yield Finding(
            code="snapshot.behind",
            root=None,
            title=f"the snapshot is {snapshot}",
            advice="Searches find the same without it, and take longer; any run renews it",
            files=(),
            commands=(_run(present[0], store),),
        )


def _run(survey: Survey, store: Store) -> str:
    root = survey.root.path
    command = f"rootleaf index {quoted(root)}"
    if store.db_path == default_db_path(root):
        return command
    return f"{command} --db {quoted(store.db_path)}"


def _absolute(survey: Survey, rows: Iterable[str]) -> tuple[str, ...]:
    return tuple(join_root(survey.root.path, row) for row in rows)


def _documents(count: int) -> str:
    return "1 document" if count == 1 else f"{count:,} documents"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"
