// If not everything can be saved: what the preview promises is restored, and nothing else changes. Checked with `find` and `sha256sum`.
import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import type { RestorePreviewEntry } from '@tandem/contract/checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  type CheckpointTestOptions,
  cursorAt,
  openCheckpointTest,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import type { TreeStates } from '../../test/support/checkpoint/test-history-model.ts'
import { assertWithSeeds, keptSeeds } from '../../test/support/checkpoint/test-seeds.ts'
import { commands, createTree, entry, failureOf, statesOf } from '../../test/support/checkpoint/test-trees.ts'

interface Kind {
  readonly kind: 'manifest_snapshot' | 'inventory_snapshot'
  readonly options: CheckpointTestOptions
  /** Makes the tree as large as the kind requires. */
  readonly ballast: string
  readonly runs: number
}

const kinds: readonly Kind[] = [
  {
    kind: 'manifest_snapshot',
    options: {},
    ballast: 'truncate -s 65M huge; mkdir -p many && cd many && seq 60 | split -l 1 -a 4 -',
    runs: 3,
  },
  {
    kind: 'inventory_snapshot',
    options: { budget: { files: 40, ms: 60_000 } },
    ballast: 'head -c 2000000 /dev/urandom > film; mkdir -p deep/er && cd deep/er && seq 60 | split -l 1 -a 4 -',
    runs: 6,
  },
]

/** They name what an inventory saves besides the direct children. */
const naming = ['rm -rf deep/er', 'echo new > deep/er/xaaaa', 'mv deep moved', 'sed -i s/1/2/ many/xaaaa deep/er/xaaab', 'rm -f many/*']

/** There is no repository here. */
const destructive = [...commands.filter((command) => !command.startsWith('git')), ...naming]

test.each(kinds)('what the preview promises is restored, and nothing else changes: $kind', async (given) => {
  let promised = 0
  await assertWithSeeds(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 12 }),
      fc.array(fc.constantFrom(...destructive), { minLength: 1, maxLength: 2 }),
      async (entries, chosen) => {
        const bench = openCheckpointTest(given.options)
        try {
          const { checkpoints, work } = bench
          bash(given.ballast, work)
          for (const one of entries) createTree(work, one)
          const before = statesOf(work)
          const ids: string[] = []
          for (const command of chosen) {
            mkdirSync(work, { recursive: true })
            ids.push(await bench.shell(command))
          }
          const first = String(ids[0])
          expect(checkpoints.get(first)?.restore_kind).toBe(given.kind)
          const after = statesOf(work)
          const preview = await previewOf(bench, first)
          promised += [...preview.values()].filter(isPromise).length
          // What a later command did where its own inventory did not look may be the work of others: that is a conflict, not undone.
          const contested = [...preview].filter(([, change]) => change === 'conflict')
          if (given.kind === 'manifest_snapshot' || chosen.length === 1) expect(contested).toEqual([])

          const restored = await checkpoints.restore(first, 'keep', cursorAt(9, work))
          expect(failureOf(restored)).toBe(null)
          expect(broken(before, after, statesOf(work), preview)).toEqual([])
          if (restored.outcome !== 'restored') return
          const undone = await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
          expect([failureOf(undone), broken(after, after, statesOf(work), new Map())]).toEqual([null, []])
        } finally {
          await bench.close()
        }
      },
    ),
    keptSeeds[given.kind],
    {
      numRuns: Number(process.env.MODEL_RUNS ?? given.runs),
      examples: [[[], ['echo new > deep/er/xaaaa', 'rm -rf ./* ./.[!.]*']]],
    },
  )
  expect(promised).toBeGreaterThan(0)
})

function isPromise(change: RestorePreviewEntry['change']): boolean {
  return change !== 'unrecoverable' && change !== 'conflict'
}

/** Paths that were not restored although that was promised, or changed although it was not. */
function broken(before: TreeStates, after: TreeStates, now: TreeStates, preview: ReadonlyMap<string, RestorePreviewEntry['change']>) {
  const paths = new Set([...before.keys(), ...after.keys(), ...now.keys(), ...preview.keys()])
  return [...paths].flatMap((path) => {
    const change = preview.get(path)
    const expected = (change && isPromise(change) ? before : after).get(path)
    return now.get(path) === expected ? [] : [{ path, change, before: before.get(path), after: after.get(path), now: now.get(path) }]
  })
}

async function previewOf({ checkpoints, work }: CheckpointTestEnvironment, checkpoint_id: string) {
  const changes = new Map<string, RestorePreviewEntry['change']>()
  let cursor: string | null | undefined
  while (cursor !== null) {
    const seen = await checkpoints.preview(checkpoint_id, { limit: 500, ...(cursor === undefined ? {} : { cursor }) })
    if (seen.outcome !== 'previewed') throw new Error(seen.failure_contract.details.message)
    for (const { path, change } of seen.entries.items) changes.set(relative(work, path), change)
    cursor = seen.entries.next_cursor
  }
  return changes
}
