//! Archive bytes to raw games: containers, encodings, dialects.
