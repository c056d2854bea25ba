"""An update is a rebuild, over the whole life of a database.

Whatever people do to the files of two roots, and whatever runs, crashes and restarts there are in
between: after each step the database holds the versions that a plain model says, and answers as an
index made afresh of those versions.
"""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from life_cycle_checks import Checks
from life_cycle_model import SPOILED
from life_cycle_place import Place
from life_cycle_refusals import REFUSALS
from life_cycle_vocabulary import (
    APPENDED,
    BODIES,
    DIRECTORIES,
    FRONT_MATTERS,
    IGNORES,
    MANY,
    NAMES,
    ROOTS,
    RULES,
    SELECTIONS,
)

roots = st.sampled_from(ROOTS)
directories = st.sampled_from(DIRECTORIES)
inner_directories = st.sampled_from(DIRECTORIES[1:])
names = st.sampled_from(NAMES)
fronts = st.sampled_from(tuple(FRONT_MATTERS))
bodies = st.sampled_from(BODIES)
picks = st.integers(0, 11)
prunes = st.sampled_from((None, None, True, False))
specials = st.sampled_from(
    [
        *((".rootleaf-metadata.json", written) for written, _ in RULES),
        *((".rootleafignore", written) for written, _ in IGNORES),
    ]
)


def below(directory: str, name: str) -> str:
    """A path below a root."""
    return f"{directory}/{name}" if directory else name


