"""The words of the full screen: keys, title, lists of moves and hints."""

from wari import Game
from wari.cli.board import Line, Span, side_name
from wari.cli.game_session import HINT_SECONDS, GameSession
from wari.cli.language import mark, tr
from wari.cli.words import HEADS, score_words, value_text
from wari.engine import Analysis

LEAST_LINES = 7
TURN_WIDTH = 13  # a pair of moves with its number
AT_THE_END = ("review", "new", "undo", "save", "position", "help", "quit")
OF_PLAY = ("hint", "agree", "resign", "pause")  # of no use when the game is over
# What a key does: the name of the command, words for the line of keys, words for the help.
KEYS = {
    "h": ("hint", mark("hint"), mark("the value and the line of every move")),
    "u": ("undo", mark("undo"), mark("take your last move back, and what followed it")),
    "s": ("save", mark("save"), mark("write the game to a file: JSON, or OGN for .ogn")),
    "l": ("load", mark("load"), mark("go on with a saved game")),
    "n": ("new", mark("new"), mark("a new game: players, level, clock, rules; or other players")),
    "p": ("position", mark("position"), mark("the position editor: start from any position")),
    "t": ("turn", "", mark("turn the board round")),
    "r": ("rules", "", mark("the rules of this game in words")),
    "g": ("agree", "", mark("end the game, each side taking its own row")),
    "x": ("resign", "", mark("give the game up")),
    "v": ("review", mark("review"), mark("the mistakes of the game and what was better")),
    " ": ("pause", "", mark("stop or go on, where the engine plays itself")),
    "?": ("help", mark("help"), mark("this list")),
    "q": ("quit", mark("quit"), mark("leave; so does Ctrl-C")),
}
COMMANDS = {key: name for key, (name, _, _) in KEYS.items()} | {"space": "pause"}


def keys(*, over: bool = False) -> dict[str, str]:
    """The line of keys: those that matter while the game goes on, or at its end."""
    short = {name: (key, tr(words)) for key, (name, words, _) in KEYS.items() if words}
    if over:
        return dict(short[name] for name in AT_THE_END)
    return dict(entry for name, entry in short.items() if name != "review")


def help_lines(*, over: bool = False) -> list[Line]:
    """Every key that does something now, and how to read the board."""
    rows = [
        ("a - f", tr("play the pit of that letter; so does a click on it")),
        (tr("arrows"), tr("choose a pit; Enter plays it")),
    ]
    keys = {key: long for key, (name, _, long) in KEYS.items() if not over or name not in OF_PLAY}
    rows = [] if over else rows
    rows += [(tr("space") if key == " " else key, tr(long)) for key, long in keys.items()]
    width = max(len(key) for key, _ in rows) + 2
    lines: list[Line] = [[Span(key.ljust(width), "legal"), Span(words)] for key, words in rows]
    signs = [
        tr("[A] can be played, (0) was played last."),
        tr("-3 seeds were captured there, +3 seeds were won by it."),
        tr("▶ is to move. Arrows beside the letters: the way of the seeds."),
    ]
    return [*lines, [], *([Span(sign)] for sign in signs)]


def ask_again(name: str, key: str) -> str:
    """A question before something that ends the game."""
    if name == "agree":
        return tr("End the game by agreement? {key} again to do so.", key=key)
    return tr("Give the game up? {key} again to do so.", key=key)


def thinking() -> str:
    """While a hint is looked for."""
    return tr("Thinking for {seconds} s ...", seconds=f"{HINT_SECONDS:g}")


def reviewing(done: int, total: int) -> str:
    """While a review is made."""
    return tr("Looking at every move: {done} of {total} ...", done=done, total=total)


def head(session: GameSession) -> Line:
    """The title: rules and players."""
    seats = "   ".join(f"{side_name(side)}: {session.name(side)}" for side in "SN")
    rules = tr("rules {rules}", rules=session.game.rules)
    return [Span(" wari", "name"), Span(f"   {seats}   {rules}")]


def moves(game: Game, lines: int, width: int) -> list[Line]:
    """The last moves in columns of pairs below a heading, on a third of the width."""
    played = ["", *game.moves] if game.start.side == "N" else list(game.moves)
    pairs = [played[i : i + 2] for i in range(0, len(played), 2)]
    texts = [
        f"{number:>3}. {' '.join(move.ljust(2) for move in pair)}".ljust(TURN_WIDTH)
        for number, pair in enumerate(pairs, 1)
    ]
    columns, high = max(2, width * 7 // 20 // TURN_WIDTH), max(1, lines - 1)
    shown = texts[-columns * high :]
    rows = ["".join(shown[row::high]) for row in range(high)]
    head = tr("Moves").ljust(columns * TURN_WIDTH)
    return [[Span(head, "head")], *([Span(row)] for row in rows)]


def values(analysis: Analysis) -> dict[str, str]:
    """The value of every move, short enough for the board."""
    shown = {line.move: f"{line.score.value:+.1f}" for line in analysis.lines}
    return {move: "0.0" if text in ("+0.0", "-0.0") else text for move, text in shown.items()}


def hints(analysis: Analysis) -> list[Line]:
    """Value, kind and line of every move, best first."""
    cells = [
        [line.move, value_text(line.score.value), score_words(line.score), " ".join(line.pv)]
        for line in analysis.lines
    ]
    names = [tr(name) for name in (HEADS[0], HEADS[1], HEADS[2], HEADS[4])]
    widths = [max(len(row[i]) for row in [names, *cells]) for i in range(3)]
    lines: list[Line] = []
    for number, row in enumerate([names, *cells]):
        text = "  ".join(
            cell.rjust(width) if i == 1 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, [*widths, 0], strict=True))
        )
        lines.append([Span(text, "head" if number == 0 else "seeds" if number == 1 else "")])
    return lines


def tips(*, over: bool = False) -> list[Line]:
    """What to do, where no hint is shown."""
    heading = tr("The game is over") if over else tr("How to play")
    words = [
        tr("Type a pit's letter, or click on the pit."),
        tr("Or choose with the arrows and press Enter."),
        tr("Any key ends the sowing that is shown."),
        tr("? lists all the keys."),
    ]
    if over:
        words = [
            tr("v reviews it: mistakes, and what was better."),
            tr("n begins another game."),
            tr("u takes the last move back."),
        ]
    return [[Span(heading, "head")], *([Span(line)] for line in words)]
