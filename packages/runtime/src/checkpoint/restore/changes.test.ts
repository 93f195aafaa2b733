import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { bash, openCheckpointTest } from '../../../test/support/checkpoint/test-checkpoints.ts'

let bench: ReturnType<typeof openCheckpointTest>
const at = (...parts: string[]) => join(bench.work, ...parts)
afterEach(() => bench.close())

test('lists what a command created, changed, moved and removed; not what it left alone', async () => {
  bench = openCheckpointTest()
  mkdirSync(at('sub'))
  for (const name of ['kept', 'changed', 'gone', 'moved', 'sub/inner']) writeFileSync(at(name), name)
  const id = await bench.shell('echo more >> changed; rm gone; mv moved sub/; echo x > new; cat kept')
  const listed = await bench.checkpoints.changes(id, 100)
  const files = listed?.paths.filter((path) => path !== bench.work && path !== at('sub')).sort()
  expect([files, listed?.trees, listed?.blind]).toEqual([
    [at('changed'), at('gone'), at('moved'), at('new'), at('sub/moved')],
    [bench.work],
    [],
  ])
})

test('lists a file with the same size and time as before', async () => {
  bench = openCheckpointTest()
  writeFileSync(at('a'), 'one')
  const id = await bench.shell('cp -p a /tmp/ref.$$; printf two > a; touch -r /tmp/ref.$$ a; rm /tmp/ref.$$')
  expect((await bench.checkpoints.changes(id, 100))?.paths).toContain(at('a'))
})

test('returns null for more paths than requested and for a checkpoint that was not closed', async () => {
  bench = openCheckpointTest()
  const id = await bench.shell('for i in $(seq 20); do echo $i > f$i; done')
  expect(await bench.checkpoints.changes(id, 5)).toBe(null)
  const open = await bench.take([{ does: 'execute', command: 'echo x > y', cwd: bench.work, language: 'shell' }])
  expect(await bench.checkpoints.changes(open, 100)).toBe(null)
  expect(await bench.checkpoints.changes('01990000-0000-7000-8000-00000000ffff', 100)).toBe(null)
})

test('a folder that is too large to be scanned is not among those seen in full', async () => {
  bench = openCheckpointTest({ budget: { files: 5, ms: 60_000 } })
  bash('mkdir -p a/b; for i in $(seq 30); do echo $i > a/b/f$i; done', bench.work)
  const id = await bench.shell('echo x > a/b/f1')
  const listed = await bench.checkpoints.changes(id, 100)
  const seen = listed?.trees.includes(bench.work) ?? false
  const blind = listed?.blind.some((folder) => at('a/b').startsWith(folder)) ?? false
  expect([seen && !blind, listed?.paths.includes(at('a/b/f1')) && seen]).toEqual([false, false])
})
