// The environment of a command: a list of what goes in, never a list of what stays out. A secret nobody thought of is not on it.
import { createHash } from 'node:crypto'
import type { CallScope } from '../../call/scope.ts'

/**
 * Taken over from the runtime. HOME is the real one: git, npm, cargo and compilers keep their settings and toolchains there, and with an
 * empty HOME most builds fail. The sandbox lets it be read only; what is secret in it is for the mode and the scope to hide.
 */
const taken = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SystemRoot', 'ComSpec', 'PATHEXT'] as const

/** The name of the variable by which a process is known as part of a call, wherever it has forked to. */
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
    // Bash reads ~/.bashrc when its stdin is a socket and it believes to be the first shell, as if it came over the network.
    SHLVL: '1',
    ...added,
    [callMark]: mark,
  }
}

/** An approval holds for the environment it was given in, whichever call of it comes. */
export function environmentHash(host: Readonly<Record<string, string | undefined>>): string {
  const anyCall = { temp: '', ids: { agent_id: '', conversation_id: '', run_id: '', call_id: '' } }
  return createHash('sha256')
    .update(JSON.stringify(cleanEnvironment(host, anyCall, '')))
    .digest('hex')
}
