/**
 * What a shell is to read so that it completes `holdfast`. Each asks `holdfast completion words`, which prints a line for
 * each value, with a tab and its text behind it, or `:files`, `:folders` or `:commands` for what the shell completes itself.
 */
export const shellScripts = {
  // Bash cuts words at @, = and :, and replaces only what stands behind, but an @ with it. The Bash of macOS has no compopt.
  bash: `_holdfast() {
  local line=\${COMP_LINE:0:COMP_POINT} word=\${COMP_WORDS[COMP_CWORD]} kept value text
  local -a words
  IFS=$' \\t' read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  kept=\${words[\${#words[@]} - 1]}
  kept=\${kept%"$word"}
  kept=\${kept%@}
  COMPREPLY=()
  while IFS=$'\\t' read -r value text; do
    case $value in
      :files) _holdfast_own -f "$word" ;;
      :folders) _holdfast_own -d "$word" ;;
      :commands) _holdfast_own -c "$word" ;;
      *) printf -v value %q "$value"; COMPREPLY+=("\${value#"$kept"}") ;;
    esac
  done < <(holdfast completion words -- "\${words[@]:1}" 2> /dev/null)
}
_holdfast_own() {
  local value
  while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "$1" -- "$2")
  [[ $1 == -c ]] || compopt -o filenames 2> /dev/null
}
complete -o nosort -F _holdfast holdfast 2> /dev/null || complete -F _holdfast holdfast
`,
  // It also works as the file _holdfast in a folder of $fpath.
  zsh: `#compdef holdfast
_holdfast() {
  local line value
  local -a described
  for line in "\${(@f)$(holdfast completion words -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    case $line in
      "") ;;
      :files) _files ;;
      :folders) _files -/ ;;
      :commands) _command_names -e ;;
      *) value=\${line%%$'\\t'*}; described+=("\${value//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#described )) && _describe -V holdfast described
}
if [[ $funcstack[1] == _holdfast ]]; then
  _holdfast "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _holdfast holdfast
fi
`,
  fish: `function __holdfast_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in (holdfast completion words -- $words[2..-1] "$word" 2> /dev/null)
    switch $line
      case :files
        __fish_complete_path "$word"
      case :folders
        __fish_complete_directories "$word"
      case :commands
        __fish_complete_command
      case '*'
        echo $line
    end
  end
end
complete -c holdfast -f -k -a '(__holdfast_complete)'
`,
} as const;
