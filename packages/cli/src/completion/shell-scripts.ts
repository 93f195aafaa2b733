// The scripts of the shells. They contain only names from the tables of this program, which need no quoting but that of summaries.

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly actions: readonly string[]
  /** With their dashes. */
  readonly options: readonly string[]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function bashScript(all: readonly CompletedCommand[]): string {
  const cases = all.map(
    ({ name, actions, options }) => `    ${name}) actions="${actions.join(' ')}"; options="${options.join(' ')} --help" ;;`,
  )
  return `_tandem() {
  local current="\${COMP_WORDS[COMP_CWORD]}" actions="" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${all.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "$actions" -- "$current"))
  fi
}
complete -o default -F _tandem tandem`
}

export function zshScript(all: readonly CompletedCommand[]): string {
  const described = all.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`)
  const cases = all.map(
    ({ name, actions, options }) => `    ${name}) actions=(${actions.join(' ')}); options=(${options.join(' ')} --help) ;;`,
  )
  return `#compdef tandem
_tandem() {
  local -a commands actions options
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $options
  else
    (( CURRENT == 3 )) && compadd -- $actions
    _files
  fi
}
compdef _tandem tandem`
}

export function fishScript(all: readonly CompletedCommand[]): string {
  const lines = all.flatMap(({ name, summary, actions, options }) => [
    `complete -c tandem -n '__tandem_words 1' -f -a ${name} -d ${quoted(summary)}`,
    ...(actions.length > 0 ? [`complete -c tandem -n '__tandem_words 2 ${name}' -a '${actions.join(' ')}'`] : []),
    ...[...options, '--help'].map((option) => `complete -c tandem -n '__tandem_command ${name}' -l ${option.replace(/^--/, '')}`),
  ])
  return `function __tandem_command
  set -l words (commandline -opc)
  test "$words[2]" = $argv[1]
end
function __tandem_words
  set -l words (commandline -opc)
  test (count $words) -eq $argv[1]; and test "$words[2]" = "$argv[2]"
end
${lines.join('\n')}`
}
