import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameIn, openUserFiles } from './user-files.ts'

test.each([
  ['a name', 'attachment; filename="a"; filename*=UTF-8\'\'%C3%A9t%C3%A9%20(1).txt', 'été (1).txt'],
  ['a parent folder', "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", '.._.._etc_passwd'],
  ['a folder', "attachment; filename*=UTF-8''..", 'file'],
  ['turned letters', "attachment; filename*=UTF-8''%E2%80%AEgpj.exe", '_gpj.exe'],
  ['a line break', "attachment; filename*=UTF-8''a%0Ab", 'a_b'],
  ['half a surrogate pair', "attachment; filename*=UTF-8''%E2%80", 'file'],
  ['nothing', null, 'file'],
])('%s', (_what, disposition, name) => {
  expect(nameIn(disposition)).toBe(name)
})

test("sends nothing of Tandem's own folder to the cloud, whatever it is called", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-own-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const never = () => Promise.reject(new Error('it was sent'))
  const files = openUserFiles({ account: { call: never, send: never }, home, newId: () => 'id' })
  for (const name of ['key', '..key', '...']) {
    const path = join(home, name)
    writeFileSync(path, 'secret')
    const problem = "is in Tandem's own folder"
    expect(await files.add(path)).toEqual({ kind: 'unfit', field: 'path', problem, message: `${path} ${problem}` })
  }
})
