"""Many runs: a dataset of what result files say, and questions to it.

It reads facts and knows no format.
"""
