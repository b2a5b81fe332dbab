"""Derives a claim again from the evidence in it, in numbered steps that code, report and specification share.

It executes nothing, opens no connection and reads no clock.
"""
