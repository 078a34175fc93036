"""The test run: `parts` brings what the tests need, `steps` are what is run, `__main__` is the command line."""
