"""May these result files be merged? Checked by themselves, and against the branch they go to."""
