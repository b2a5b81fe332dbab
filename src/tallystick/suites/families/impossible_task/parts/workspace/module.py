"""Functions for @{what}; see REQUIREMENTS.md."""


@{stubs}
