//! Scores to win chance, accuracy, classes, openings and statistics.
