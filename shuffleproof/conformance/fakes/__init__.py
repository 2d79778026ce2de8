"""Deliberately bad harnesses: each must be judged rightly, or the judge is wrong.

Every one is a complete program over the harness protocol in the standard library alone: `python -m shuffleproof.conformance.fakes.unsound`.
Those of unsound.py, loose.py and broken.py know the truth for delta of the clones pair at n <= 40 and rational e^epsilon, by enumeration
(enumeration.py), and part from it in one way each; planted.py has a bug in one operation of an implementation of all of them.
"""
