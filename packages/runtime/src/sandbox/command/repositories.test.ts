import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { protectionOf, unprotectedIn } from './protected-paths.ts'
import { mostFolders, repositoriesIn } from './repositories.ts'

let ws: string
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-repositories-')))
})
afterEach(() => rmSync(ws, { recursive: true, force: true }))

const make = (...folders: readonly string[]) => {
  for (const folder of folders) mkdirSync(join(ws, folder), { recursive: true })
}
const makeBare = (folder: string) => {
  make(`${folder}/objects`, `${folder}/refs`)
  writeFileSync(join(ws, folder, 'HEAD'), '')
}

function found() {
  const { folders, bare, ...rest } = repositoriesIn(ws)
  const named = (paths: readonly string[]) => paths.map((path) => relative(ws, path)).sort()
  return { folders: named(folders), bare: named(bare), ...rest }
}

test('a folder that looks like a bare repository does not hide the repositories in it', () => {
  make('sub/.git/hooks', 'objects/lib/.git', 'objects/info', 'refs/heads/x/.git', 'objects/ab/.git')
  makeBare('.')
  expect(found()).toEqual({ folders: ['objects/lib', 'refs/heads/x', 'sub'], bare: [''], closed: [], complete: true })
  expect(protectionOf(ws, ws, []).frozen).toContain(join(ws, 'sub/.git/hooks'))
})

test('what was found once stays protected, behind many folders and without its distinctive files', () => {
  make('deep/er/sub/.git')
  makeBare('deep/bare.git')
  const before = found()
  expect(before).toEqual({ folders: ['deep/er/sub'], bare: ['deep/bare.git'], closed: [], complete: true })
  expect(unprotectedIn(ws)).toEqual([])
  make(...Array.from({ length: mostFolders }, (_, index) => `a${index}`))
  rmSync(join(ws, 'deep/bare.git/HEAD'))
  expect(found()).toEqual({ ...before, complete: false })
  expect(unprotectedIn(ws)).toEqual([expect.stringContaining('are not protected from this command')])
  rmSync(join(ws, 'deep'), { recursive: true })
  expect(found()).toEqual({ folders: [], bare: [], closed: [], complete: false })
})
