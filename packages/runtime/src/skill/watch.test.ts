import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { watchFolders } from './watch.ts'

let root: string
let stop: () => void
const changed = vi.fn()
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-watch-')))
  changed.mockClear()
})
afterEach(() => {
  stop()
  rmSync(root, { recursive: true, force: true })
})

const heard = async () => {
  await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 60_000)
  changed.mockClear()
}

/** Repeats until a change is reported: watching a nested folder takes a moment to start. */
const hears = (change: (no: number) => void) => {
  let no = 0
  return vi.waitFor(
    () => {
      no += 1
      change(no)
      expect(changed).toHaveBeenCalled()
    },
    { timeout: 15_000, interval: 600 },
  )
}

test('notices a folder that is created later, with all its parents, and changes in it', async () => {
  const path = join(root, '.agents', 'skills')
  stop = watchFolders([{ root: 'workspace', path }], systemClock, changed)
  mkdirSync(join(path, 'pdf'), { recursive: true })
  await heard()
  await hears((no) => writeFileSync(join(path, 'pdf', 'SKILL.md'), `text ${no}`))
})

test('keeps watching a folder that is removed and created again', async () => {
  const path = join(root, 'skills')
  mkdirSync(path)
  stop = watchFolders([{ root: 'user', path }], systemClock, changed)
  rmSync(path, { recursive: true })
  await heard()
  mkdirSync(path)
  await heard()
  await hears((no) => writeFileSync(join(path, `${no}.md`), 'text'))
})
