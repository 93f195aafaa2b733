// A really full disk at every crash point: nothing is lost, nothing is left half-done, and work continues when there is space again.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Action, crashPointOccurrences } from '../../test/support/checkpoint/test-crashpoints.ts'
import { runWithMounts } from '../../test/support/checkpoint/test-mounts.ts'

interface Struck {
  readonly point: string
  readonly occurrence: number
  readonly struck: boolean
  readonly outcome: string
  readonly complaints: readonly string[]
}

const program = fileURLToPath(new URL('../../test/support/checkpoint/test-full-disk-child.ts', import.meta.url))

/** What must be reported at least once: that the disk was full; the last two must finish on a full disk. */
const told: Record<Action, readonly string[]> = {
  take: ['checkpoint_not_written', 'taken'],
  clone: ['checkpoint_not_written'],
  settle: ['checkpoint_not_written'],
  background: ['checkpoint_not_written'],
  close: ['checkpoint_not_written'],
  restore: ['checkpoint_not_written', 'restore_rolled_back', 'restored'],
  recover: ['applied'],
  retain: ['4 given up'],
}

test('too little space for a restore is reported before anything is changed', () => {
  const said = `
    import { execFileSync } from 'node:child_process'
    import { bash, cursorAt, difference, manifestOf, openCheckpointTest } from ${JSON.stringify(new URL('../../test/support/checkpoint/test-checkpoints.ts', import.meta.url).href)}
    const bench = openCheckpointTest()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', bench.work])
    bash('head -c 150000 /dev/urandom > a', bench.work)
    const id = await bench.shell('rm a')
    bash('head -c 200000 /dev/urandom > mine', bench.work)
    const after = manifestOf(bench.work)
    const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    console.log(JSON.stringify([restored.failure_contract.reason_code, difference(after, manifestOf(bench.work))]))
    execFileSync('umount', ['-l', bench.work])
    await bench.close()
  `
  expect(runWithMounts('--input-type=module', '-e', said)).toEqual(['no_space', { missing: [], surplus: [] }])
})

test.for(Object.keys(crashPointOccurrences) as Action[])('a full disk at every crash point of: %s', { timeout: 300_000 }, (action) => {
  const struck = runWithMounts(program, action) as readonly Struck[]
  const expected = crashPointOccurrences[action].map(([point, occurrence]) => ({ point, occurrence, struck: true, complaints: [] }))
  expect(struck.map(({ outcome: _outcome, ...one }) => one)).toEqual(expected)
  expect(struck.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining([...told[action]]))
})
