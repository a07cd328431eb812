"""Which other tables look the same to a seat? What GB-562 and GB-563 hide from it is drawn anew."""

from __future__ import annotations

from msgspec.structs import replace

from services.goldblivion.state import SIDES, Board, Space, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """Another table that looks the same to this seat: decks, piles, tiles, tokens, and the hands of others."""
    seen = len(state.pile) - state.buried
    left, right = state.armies
    under = dice.shuffled(sorted(left[1:] + right[1:]))
    cut = max(len(left) - 1, 0)
    spaces, unused = _other_map(state, dice)
    boards, bank = _other_tokens(state, seat, dice)
    return replace(
        state,
        pile=dice.shuffled(sorted(state.pile[:seen])) + state.pile[seen:],
        armies=(left[:1] + under[:cut], right[:1] + under[cut:]),
        spaces=spaces,
        unused=unused,
        bank=bank,
        boards=tuple(_other_board(board, owner == seat, dice) for owner, board in enumerate(boards)),
    )


def _other_map(state: State, dice: Dice) -> tuple[tuple[Space, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
    """GB-563 Other tiles face down, those in the box included; each kind for itself, since the backs differ."""
    hidden = {"forest": list(state.unused[0]), "mountain": list(state.unused[1])}
    for space in state.spaces:
        hidden[space.kind] += space.tiles[space.up :]
    drawn = {kind: list(dice.shuffled(sorted(tiles))) for kind, tiles in hidden.items()}
    spaces = tuple(
        replace(space, tiles=space.tiles[: space.up] + tuple(drawn[space.kind].pop() for _ in space.tiles[space.up :]))
        for space in state.spaces
    )
    return spaces, (tuple(sorted(drawn["forest"])), tuple(sorted(drawn["mountain"])))


def _other_tokens(state: State, seat: Seat | None, dice: Dice) -> tuple[tuple[Board, ...], tuple[str, ...]]:
    """GB-316, GB-563 Other tokens in the bank and with the other seats."""
    hidden = [*state.bank, *(token for owner, board in enumerate(state.boards) if owner != seat for token in board.tokens)]
    drawn = list(dice.shuffled(sorted(hidden)))
    boards = []
    for owner, board in enumerate(state.boards):
        if owner != seat and board.tokens:
            board = replace(board, tokens=tuple(sorted(drawn.pop() for _ in board.tokens)))  # noqa: PLW2901 - the same board
        boards.append(board)
    return tuple(boards), tuple(drawn)


def _other_board(board: Board, own: bool, dice: Dice) -> Board:  # noqa: FBT001 - one of two kinds of boards
    """GB-562, GB-564 Another order of the decks; of others also another hand and other Production cards."""
    army = dice.shuffled(sorted(board.army))
    if own:
        return replace(board, army=army, deck=dice.shuffled(sorted(board.deck)))
    drawn = dice.shuffled(sorted(board.deck + board.hand + board.left + board.right))
    hand, rest = drawn[: len(board.hand)], drawn[len(board.hand) :]
    left, rest = rest[: len(board.left)], rest[len(board.left) :]
    right, deck = rest[: len(board.right)], rest[len(board.right) :]
    placing = dice.pick(hand) if board.placing else ""
    side = dice.pick(SIDES) if board.placing else board.side
    hand = tuple(sorted(hand))
    return replace(board, army=army, hand=hand, left=left, right=right, deck=deck, placing=placing, side=side)
