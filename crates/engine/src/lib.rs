//! The built-in search and UCI engines as child processes behind one trait.
