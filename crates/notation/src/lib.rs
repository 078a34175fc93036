//! FEN, UCI and SAN of every dialect to and from rules types.
