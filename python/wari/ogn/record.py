"""Records that know games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wari._check import shown
from wari._ogn.types import GameText, Line
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.game import Game


@evaluable("wari.ogn")
class Record(GameText):
    """One game of an OGN file: its tags, its moves with comments and variations, and notes.

    >>> from wari import ogn
    >>> record, = ogn.loads('[Variant "Wari"] 1. F f { safe } 2. B *')
    >>> record.rules.name, record.line.letters, record.line.moves[1].comments
    ('wari', 'FfB', ('safe',))
    """

    __slots__ = ()

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """The record of a game; tags that say what the game itself says are set from it.

        >>> import wari
        >>> game = wari.Game("abapa"); game.push_all("Ff")
        >>> wari.ogn.Record.from_game(game, {"South": "Ana"}).tags["Variant"]
        'Oware Abapa'

        Raises InvalidValueError for what is no game, and for tags that are no texts by name.
        """
        if not isinstance(game, Game):
            raise InvalidValueError(f"game: expected a Game, not {shown(game)}", "game")
        return cls.of(game._core, game.rules, game.start, tags)

    def game(self) -> Game:
        """The game of the main line, with the ending that the players made.

        >>> from wari import ogn
        >>> ogn.loads("1. F f 2. B *")[0].game().moves
        ('F', 'f', 'B')

        Raises IllegalMoveError if the line was changed to one that the rules refuse.
        """
        game = Game(self.rules, self.start)
        self.play_on(game._core)
        return game

    def lines(self) -> Iterator[Line]:
        """The main line and every variation, each before the variations inside it.

        >>> from wari import ogn
        >>> [line.letters for line in ogn.first("1. F (1. E e (1... d)) f *").lines()]
        ['Ff', 'Ee', 'd']
        """
        waiting = [self.line]
        while waiting:
            line = waiting.pop()
            yield line
            inner = [variation for move in line.moves for variation in move.variations]
            waiting.extend(reversed(inner))