class LifeCycle(RuleBasedStateMachine):
    """Files change by the rules of the first half, the database by those of the second."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Place()
        self.checks = Checks(self.place)

    def teardown(self) -> None:
        """Leaves nothing behind."""
        self.place.close()

    def pick(self, number: int) -> str | None:
        """One of the files there are, by number."""
        files = self.place.files()
        return files[number % len(files)] if files else None

    @initialize(
        files=st.lists(st.tuples(roots, directories, names, fronts, bodies), max_size=5),
        run=st.booleans(),
    )
    def begin(self, files: list[tuple[str, str, str, str, str]], run: bool) -> None:
        """Both roots are there, with some files."""
        for name in ROOTS:
            os.mkdir(self.place.root(name))
        for root, directory, name, front, body in files:
            self.place.write(f"{root}/{below(directory, name)}", front + body)
        if run:
            self.checks.index("one")

    @rule(root=roots, directory=directories, name=names, front=fronts, body=bodies)
    def write(self, root: str, directory: str, name: str, front: str, body: str) -> None:
        """A file is written, new or over another one."""
        self.place.write(f"{root}/{below(directory, name)}", front + body)

    @rule(root=roots, directory=directories, body=bodies, same=st.booleans())
    def write_many(self, root: str, directory: str, body: str, same: bool) -> None:
        """More than a handful of files, of one text or each of its own."""
        for name in MANY:
            self.place.write(f"{root}/{below(directory, name)}", body if same else body + name)

    @rule(number=picks, how=st.sampled_from((*APPENDED, "unseen", "touch")))
    def edit(self, number: int, how: str) -> None:
        """A file grows, is edited with its size and time as before, or gets another time only."""
        path = self.pick(number)
        if path is None:
            return
        if how == "touch":
            os.utime(os.path.join(self.place.base, path))
        elif how == "unseen":
            self.place.edit_unseen(path)
        else:
            self.place.write(path, how, mode="a")

    @rule(number=picks, front=fronts)
    def edit_front_matter(self, number: int, front: str) -> None:
        """Another front matter, or none, or one that is not understood."""
        path = self.pick(number)
        if path is not None:
            body = re.sub(r"\A---\n.*?\n---\n", "", self.place.read(path), flags=re.DOTALL)
            self.place.write(path, front + body)

    @rule(number=picks, root=roots, directory=directories, name=names, copied=st.booleans())
    def rename(self, number: int, root: str, directory: str, name: str, copied: bool) -> None:
        """A file gets another name, perhaps below the other root, perhaps another one's."""
        path, target = self.pick(number), f"{root}/{below(directory, name)}"
        if path is not None and copied:
            self.place.write(target, self.place.read(path))
        elif path is not None:
            self.place.rename(path, target)

    @rule(
        root=roots,
        old=inner_directories,
        new=st.sampled_from((*DIRECTORIES[1:], "new")),
        mixed=st.booleans(),
    )
    def rename_directory(self, root: str, old: str, new: str, mixed: bool) -> None:
        """A directory gets another name that is free; its files may change names as well."""
        source, target = f"{root}/{old}", f"{root}/{new}"
        if (
            os.path.isdir(os.path.join(self.place.base, source))
            and not os.path.exists(os.path.join(self.place.base, target))
            and not target.startswith(f"{source}/")
        ):
            self.place.rename(source, target)
            if mixed:
                self.place.mix(target, MANY)

    @rule(one=picks, other=picks)
    def swap(self, one: int, other: int) -> None:
        """Two files change names."""
        first, second = self.pick(one), self.pick(other)
        if first is not None and second is not None:
            self.place.swap(first, second)

    @rule(numbers=st.lists(picks, min_size=2, max_size=3), directory=directories)
    def move_several(self, numbers: list[int], directory: str) -> None:
        """Files go into a directory together, and change names among each other."""
        for number in numbers:
            path = self.pick(number)
            if path is not None:
                self.place.rename(
                    path, f"{path.partition('/')[0]}/{below(directory, MANY[number % 6])}"
                )

    @rule(number=picks)
    def delete(self, number: int) -> None:
        """A file is deleted."""
        path = self.pick(number)
        if path is not None:
            self.place.delete([path])

    @rule(root=roots, directory=inner_directories, itself=st.booleans())
    def delete_directory(self, root: str, directory: str, itself: bool) -> None:
        """All below a directory is deleted; the directory itself may stay, empty."""
        self.place.delete_directory(f"{root}/{directory}", itself=itself)

    @rule()
    def restore(self) -> None:
        """What was deleted last comes back."""
        for path, text in self.place.deleted.items():
            self.place.write(path, text)

    @rule(root=roots, which=specials)
    def edit_rules(self, root: str, which: tuple[str, str | None]) -> None:
        """Another rules or ignore file, or none, or rules that are not understood."""
        self.place.write_special(f"{root}/{which[0]}", which[1])

    @rule()
    def go_away(self) -> None:
        """One of the roots is unmounted, or mounted again."""
        self.place.go_away(ROOTS[1])

    @rule(which=st.integers(0, 2), keep=st.booleans())
    def change_snapshot(self, which: int, keep: bool) -> None:
        """The snapshot is deleted, or that of an earlier time brought back."""
        if keep:
            self.place.keep_snapshot()
        else:
            self.place.put_snapshot(which)

    @rule(root=roots)
    def index(self, root: str) -> None:
        """An ordinary run."""
        self.checks.index(root)

    @rule()
    def index_both(self) -> None:
        """An ordinary run over each root; the machine draws it as often as any other step."""
        for root in ROOTS:
            self.checks.index(root)

    @rule(
        root=roots,
        selection=st.none() | st.sampled_from(SELECTIONS),
        prune=prunes,
        ignore_files=st.booleans(),
        embeds=st.booleans(),
    )
    def index_with(
        self,
        root: str,
        selection: str | None,
        prune: bool | None,
        ignore_files: bool,
        embeds: bool,
    ) -> None:
        """A run with any options."""
        self.checks.index(
            root, selection=selection, prune=prune, ignore_files=ignore_files, embeds=embeds
        )

    @rule(root=roots, directory=directories, name=st.sampled_from((*NAMES, MANY[0])), prune=prunes)
    def index_file(self, root: str, directory: str, name: str, prune: bool | None) -> None:
        """A run over one file, there or gone."""
        self.checks.index_file(root, below(directory, name), prune=prune)

    @rule(
        root=roots,
        at=st.sampled_from(("file", "statement")),
        count=st.integers(0, 60),
        prune=prunes,
    )
    def kill(self, root: str, at: str, count: int, prune: bool | None) -> None:
        """A run dies at any instant."""
        self.checks.kill(root, at=at, count=count if at == "statement" else count % 8, prune=prune)

    @precondition(lambda _: bool(REFUSALS))
    @rule(number=picks, how=st.sampled_from(tuple(SPOILED)))
    def spoil(self, number: int, how: str) -> None:
        """The metadata of a row is lost, or is none."""
        self.checks.spoil(number, how)

    @precondition(lambda _: bool(REFUSALS))
    @rule(number=picks)
    def obey(self, number: int) -> None:
        """Someone does what the refusal of a filter says."""
        self.checks.obey(number)

    @rule(root=roots, directory=directories, name=st.sampled_from(("", *NAMES)))
    def forget(self, root: str, directory: str, name: str) -> None:
        """A root, a directory of it, or one document is dropped."""
        self.checks.forget(root, below(directory, name).removesuffix("/"))

    @invariant()
    def holds_what_the_model_says(self) -> None:
        """Rows and answers, whatever the step was."""
        self.checks.rows()
        self.checks.answers()


STEPS = {"dev": (40, 25), "ci": (120, 40), "nightly": (2000, 60)}


_EXAMPLES, _STEPS = STEPS.get(os.environ.get("HYPOTHESIS_PROFILE", "dev"), STEPS["dev"])


@pytest.mark.usefixtures("without_vectors")
@pytest.mark.timeout(7200)
def test_any_life_leaves_what_a_fresh_index_of_its_versions_holds() -> None:
    """The machine, as long as the profile of the tests says."""
    run_state_machine_as_test(
        LifeCycle, settings=settings(max_examples=_EXAMPLES, stateful_step_count=_STEPS)
    )
