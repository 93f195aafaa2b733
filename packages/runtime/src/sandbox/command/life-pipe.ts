// A command runs only if the runtime is alive when it begins. A sandbox ends with the runtime only after it has started, and that takes a
// while: a command whose runtime was killed meanwhile would run unnoticed, perhaps at the same time as the next runtime.

/** The descriptor of a pipe whose other end the runtime holds. Nothing is ever written to it: it becomes readable when the runtime ends. */
export const lifePipe = 3

/** The exit code of a command that did not begin because its runtime is gone. */
export const orphaned = 125

/** The command, with this check as the last thing before it. The command itself does not get the pipe. `before` is shell text to run first. */
export function unlessOrphaned(argv: readonly string[], before = ''): readonly string[] {
  const check = `${before}read -t 0 -u ${lifePipe} && exit ${orphaned}; exec "$@" ${lifePipe}<&-`
  return ['bash', '--norc', '--noprofile', '-c', check, 'tandem', ...argv]
}
