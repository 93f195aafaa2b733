// Preloaded into every thread of a runtime under test (node --import): records the crash points it reaches, or kills the process at one.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What to do at a crash point. */
export type CrashPlan =
  /** Only records the points that are reached. */
  | { readonly kill: 'never'; readonly file: string }
  /** Kills at the first point that is not in the file yet, and adds it; of all points, or of these. */
  | { readonly kill: 'each_point_once'; readonly file: string; readonly among?: readonly string[] }
  /** Kills at the n-th point that a thread reaches; of all points, or of these. */
  | { readonly kill: 'at'; readonly n: number; readonly among?: readonly string[] }

const plan = JSON.parse(process.env.TANDEM_TEST_CRASH_PLAN ?? 'null') as CrashPlan | null
let reached = 0

if (plan) globalThis.tandemCrashpoint = reach

function reach(name: string): void {
  if (plan?.kill === 'at' && !(plan.among?.includes(name) ?? true)) return
  reached += 1
  if (plan?.kill === 'never') appendFileSync(plan.file, `${name}\n`)
  if (plan?.kill === 'at' && reached === plan.n) die()
  if (plan?.kill === 'each_point_once' && (plan.among?.includes(name) ?? true) && !linesOf(plan.file).includes(name)) {
    appendFileSync(plan.file, `${name}\n`)
    die()
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment to end this thread: nothing more may happen in it.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
