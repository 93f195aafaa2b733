// The environment of a command: a list of allowed variables, never a list of forbidden ones, so an unexpected secret is not passed on.
import { createHash } from 'node:crypto'
import type { CallScope } from '../../call/scope.ts'

/**
 * Copied from the runtime. HOME is the real one: git, npm, cargo and compilers have their settings and toolchains there, and with an empty
 * HOME most builds fail. The sandbox makes it read-only; the mode and the scope hide the secrets in it.
 */
const taken = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SystemRoot', 'ComSpec', 'PATHEXT'] as const

/** The variable that marks a process as part of a call, even after it has forked. */
export const callMark = 'TANDEM_CALL'

export function cleanEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  scope: Pick<CallScope, 'temp' | 'ids'>,
  mark: string,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = Object.fromEntries(taken.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]])))
  return {
    LANG: 'C.UTF-8',
    ...kept,
    TERM: 'dumb',
    TMPDIR: scope.temp,
    TANDEM_RUN: scope.ids.run_id,
    // Bash reads ~/.bashrc if its stdin is a socket and it is the first shell, as if it were started over the network.
    SHLVL: '1',
    ...added,
    [callMark]: mark,
  }
}

/** An approval is valid for the environment in which it was given, for any of its calls. */
export function environmentHash(host: Readonly<Record<string, string | undefined>>): string {
  const anyCall = { temp: '', ids: { agent_id: '', conversation_id: '', run_id: '', call_id: '' } }
  return createHash('sha256')
    .update(JSON.stringify(cleanEnvironment(host, anyCall, '')))
    .digest('hex')
}
