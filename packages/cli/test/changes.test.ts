// `tandem changes` as users see it: the list, the diff, JSON, and refusals.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'

const { model, here } = await useScriptedTandem()
const { command } = here

const at = (name: string) => join(here.workspace, name)
const write = (path: string, content: string) => ({ call: 'fs.write', arguments: { path, content } })

test('the changes of a conversation are listed, and printed as a diff and as JSON', async () => {
  expect(await command('changes')).toMatchObject({ status: 1, stderr: expect.stringContaining('there are no conversations yet') })
  writeFileSync(at('notes.txt'), 'one\ntwo\n')
  model.script(write('notes.txt', 'one\nTWO\n'), write('new.txt', 'new\n'), { text: 'Done.' })
  expect(await command('run', '--yes', 'write')).toMatchObject({ status: 0 })
  const listed = await command('changes')
  expect(listed).toMatchObject({ status: 0, stderr: '' })
  expect(listed.stdout.split('\n').map((row) => row.trim().split(/ {2,}/))).toEqual([
    ['added', 'new.txt', '+1 -0'],
    ['changed', 'notes.txt', '+1 -1'],
    ['2 files: 1 added, 1 changed'],
    [''],
  ])
  const diff = (await command('changes', 'last', '--diff')).stdout
  expect(diff.slice(diff.indexOf('\n\n') + 2)).toBe(
    [
      ...['--- /dev/null', '+++ b/new.txt', '@@ -0,0 +1,1 @@', '+new', ''],
      ...['--- a/notes.txt', '+++ b/notes.txt', '@@ -1,2 +1,2 @@', ' one', '-two', '+TWO', ''],
    ].join('\n'),
  )
  writeFileSync(at('notes.txt'), 'mine\n')
  const objects = (await command('changes', '--json')).stdout.trim().split('\n')
  expect(objects.map((line) => JSON.parse(line)).map(({ path, change, undo }) => [path, change, undo])).toEqual([
    [at('new.txt'), 'added', 'possible'],
    [at('notes.txt'), 'changed', 'conflict'],
  ])
  expect((await command('changes')).stderr).toContain('1 file was changed by others since.')
  expect(await command('changes', 'last', '--run', '0198a000-0000-7000-8000-000000000000')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has no run'),
  })
  expect(await command('changes', 'one', 'two')).toMatchObject({ status: 2, stderr: expect.stringContaining('at most one conversation') })
})
