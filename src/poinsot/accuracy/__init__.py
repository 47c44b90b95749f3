"""Runs to an accuracy, which choose formulation, method and steps, estimate the error of their result and check it against what was asked for.

    choice        which runs are tried, in which order, and the words that the audit has about it
    refinement    finer and finer runs until two in a row agree
    agreement     how far two runs differ
    inspection    whether the steps of an explicit method are limited by stability
    variants      a prepared system with other settings
    estimate      the error of a run whose steps were given
"""
