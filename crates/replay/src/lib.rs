//! Raw games to replayed games: the count ledger and the findings of one game.
