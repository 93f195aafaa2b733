// Random trees, random destructive commands in a real shell, and a restore of the whole tree, checked with `find`, `stat` and `sha256sum`.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bash, cursorAt, difference, manifestOf, openCheckpointTest } from '../../test/support/checkpoint/test-checkpoints.ts'
import { assertWithSeeds, keptSeeds } from '../../test/support/checkpoint/test-seeds.ts'
import { commands, createTree, entry, failureOf, observedTree, repositories, same } from '../../test/support/checkpoint/test-trees.ts'

test.each(Object.keys(repositories) as (keyof typeof repositories)[])(
  'any tree is restored after any command, and the restore can be undone: %s',
  { timeout: 120_000 },
  async (repository) => {
    await assertWithSeeds(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 20 }),
        fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 3 }),
        async (entries, chosen) => {
          const bench = openCheckpointTest()
          try {
            const { checkpoints, work } = bench
            for (const one of entries) createTree(work, one)
            bash(repositories[repository], work)
            const before = manifestOf(work)
            const ids: string[] = []
            for (const command of chosen) {
              mkdirSync(work, { recursive: true })
              ids.push(await bench.shell(command))
            }
            const after = observedTree(work)
            const first = String(ids[0])
            const restored = await checkpoints.restore(first, 'stop', cursorAt(9, work))
            expect([failureOf(restored), difference(before, observedTree(work))]).toEqual([null, same])
            if (restored.outcome !== 'restored') return
            const undone = await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
            expect([failureOf(undone), difference(after, observedTree(work))]).toEqual([null, same])
          } finally {
            await bench.close()
          }
        },
      ),
      keptSeeds.trees,
      { numRuns: Number(process.env.MODEL_RUNS ?? 5) },
    )
  },
)

const turn = fc.record({
  who: fc.constantFrom('run' as const, 'person' as const),
  act: fc.constantFrom('write' as const, 'remove' as const),
  path: fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a'),
})

test('whatever a run and a user do in turns, nothing that the user wrote last is lost, and a forced restore can be undone', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 2, maxLength: 8 }),
      fc.constantFrom('keep' as const, 'overwrite' as const),
      async (turns, choice) => {
        const bench = openCheckpointTest()
        try {
          const { checkpoints, work } = bench
          bash('mkdir -p d/e; echo original > a; echo original > d/a', work)
          const persons = new Map<string, string>()
          const first = await bench.shell('true')
          for (const [no, { who, act, path }] of turns.entries()) {
            const command = act === 'write' ? `mkdir -p "$(dirname ${path})"; echo ${who}-${no} > ${path}` : `rm -f ${path}`
            persons.delete(path)
            if (who === 'run') await bench.shell(command)
            else bash(command, work)
            if (who === 'person' && act === 'write') persons.set(path, `person-${no}\n`)
          }
          const before = manifestOf(work)
          const restored = await checkpoints.restore(first, choice, cursorAt(9, work))
          expect(failureOf(restored)).toBe(null)
          if (choice === 'keep') {
            const lost = [...persons].filter(
              ([path, text]) => !existsSync(join(work, path)) || readFileSync(join(work, path), 'utf8') !== text,
            )
            expect(lost).toEqual([])
          }
          if (restored.outcome !== 'restored') return
          await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
          expect(difference(before, manifestOf(work))).toEqual(same)
        } finally {
          await bench.close()
        }
      },
    ),
    { numRuns: Number(process.env.MODEL_RUNS ?? 10), endOnFailure: true },
  )
})
