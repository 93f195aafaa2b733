// The diffs of a preview: the right lines, and nothing that a user could not read or would have to wait for.
import { spawnSync } from 'node:child_process'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RestoreDiff, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import { RestorePreviewEntry as EntrySchema } from '@tandem/contract/checkpoint/schema'
import { limits } from '@tandem/contract/limits'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bash, type CheckpointTestEnvironment, openCheckpointTest } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { fileImage } from '../content/image.ts'
import { restoreDiffs } from './restore-diff.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

const at = (name: string) => join(bench.work, name)
const write = (name: string, content: string | Uint8Array) => writeFileSync(at(name), content)

async function entriesOf(checkpoint_id: string, page: { limit?: number; cursor?: string; diffs?: boolean } = {}) {
  const seen = await bench.checkpoints.preview(checkpoint_id, { diffs: true, ...page })
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  for (const entry of seen.entries.items) expect(Check(EntrySchema, entry)).toBe(true)
  return seen.entries
}

/** By name: the change, and its diff. */
async function diffsOf(checkpoint_id: string): Promise<Record<string, [RestorePreviewEntry['change'], RestoreDiff | undefined]>> {
  const { items } = await entriesOf(checkpoint_id)
  return Object.fromEntries(
    items.map((entry) => [entry.path.slice(bench.work.length + 1), [entry.change, 'diff' in entry ? entry.diff : undefined]]),
  )
}

const text = (hunks: readonly string[], lines_added: number, lines_removed: number): RestoreDiff => ({
  kind: 'text',
  hunks: hunks.join('\n'),
  lines_added,
  lines_removed,
  truncated: false,
})
const none = (why: Extract<RestoreDiff, { kind: 'none' }>['why']): RestoreDiff => ({ kind: 'none', why })

test('created, changed, deleted and conflicting files: shows the current content as removed and the saved content as added', async () => {
  write('changed', 'one\ntwo\nthree\n')
  write('deleted', 'gone\n')
  write('contested', 'before\n')
  const id = await bench.shell('printf "one\\n2\\nthree\\n" > changed; rm deleted; echo new > created; echo run > contested; mkdir folder')
  write('contested', 'mine\n')
  expect(await diffsOf(id)).toEqual({
    changed: ['changed', text(['@@ -1,3 +1,3 @@', ' one', '-2', '+two', ' three'], 1, 1)],
    deleted: ['deleted', text(['@@ -0,0 +1,1 @@', '+gone'], 1, 0)],
    created: ['created', text(['@@ -1,1 +0,0 @@', '-new'], 0, 1)],
    contested: ['conflict', text(['@@ -1,1 +1,1 @@', '-mine', '+before'], 1, 1)],
    folder: ['created', undefined],
  })
})

test('can be filtered by kind of change; the counts still cover all', async () => {
  write('changed', 'one\n')
  const id = await bench.shell('echo two > changed; echo a > a; echo b > b')
  const seen = await bench.checkpoints.preview(id, { change: 'created', limit: 1, cursor: '1' })
  expect(seen).toEqual({
    outcome: 'previewed',
    counts: { created: 2, changed: 1, deleted: 0, conflict: 0, unrecoverable: 0 },
    background: { created: 0, changed: 0, deleted: 0, conflict: 0, unrecoverable: 0 },
    running: 0,
    notes: [
      'Changes you made while a command of the run was running cannot be distinguished from those of the command. They are restored too; undo the restore to bring them back.',
    ],
    entries: { items: [{ path: at('b'), type: 'file', change: 'created' }], next_cursor: null },
  })
})

test('costs nothing if it was not requested', async () => {
  write('a', 'one\n')
  const id = await bench.shell('echo two > a')
  const { items } = await entriesOf(id, { diffs: false })
  expect(items).toEqual([{ path: at('a'), type: 'file', change: 'changed' }])
})

test('reports what has no text diff: binary, too large, too different, permissions, another encoding', async () => {
  write('binary', Uint8Array.of(1, 0, 2, 255))
  write('large', 'x\n'.repeat(600_000))
  write('different', Array.from({ length: 5_000 }, (_, line) => `before ${line}`).join('\n'))
  write('mode', 'same\n')
  write('encoded', 'gr\u00fcn\n')
  const id = await bench.shell(
    'printf "\\001\\000\\003" > binary; echo y > large; seq 1 5000 > different; chmod 600 mode; iconv -f UTF-8 -t UTF-16 encoded > e2; cat e2 > encoded; rm e2',
  )
  expect(await diffsOf(id)).toEqual({
    binary: ['changed', none('binary')],
    large: ['changed', none('too_large')],
    different: ['changed', none('too_different')],
    mode: ['changed', none('permissions_only')],
    encoded: ['changed', none('same_text')],
  })
})

