// Resource limits of one command: generous for a build, low enough that a fork bomb does little harm.
import { shellQuote } from './shell-quote.ts'

const MiB = 1024 * 1024

export const limits = {
  /** Per process, in seconds; wall-clock time is limited by the call. */
  cpu_seconds: 3_600,
  /** Writable memory of one process. The address space is not limited: V8 and Go reserve far more of it than they use. */
  memory_bytes: 4_096 * MiB,
  /** Of the whole tree, if a control group can be created. */
  tree_memory_bytes: 6_144 * MiB,
  tree_processes: 512,
  /** Without a control group: the kernel counts all processes of the user, so the limit is high. It does not apply to root. */
  user_processes: 8_192,
  /** The largest file it may write. */
  file_bytes: 4_096 * MiB,
  /** A command with more output than this is ended. */
  output_bytes: 1_024 * MiB,
  /** Between asking a tree to end and killing it. */
  grace_ms: 2_000,
} as const

/**
 * Shell text that joins the control groups, sets the limits and executes the command in "$@". A limit that the system does not support,
 * or that is already lower, is left unchanged.
 */
export function limitScript(groups: readonly string[]): string {
  const join = groups.map((file) => `echo $$ > ${shellQuote(file)} || exit 126`)
  const take = [
    `ulimit -c 0`,
    `ulimit -t ${limits.cpu_seconds}`,
    `ulimit -d ${limits.memory_bytes / 1024}`,
    `ulimit -f ${limits.file_bytes / 1024}`,
    `ulimit -u ${limits.user_processes}`,
  ].map((line) => `${line} 2>/dev/null`)
  return [...join, ...take, 'exec "$@"'].join('\n')
}
