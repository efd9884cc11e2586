"""The terminal game: a session that knows nothing of terminals, words, paint, and screens of textual."""
