"""Do the tests notice when something breaks? One thing is broken at a time, on purpose."""
