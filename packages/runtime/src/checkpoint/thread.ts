// The checkpoint thread, seen from outside.
import { openWorkerCalls, WorkCells } from '../thread/worker-calls.ts'
import type { CheckpointFunctions, Engine } from './engine.ts'
import type { Following } from './file-count.ts'
import type { WalkOptions } from './scan/walk.ts'

export interface ThreadOptions {
  readonly home: string
  /** How far a walk goes before only the direct children are looked at. */
  readonly budget?: WalkOptions['budget']
}

export function threadEngine({ home, budget }: ThreadOptions): Engine {
  const cells = new WorkCells()
  const entry = new URL('./thread-entry.js', import.meta.url)
  const calls = openWorkerCalls<CheckpointFunctions>({ entry, name: 'checkpoint', workerData: { home, budget, cells: cells.buffer } })

  function following<Name extends 'survey' | 'take' | 'settle'>(
    name: Name,
    args: Parameters<CheckpointFunctions[Name]>,
    { signal, counted }: Following = {},
  ): Promise<ReturnType<CheckpointFunctions[Name]>> {
    let cancel: () => void = () => undefined
    let unfollow: () => void = () => undefined
    const answer = calls.call(name, args as never, (id) => {
      cancel = () => cells.cancel(id)
      if (counted) unfollow = cells.follow(id, counted)
      if (signal?.aborted) cancel()
      signal?.addEventListener('abort', cancel, { once: true })
    }) as Promise<ReturnType<CheckpointFunctions[Name]>>
    return answer.finally(() => {
      signal?.removeEventListener('abort', cancel)
      unfollow()
    })
  }

  return {
    survey: (scope, previous, watched) => following('survey', [scope, previous], watched),
    take: (checkpoint_id, scope, previous, watched) => following('take', [checkpoint_id, scope, previous], watched),
    settle: (checkpoint_id, side, watched) => following('settle', [checkpoint_id, side], watched),
    changes: (...args) => calls.call('changes', args),
    saved: (...args) => calls.call('saved', args),
    preview: (...args) => calls.call('preview', args),
    changedFiles: (...args) => calls.call('changedFiles', args),
    changeDiff: (...args) => calls.call('changeDiff', args),
    undoPaths: (...args) => calls.call('undoPaths', args),
    commandsToEnd: (...args) => calls.call('commandsToEnd', args),
    stage: (...args) => calls.call('stage', args),
    whereabouts: (...args) => calls.call('whereabouts', args),
    apply: (...args) => calls.call('apply', args),
    finish: (...args) => calls.call('finish', args),
    journals: (...args) => calls.call('journals', args),
    artifacts: (...args) => calls.call('artifacts', args),
    keptChanges: (...args) => calls.call('keptChanges', args),
    sweep: (...args) => calls.call('sweep', args),
    holdings: (...args) => calls.call('holdings', args),
    usage: (...args) => calls.call('usage', args),
    removeTemps: (...args) => calls.call('removeTemps', args),
    close: calls.terminate,
  }
}
