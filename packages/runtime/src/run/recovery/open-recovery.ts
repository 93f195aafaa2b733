// Assembles the recovery points of runs.
import type { Approvals } from '../../approval/approvals.ts'
import { openBackgroundPoints } from '../../checkpoint/background-points.ts'
import { type Checkpoints, openCheckpoints } from '../../checkpoint/checkpoints.ts'
import { quotaOf } from '../../checkpoint/quota.ts'
import { threadEngine } from '../../checkpoint/thread.ts'
import type { FeatureContext } from '../../feature/feature-context.ts'
import type { ToolRegistry } from '../../pipeline/registry.ts'
import { startTimeOf } from '../../sandbox/command/process-tree.ts'
import { openRunCheckpoints } from './checkpointing.ts'
import { openClosedPoints } from './closed-points.ts'
import { openDeletedPoints } from './deleted-points.ts'
import { finishRestores } from './finish-restores.ts'

const minute_ms = 60_000

export interface RecoveryNeeds {
  readonly approvals: Approvals
  readonly registry: ToolRegistry
  processOf: Parameters<typeof openRunCheckpoints>[0]['processOf']
  /** Undoes what was interrupted and is not a restore, before restores are finished. */
  before(): Promise<void>
  isRestricted: Parameters<typeof openRunCheckpoints>[0]['isRestricted']
}

export interface Recovery {
  readonly checkpoints: Checkpoints
  readonly points: ReturnType<typeof openRunCheckpoints>
  /** An interrupted restore is finished or undone before any run continues. Returns the same promise each time. */
  ready(): Promise<void>
  /** Ends the background commands that the calls of these checkpoints started. */
  endBackground(checkpoint_ids: readonly string[]): Promise<void>
  /** For a process that ends before its first round: otherwise a process that only executes single commands would never delete anything. */
  retainBeforeEnd(): Promise<void>
  /** Called when the background commands have ended. */
  stop(): Promise<void>
}

export function openRecovery(ground: FeatureContext, { approvals, registry, processOf, isRestricted, before }: RecoveryNeeds): Recovery {
  const { home, environment, clock, store, journal, events, scheduler, log } = ground
  const deleted = openDeletedPoints({ journal, events })
  const checkpoints = openCheckpoints({ store, engine: threadEngine({ home }), quota_bytes: quotaOf(environment), deleted })
  const background = openBackgroundPoints({ checkpoints, clock, startOf: startTimeOf, ...openClosedPoints({ journal, events, log }) })
  let finished: Promise<void> | null = null
  let hasRetained = false

  function ready(): Promise<void> {
    finished ??= before()
      .then(() => finishRestores({ store, journal, events, approvals, registry, checkpoints, log }))
      .then(background.resume)
    return finished
  }

  async function retain(): Promise<void> {
    await ready()
    hasRetained = true
    await checkpoints.retain()
  }

  scheduler.add({ name: 'retain_checkpoints', every_ms: 60 * minute_ms, first_ms: minute_ms / 6, run: retain })
  return {
    checkpoints,
    points: openRunCheckpoints({ checkpoints, approvals, journal, background, processOf, isRestricted, log }),
    ready,
    endBackground: background.end,
    async retainBeforeEnd() {
      if (hasRetained || !checkpoints.isRetentionDue()) return
      await retain().catch((error: unknown) => log(`old recovery points could not be deleted: ${String(error)}`))
    },
    async stop() {
      await background.stop()
      await checkpoints.close()
    },
  }
}
