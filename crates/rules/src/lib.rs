//! Positions, legal moves, rule sets as data, counts, endings and perft of makruk and ouk chatrang.
