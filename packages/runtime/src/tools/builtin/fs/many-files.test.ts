// A flood of files: the listing stays small, and so does the memory.
import { existsSync, linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Listing, listFolder } from './list.ts'
import { call, testContext } from './test-context.ts'

const many = 250_000

test('a flood of files is counted without being kept', { timeout: 120_000 }, async () => {
  const context = testContext({ tool: 'fs.list', ...(existsSync('/dev/shm') ? { base: '/dev/shm' } : {}) })
  // Hard links of a few files: names are what counts here, and they cost no inode each.
  for (let number = 0, source = ''; number < many; number++) {
    const file = join(context.workspace, `n${String(number).padStart(7, '0')}`)
    if (number % 30_000 === 0) writeFileSync(file, '')
    else linkSync(source, file)
    if (number % 30_000 === 0) source = file
  }
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const listing = await call<Listing>(listFolder, { limit: 3 }, context)
  clearInterval(watch)
  expect(listing).toMatchObject({ entries: [{ path: 'n0000000' }, { path: 'n0000001' }, { path: 'n0000002' }], more: many - 3 })
  expect(peak - before).toBeLessThan(60 * 1024 ** 2)
})
