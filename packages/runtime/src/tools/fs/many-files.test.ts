// A folder with very many files: the listing stays small, and so does memory.
import { existsSync, linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { costOf, testContext } from '../../../test/support/tools/fs/test-context.ts'

const many = 250_000

test('very many files are counted without being stored', async () => {
  const context = testContext({ tool: 'fs.list', ...(existsSync('/dev/shm') ? { base: '/dev/shm' } : {}) })
  // Hard links of a few files: only the names count here, and they need no inode each.
  for (let number = 0, source = ''; number < many; number++) {
    const file = join(context.workspace, `n${String(number).padStart(7, '0')}`)
    if (number % 30_000 === 0) writeFileSync(file, '')
    else linkSync(source, file)
    if (number % 30_000 === 0) source = file
  }
  const tool = { name: 'listFolder', file: new URL('./list.ts', import.meta.url) }
  const { outputs, grown_bytes } = await costOf(tool, [{ limit: 3 }], context)
  expect(outputs).toMatchObject([{ entries: [{ path: 'n0000000' }, { path: 'n0000001' }, { path: 'n0000002' }], more: many - 3 }])
  // Storing every name takes 48 MiB.
  expect(grown_bytes).toBeLessThan(36 * 1024 ** 2)
})
