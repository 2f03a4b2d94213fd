"""From a question to ranked facts: pure scoring, the search over the store, the display."""
