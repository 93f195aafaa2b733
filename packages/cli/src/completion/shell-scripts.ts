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
    COMPREPLY=($(compgen -W "${all.map(({ name }) => name).join(' ')} help version" -- "$current"))
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
    `complete -c tandem -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(actions.length > 0 ? [`complete -c tandem -n '__fish_seen_subcommand_from ${name}' -a '${actions.join(' ')}'`] : []),
    ...[...options, '--help'].map(
      (option) => `complete -c tandem -n '__fish_seen_subcommand_from ${name}' -l ${option.replace(/^--/, '')}`,
    ),
  ])
  return lines.join('\n')
}