test('reads legacy encodings and byte order marks', async () => {
  write('latin', Buffer.from('gr\u00fcn\n', 'latin1'))
  write('wide', Buffer.from('\ufeffone\n', 'utf16le'))
  write('wider', Buffer.from('\ufeffone\n', 'utf16le').swap16())
  write('dos', 'one\r\ntwo\r\n')
  const id = await bench.shell('echo blue > latin; echo two > wide; echo two > wider; printf "one\\ntwo\\n" > dos')
  expect(await diffsOf(id)).toEqual({
    latin: ['changed', text(['@@ -1,1 +1,1 @@', '-blue', '+gr\u00fcn'], 1, 1)],
    wide: ['changed', text(['@@ -1,1 +1,1 @@', '-two', '+one'], 1, 1)],
    wider: ['changed', text(['@@ -1,1 +1,1 @@', '-two', '+one'], 1, 1)],
    dos: ['changed', text(['@@ -1,2 +1,2 @@', '-one', '-two', '+one\r', '+two\r'], 2, 2)],
  })
})

test('shows a link by its target, never by the content of the target', async () => {
  write('secret', 'do not show\n')
  symlinkSync('secret', at('link'))
  write('file', 'a file\n')
  const id = await bench.shell('ln -sfn elsewhere link; rm file; ln -s secret file')
  const noEnd = '\\ No newline at end of file'
  expect(await diffsOf(id)).toEqual({
    link: ['changed', text(['@@ -1,1 +1,1 @@', '-elsewhere', noEnd, '+secret', noEnd], 1, 1)],
    file: ['changed', text(['@@ -1,1 +1,1 @@', '-secret', noEnd, '+a file'], 1, 1)],
  })
})

test('returns hostile characters unchanged; the caller must make them visible', async () => {
  write('evil', 'safe\n')
  const id = await bench.shell('printf "\\033]0;title\\007\\033[2J\\342\\200\\256evil\\n" > evil')
  expect(await diffsOf(id)).toEqual({
    evil: ['changed', text(['@@ -1,1 +1,1 @@', '-\u001b]0;title\u0007\u001b[2J\u202eevil', '+safe'], 1, 1)],
  })
})

test('truncates a long diff at a line and a long line inside it, and reports both', async () => {
  write('long', Array.from({ length: 900 }, (_, line) => `the line number ${line} of a long text`).join('\n'))
  write('wide', 'short\n')
  const id = await bench.shell('rm long; head -c 900000 /dev/zero | tr "\\0" x > wide')
  const { long, wide } = await diffsOf(id)
  for (const [, diff] of [long ?? [], wide ?? []]) {
    if (diff?.kind !== 'text') throw new Error(JSON.stringify(diff))
    expect([diff.truncated, diff.hunks.length <= limits.restore_diff_characters]).toEqual([true, true])
  }
  expect(long?.[1]).toMatchObject({ lines_added: 900, lines_removed: 0, hunks: expect.stringMatching(/of a long text$/) })
})

test('reads what was only moved, not stored, from its current path', () => {
  write('there', 'moved here\n')
  const to = fileImage(statSync(at('there')))
  const contents = {
    // biome-ignore lint/correctness/useYield: nothing is stored, and it must not be called.
    *read(): Generator<Buffer> {
      throw new Error('content that is not stored was requested')
    },
  }
  const moved = new Map([[at('moved'), at('there')]])
  const gone = { path: at('moved'), now: 'absent', to, change: 'deleted', hindrance: null } as const
  expect(restoreDiffs([gone], { contents, moved, elapsed: () => 0 })).toEqual([text(['@@ -0,0 +1,1 @@', '+moved here'], 1, 0)])
})

test('limits the size of a page, and the next page starts with a new limit', async () => {
  for (let file = 0; file < 60; file += 1) write(`f${String(file).padStart(2, '0')}`, `${'some words of a line\n'.repeat(900)}${file}\n`)
  const id = await bench.shell('rm f*')
  const first = await entriesOf(id, { limit: 50 })
  const kinds = first.items.map((entry) => ('diff' in entry && entry.diff?.kind === 'text' ? 'text' : 'full'))
  const shown = kinds.lastIndexOf('text') + 1
  expect([kinds.length, shown > 0 && shown < 50, kinds.slice(shown).every((kind) => kind === 'full')]).toEqual([50, true, true])
  expect(first.items.at(-1)).toMatchObject({ diff: none('page_full') })
  const next = await entriesOf(id, { limit: 50, cursor: String(first.next_cursor) })
  expect(next.items.map((entry) => 'diff' in entry && entry.diff?.kind)).toEqual(Array(10).fill('text'))
})

test('opens unreadable files for the comparison and closes them again', async () => {
  write('closed', 'before\n')
  const id = await bench.shell('echo after > closed; chmod 000 closed')
  expect(await diffsOf(id)).toEqual({ closed: ['changed', text(['@@ -1,1 +1,1 @@', '-after', '+before'], 1, 1)] })
  expect(spawnSync('stat', ['-c', '%a', at('closed')], { encoding: 'utf8' }).stdout).toBe('0\n')
})

test('reports damaged content as unreadable, and the list is complete', async () => {
  write('a', 'one\n')
  const id = await bench.shell('echo two > a')
  const pack = join(bench.home, 'blobs', `${id}.before`)
  bash(`printf '\\377\\377\\377\\377' | dd of='${pack}' bs=1 seek=4 conv=notrunc 2>/dev/null`, bench.work)
  expect(await diffsOf(id)).toEqual({ a: ['changed', none('unreadable')] })
})
