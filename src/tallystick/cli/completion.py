"""`tally completion`: the lines a shell reads to complete names and options; they ask tally itself what can stand there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import typer

__all__ = ["SCRIPTS", "app", "completion"]

app: Final = typer.Typer()

_BASH: Final = r"""# Completion of tally in bash. In ~/.bashrc: eval "$(tally completion bash)"
_tally() {
    local answer besides
    COMPREPLY=()
    answer=$("${COMP_WORDS[0]/#\~/$HOME}" __complete line "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null) || return
    besides=${answer%%$'\n'*}
    if [[ $answer == *$'\n'* ]]; then
        local IFS=$'\n' line
        for line in ${answer#*$'\n'}; do
            COMPREPLY+=("${line%%$'\t'*}")
        done
    fi
    local current=${COMP_WORDS[COMP_CWORD]}
    case $besides in
        files) compopt -o filenames; _tally_add -f -- "$current" ;;
        folders) compopt -o filenames; _tally_add -d -- "$current" ;;
        commands) _tally_add -c -- "$current" ;;
    esac
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=] ]]; then
        compopt -o nospace
    fi
}
_tally_add() {
    local IFS=$'\n' each
    while read -r each; do
        COMPREPLY+=("$each")
    done < <(compgen "$@")
}
complete -F _tally tally
"""
_ZSH: Final = r"""#compdef tally
# Completion of tally in zsh. In ~/.zshrc, after compinit: eval "$(tally completion zsh)"
_tally() {
    local answer besides line
    local -a lines described
    answer=$(${(Q)words[1]/#\~/$HOME} __complete words "${(@Q)words[2,CURRENT]}" 2>/dev/null) || return 1
    lines=("${(@f)answer}")
    besides=$lines[1]
    for line in "${(@)lines[2,-1]}"; do
        line=${line//:/\\:}
        described+=("${line/$'\t'/:}")
    done
    (( $#described )) && _describe -t words 'tally' described
    case $besides in
        files) _files ;;
        folders) _files -/ ;;
        commands) _command_names -e ;;
    esac
}
compdef _tally tally
"""
_FISH: Final = r"""# Completion of tally in fish. In ~/.config/fish/config.fish: tally completion fish | source
function __tally_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($typed[1] __complete words $typed[2..-1] "$current" 2>/dev/null)
    or return
    printf '%s\n' $answer[2..-1]
    switch "$answer[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case commands
            __fish_complete_command
    end
end
complete -c tally -f -a '(__tally_complete)'
"""

SCRIPTS: Final[Mapping[str, str]] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@app.command()
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="The shell that is to complete.", metavar="SHELL")],
) -> None:
    """Print what your shell reads to complete tally's words.

    SHELL is bash, zsh or fish. In ~/.bashrc: eval "$(tally completion bash)".
    It completes commands and options, and the names of suites, tasks, agents
    and keys that are there when you press TAB.
    """
    typer.echo(SCRIPTS[shell], nl=False)
