// What this process has used, all threads together: garbage collection and compiling are part of an evaluation.
import { evaluateLimits } from './evaluate-limits.ts'
import type { FailedEvaluation } from './evaluation.ts'
import { failures } from './failures.ts'

export interface ResourceUse {
  readonly processor_ms: number
  readonly memory_mb: number
}

/** Processor time, not time: on a busy machine, an expression may take much longer. */
export function resourceUse(): ResourceUse {
  const { user, system } = process.cpuUsage()
  return { processor_ms: (user + system) / 1_000, memory_mb: process.memoryUsage.rss() / 1024 / 1024 }
}

/** The limit that was exceeded since `begun`. Memory comes first, because running out of it also takes time. */
export function exceeded(begun: ResourceUse, now: ResourceUse): FailedEvaluation | null {
  if (now.memory_mb - begun.memory_mb > evaluateLimits.memory_mb) return failures.memory
  return now.processor_ms - begun.processor_ms > evaluateLimits.processor_ms ? failures.slow : null
}
