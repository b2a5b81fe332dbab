"""One figure for each @{thing}; docs/@{prog}.1.txt is the manual page."""
