"""The documents that a benchmark cohort is made of: their schemas, the check of a document by its schema, and typed reading.

They are foreign documents in the foreign rule (`tallystick.core.pyjson`), which keep the shapes that others gave them.
Specification: docs/spec/cohort-documents.md.
"""

__all__: list[str] = []
