//! Figures of a commit to terminal and HTML.
