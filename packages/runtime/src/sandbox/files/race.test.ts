// A real race between check and use: another process swaps a link, this one reads, writes, lists and deletes thousands of times.

import { fork } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testScope } from '../../../test/support/sandbox/files/test-scope.ts'
import { FileFailure, Refused } from '../../call/failure.ts'
import { openFiles } from './scoped-files.ts'

test('no escape in thousands of attempts', async () => {
  // In memory if possible: waiting for a disk would make the race rare.
  const scope = testScope(existsSync('/dev/shm') ? { base: '/dev/shm' } : {})
  writeFileSync(join(scope.outside, 'file'), 'outside')
  writeFileSync(join(scope.outside, 'marker'), '')
  mkdirSync(join(scope.outside, 'victim'))
  writeFileSync(join(scope.outside, 'victim/file'), 'outside')
  const swapper = fork(new URL('../../../test/support/sandbox/files/test-swapper.ts', import.meta.url), [scope.workspace, scope.outside])
  onTestFinished(() => void swapper.kill('SIGKILL'))
  await new Promise((resolve, reject) => swapper.once('message', resolve).once('exit', reject))

  const files = openFiles(scope)
  const seen = new Map<string, number>()
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    const result = await work().then(
      (value) => String(value),
      (error: unknown) => {
        if (error instanceof Refused || error instanceof FileFailure) return error.reason_code
        throw error
      },
    )
    seen.set(`${what}: ${result}`, (seen.get(`${what}: ${result}`) ?? 0) + 1)
  }
  const read = (path: string) => files.read(path, ({ handle }) => handle.readFile('utf8'))
  const met = ['read through the folder: inside', 'read through the folder: path_out_of_scope', 'write through the folder: written']
  const isReal = () => met.every((what) => (seen.get(what) ?? 0) > 10)
  // Waits for the swapping process if the machine delays it.
  for (let round = 0; round < 1_500 || (round < 100_000 && !isReal()); round++) {
    await attempt('read through the folder', () => read('folder/file'))
    await attempt('read the file', () => read('plain'))
    await attempt('write through the folder', async () => {
      await files.replace(round % 2 ? 'folder/file' : 'folder/new', Buffer.from('inside'))
      return 'written'
    })
    if (round % 4 === 0) {
      await attempt('list', async () => {
        for await (const entry of files.walk('folder', () => true)) if (entry.name === 'marker') return 'escaped'
        return 'listed'
      })
      await attempt('delete', async () => {
        await files.makeDirectory('folder/victim')
        await files.remove('folder/victim', { recursive: true })
        return 'deleted'
      })
    }
  }

  // Both states of the link were seen, so the race was real.
  expect(seen.get('read through the folder: inside')).toBeGreaterThan(10)
  expect(seen.get('read through the folder: path_out_of_scope')).toBeGreaterThan(10)
  expect(seen.get('read the file: inside')).toBeGreaterThan(10)
  expect(seen.get('write through the folder: written')).toBeGreaterThan(10)
  expect([...seen.keys()].filter((key) => /outside|escaped/.test(key.replace('path_out_of_scope', '')))).toEqual([])
  expect(readdirSync(scope.outside).sort()).toEqual(['file', 'marker', 'victim'])
  expect([readFileSync(join(scope.outside, 'file'), 'utf8'), readFileSync(join(scope.outside, 'victim/file'), 'utf8')]).toEqual([
    'outside',
    'outside',
  ])
})
