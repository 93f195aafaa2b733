// Random histories of two runs, their background commands, scripts and a user in one folder, and their restores.
import { relative } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  run_id,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import { everyKind, foldersLost, play, steps } from '../../test/support/checkpoint/test-histories.ts'
import { expectedTree, type PathVerdict, unexpected, verdictsOf } from '../../test/support/checkpoint/test-history-model.ts'
import { assertWithSeeds, keptSeeds } from '../../test/support/checkpoint/test-seeds.ts'
import { createTree, entry, failureOf, same, statesOf } from '../../test/support/checkpoint/test-trees.ts'

const choice = fc.record({
  on_conflict: fc.constantFrom('keep' as const, 'overwrite' as const),
  background: fc.constantFrom('none' as const, 'all' as const),
})

/** `judged`: the kinds of verdicts that occurred. */
function restores(judged: Set<string>) {
  return fc.asyncProperty(fc.array(entry, { maxLength: 5 }), steps, choice, fc.nat(), async (entries, given, chosen, nth) => {
    const bench = openCheckpointTest()
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(bench.close)
    const { checkpoints, work } = bench
    for (const one of entries) createTree(work, one)
    const played = await play(bench, given)
    cleanup.defer(played.close)
    const call = played.calls[nth % played.calls.length]
    if (!call) return
    if (chosen.background === 'all') await played.endBackground()
    const verdicts = verdictsOf(played.history, run_id, call.span)
    for (const { owner, group } of verdicts.values()) judged.add(owner).add(group === true ? 'group' : 'calls')
    const now = statesOf(work)
    const before = manifestOf(work)

    const listed = await previewed(bench, call.checkpoint_id)
    expect(wrongEntries(verdicts, listed)).toEqual([])
    const restore = (on_conflict: 'stop' | 'keep' | 'overwrite') =>
      checkpoints.restore(call.checkpoint_id, on_conflict, cursorAt(9, work), undefined, chosen.background)
    const asked = [...listed.calls.values(), ...(chosen.background === 'all' ? listed.group.values() : [])]
    if (asked.includes('conflict')) {
      expect([(await restore('stop')).outcome, difference(before, manifestOf(work))]).toEqual(['failed', same])
    }
    const restored = await restore(chosen.on_conflict)
    expect(failureOf(restored)).toBe(null)
    if (restored.outcome !== 'restored') return
    expect(unexpected(expectedTree(now, verdicts, chosen), statesOf(work))).toEqual([])
    if (chosen.background === 'none') expect(restored.background).toEqual({ restored: 0, left: listed.group.size })

    const undone = await checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(10, work))
    expect([failureOf(undone), difference(before, manifestOf(work))]).toEqual([null, same])
  })
}

test('restores what the run owns, keeps what others own, and asks about the rest', async () => {
  const judged = new Set<string>()
  await assertWithSeeds(restores(judged), keptSeeds.histories, {
    numRuns: Number(process.env.MODEL_RUNS ?? 10),
    examples: [
      [[], everyKind, { on_conflict: 'keep', background: 'none' }, 0],
      [[], foldersLost, { on_conflict: 'overwrite', background: 'none' }, 0],
    ],
  })
  expect(['calls', 'conflict', 'group', 'ours', 'theirs'].filter((kind) => !judged.has(kind))).toEqual([])
})

interface Listed {
  readonly calls: ReadonlyMap<string, string>
  readonly group: ReadonlyMap<string, string>
}

async function previewed({ checkpoints, work }: CheckpointTestEnvironment, checkpoint_id: string): Promise<Listed> {
  const listed = async (group: 'calls' | 'background') => {
    const seen = await checkpoints.preview(checkpoint_id, { group, limit: 500 })
    if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
    return new Map(seen.entries.items.map(({ path, change }) => [relative(work, path), change]))
  }
  return { calls: await listed('calls'), group: await listed('background') }
}

/** Files for which the preview and the model differ; folders follow from their content. */
function wrongEntries(verdicts: ReadonlyMap<string, PathVerdict>, { calls, group }: Listed): string[] {
  return [...new Set([...verdicts.keys(), ...calls.keys(), ...group.keys()])].flatMap((path) => {
    const verdict = verdicts.get(path)
    const shown = calls.get(path) ?? group.get(path) ?? 'nothing'
    if (!verdict) return shown === 'nothing' ? [] : [`${path}: never written, shown as ${shown}`]
    const { owner, target, now } = verdict
    if ([target, now].some((state) => state.startsWith('d')) || owner === 'unclear' || verdict.group === 'maybe') return []
    const wanted = owner === 'theirs' || target === now ? 'nothing' : owner === 'conflict' ? 'conflict' : 'a change'
    const isGroup = wanted !== 'nothing' && verdict.group === true
    const found = ['created', 'changed', 'deleted', 'unrecoverable'].includes(shown) ? 'a change' : shown
    return found === wanted && isGroup === group.has(path)
      ? []
      : [`${path}: expected ${wanted}${isGroup ? ' in the group' : ''}, shown as ${shown}${group.has(path) ? ' in the group' : ''}`]
  })
}
