"""The planning experiments of 2009, repeated: published figures beside ours."""
