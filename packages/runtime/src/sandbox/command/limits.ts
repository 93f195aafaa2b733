// What one command may use up. Generous for a build, small enough that a bomb stays a nuisance.
import { quoted } from './quoted.ts'

const MiB = 1024 * 1024

export const limits = {
  /** Of one process, in seconds; wall-clock time is the call's own limit. */
  cpu_seconds: 3_600,
  /** Writable memory of one process. Address space is not limited: V8 and Go reserve far more of it than they use. */
  memory_bytes: 4_096 * MiB,
  /** Of the whole tree, where a control group can be made. */
  tree_memory_bytes: 6_144 * MiB,
  tree_processes: 512,
  /** Without a control group: counted by the kernel per user, over everything the user runs, hence so high. Does not bind root. */
  user_processes: 8_192,
  /** The largest file it may write. */
  file_bytes: 4_096 * MiB,
  /** Past this a command only makes noise, and is ended. */
  output_bytes: 1_024 * MiB,
  /** Between asking a tree to end and ending it. */
  grace_ms: 2_000,
} as const

/**
 * Shell text that joins the control groups, takes the limits on and becomes the command in "$@". A limit that the system does not have,
 * or that is already lower, is left as it is.
 */
export function underLimits(groups: readonly string[]): string {
  const join = groups.map((file) => `echo $$ > ${quoted(file)} || exit 126`)
  const take = [
    `ulimit -c 0`,
    `ulimit -t ${limits.cpu_seconds}`,
    `ulimit -d ${limits.memory_bytes / 1024}`,
    `ulimit -f ${limits.file_bytes / 1024}`,
    `ulimit -u ${limits.user_processes}`,
  ].map((line) => `${line} 2>/dev/null`)
  return [...join, ...take, 'exec "$@"'].join('\n')
}
