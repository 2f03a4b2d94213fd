"""What a text is to mnemo: its normal form, its tokens, its sentences; values in, values out."""
