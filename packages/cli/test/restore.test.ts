// `tandem checkpoints` and `tandem restore` as users see them, with one folder. The commands of the first test have a process each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'

const timeout = 120_000

const { model, here } = await useScriptedTandem()
const { tandem, command } = here

const at = (name: string) => join(here.workspace, name)
const write = (path: string, content: string) => ({ call: 'fs.write', arguments: { path, content } })

/** A run that changed one file and created another; its checkpoints, newest first. */
async function changed(): Promise<{ run_id: string; ids: string[] }> {
  writeFileSync(at('notes.txt'), 'mine\n')
  model.script(write('notes.txt', 'theirs\n'), write('new.txt', 'new\n'), { text: 'Done.' })
  expect(await command('run', '--yes', 'write')).toMatchObject({ status: 0 })
  const listed = await command('checkpoints', 'last', '--json')
  const items = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { run_id: string; checkpoint_id: string })
  return { run_id: items[0]?.run_id ?? '', ids: items.map(({ checkpoint_id }) => checkpoint_id) }
}

test('what a run did is listed, previewed and restored, and the restore is undone', async () => {
  const { run_id, ids } = await changed()
  const listed = await tandem('checkpoints', run_id)
  const rows = listed.stdout.trim().split('\n')
  expect([listed.status, rows.length, rows.map((row) => row.split(/ {2,}/).filter((_, column) => column !== 2))]).toEqual([
    0,
    2,
    ids.map((id) => [id, 'task recovery point', 'before fs.write', 'all files (1 path)']),
  ])
  const oldest = ids.at(-1) ?? ''
  const preview = await tandem('restore', run_id, oldest, '--preview')
  expect(preview).toEqual({
    status: 0,
    stdout: [
      'Preview of the restore: remove 1, revert 1',
      `  remove          ${at('new.txt')}`,
      '      @@ -1,1 +0,0 @@',
      '      -new',
      `  revert          ${at('notes.txt')}`,
      '      @@ -1,1 +1,1 @@',
      '      -theirs',
      '      +mine',
      '',
    ].join('\n'),
    stderr: '',
  })
  expect([readFileSync(at('notes.txt'), 'utf8'), existsSync(at('new.txt'))]).toEqual(['theirs\n', true])

  const restored = await tandem('restore', 'last', oldest)
  const [, undo = ''] = /To undo: tandem restore \S+ (\S+)/.exec(restored.stdout) ?? []
  expect(restored).toEqual({
    status: 0,
    stdout: `Restored: 1 removed, 1 reverted, 0 restored. The run is paused. Resume it with tandem resume ${run_id}\nTo undo: tandem restore ${run_id} ${undo}\n`,
    stderr: '',
  })
  expect([readFileSync(at('notes.txt'), 'utf8'), existsSync(at('new.txt'))]).toEqual(['mine\n', false])
  expect((await tandem('checkpoints', 'last')).stdout).toContain('safety rollback point')

  expect(await tandem('restore', 'last', undo)).toMatchObject({ status: 0 })
  expect([readFileSync(at('notes.txt'), 'utf8'), readFileSync(at('new.txt'), 'utf8')]).toEqual(['theirs\n', 'new\n'])
})

test('what a user edited since is a conflict: the restore stops, keeps it, or overwrites it, as requested', async () => {
  const { run_id, ids } = await changed()
  const oldest = ids.at(-1) ?? ''
  writeFileSync(at('notes.txt'), 'edited by hand\n')
  const preview = JSON.parse((await command('restore', run_id, oldest, '--preview', '--json')).stdout)
  expect(preview).toEqual({
    run_id,
    checkpoint_id: oldest,
    counts: { created: 1, changed: 0, deleted: 0, conflict: 1, unrecoverable: 0 },
    entries: [
      {
        ...{ path: at('new.txt'), type: 'file', change: 'created' },
        diff: { kind: 'text', hunks: '@@ -1,1 +0,0 @@\n-new', lines_added: 0, lines_removed: 1, truncated: false },
      },
      {
        ...{ path: at('notes.txt'), type: 'file', change: 'conflict', reason: 'it was changed outside this run since then' },
        diff: { kind: 'text', hunks: '@@ -1,1 +1,1 @@\n-edited by hand\n+mine', lines_added: 1, lines_removed: 1, truncated: false },
      },
    ],
    notes: [],
    members: [],
    background: { counts: { created: 0, changed: 0, deleted: 0, conflict: 0, unrecoverable: 0 }, running: 0, entries: [] },
  })
  const stopped = await command('restore', run_id, oldest)
  const conflict = `tandem: 1 path may have been changed outside this run since then; the first is ${at('notes.txt')}\n`
  expect([stopped.status, existsSync(at('new.txt'))]).toEqual([1, true])
  expect(stopped.stderr.startsWith(conflict)).toBe(true)
  expect(stopped.stderr.endsWith(`\n        List them with tandem restore ${run_id} ${oldest} --preview\n`)).toBe(true)
  const kept = await command('restore', run_id, oldest, '--on-conflict', 'keep')
  expect([kept.status, kept.stdout.includes(`conflict        ${at('notes.txt')}`), existsSync(at('new.txt'))]).toEqual([0, true, false])
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('edited by hand\n')
  expect(await command('restore', run_id, oldest, '--on-conflict', 'overwrite')).toMatchObject({ status: 0 })
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('mine\n')
})

test('what changed while a background command ran is listed separately, not restored by default, and restored if selected', {
  timeout,
}, async () => {
  writeFileSync(at('notes.txt'), 'mine\n')
  // Late enough that its own call has returned, even on a busy machine; a loop that waits for that would need a manual approval.
  const late = 'sleep 10 && echo late > notes.txt && echo late > log.txt && sleep 60'
  const served = () => vi.waitFor(() => expect(existsSync(at('log.txt'))).toBe(true), { timeout: 60_000 })
  model.script({ call: 'shell.exec', arguments: { command: late, background: true } }, write('go', 'go\n'), {
    text: 'Done.',
    after: served,
  })
  expect(await command('run', '--yes', 'serve')).toMatchObject({ status: 0 })
  const listed = (await command('checkpoints', 'last', '--json')).stdout.trim().split('\n')
  const { run_id, checkpoint_id } = JSON.parse(listed.at(-1) ?? '') as { run_id: string; checkpoint_id: string }
  expect((await command('checkpoints', run_id)).stdout).toMatch(/recorded changes of the background command until it ended, [\d-]+ [\d:]+/)
  const preview = (await command('restore', run_id, checkpoint_id, '--preview')).stdout
  expect(preview.split('\n').filter((line) => !line.startsWith('      '))).toEqual([
    'Preview of the restore: remove 1',
    `  remove          ${at('go')}`,
    'Changed while background commands ran, restored only with --background all or --background PATH: remove 1, revert 1.',
    `  remove          ${at('log.txt')}`,
    `  revert          ${at('notes.txt')}`,
    'Note: Changes you made while a command of the run was running cannot be distinguished from those of the command. They are restored too; undo the restore to bring them back.',
    '',
  ])
  expect((await command('restore', run_id, checkpoint_id)).stdout).toContain(
    `Left untouched: 2 paths that changed while background commands ran. To restore what they changed:\n        tandem restore ${run_id} ${checkpoint_id} --background all\n`,
  )
  expect([existsSync(at('go')), readFileSync(at('notes.txt'), 'utf8'), existsSync(at('log.txt'))]).toEqual([false, 'late\n', true])
  expect(await command('restore', run_id, checkpoint_id, '--background', 'notes.txt')).toMatchObject({ status: 0 })
  expect([readFileSync(at('notes.txt'), 'utf8'), existsSync(at('log.txt'))]).toEqual(['mine\n', true])
  expect(await command('restore', run_id, checkpoint_id, '--background', 'all')).toMatchObject({ status: 0 })
  expect(existsSync(at('log.txt'))).toBe(false)
})

test('a terminal shows characters that would move its cursor, and no more lines than are useful', async () => {
  writeFileSync(at('notes.txt'), '\u001b]0;title\u0007\u001b[2Jfirst\u202e\n')
  writeFileSync(at('long.txt'), Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join(''))
  writeFileSync(at('picture'), Uint8Array.of(1, 0, 2))
  model.script(
    write('notes.txt', 'x\n'),
    { call: 'fs.delete', arguments: { path: 'long.txt' } },
    { call: 'fs.delete', arguments: { path: 'picture' } },
    { text: 'Done.' },
  )
  expect(await command('run', '--yes', 'write')).toMatchObject({ status: 0 })
  const listed = (await command('checkpoints', 'last', '--json')).stdout.trim().split('\n')
  const oldest = (JSON.parse(listed.at(-1) ?? '') as { checkpoint_id: string }).checkpoint_id
  const { stdout } = await command('restore', 'last', oldest, '--preview')
  const lines = stdout.split('\n')
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(lines).toContain('      +\\u{1b}]0;title\\u{7}\\u{1b}[2Jfirst\\u{202e}')
  expect([lines.includes('      +line 58'), lines.includes('      +line 59'), lines.includes('      … 141 more lines')]).toEqual([
    true,
    false,
    true,
  ])
  expect(lines.slice(lines.indexOf(`  restore         ${at('picture')}`)).slice(1, 2)).toEqual(['      not text'])
})

test('a recovery point is created on demand, listed, and restored', async () => {
  writeFileSync(at('notes.txt'), 'mine\n')
  model.script({ text: 'Nothing to do.' })
  expect(await command('run', '--yes', 'look')).toMatchObject({ status: 0 })
  expect((await command('checkpoints', 'last')).stdout).toContain('Create one with --take.')
  const taken = await command('checkpoints', 'last', '--take')
  const [, run_id = '', id = ''] = /To restore it: tandem restore (\S+) (\S+)/.exec(taken.stdout) ?? []
  const columns = (line: string) => line.split(/ {2,}/).filter((_, column) => column !== 2)
  const row = [id, 'task recovery point', 'on demand', 'all files (2 paths)']
  expect([taken.status, columns(taken.stdout.split('\n')[0] ?? ''), taken.stderr]).toEqual([0, row, ''])
  expect(columns((await command('checkpoints', run_id)).stdout.trim())).toEqual(row)
  writeFileSync(at('notes.txt'), 'changed\n')
  expect(await command('restore', run_id, id, '--on-conflict', 'overwrite')).toMatchObject({ status: 0 })
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('mine\n')
  const json = JSON.parse((await command('checkpoints', run_id, '--take', '--json')).stdout)
  expect(json).toMatchObject({ checkpoint: { run_id, tool: null, name: 'task_recovery_point' }, unprotected: [] })
})

test('a point without its contents is listed as such, and a restore reports why it is not possible', async () => {
  const { run_id, ids } = await changed()
  const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
  database.prepare('UPDATE runtime_run_checkpoints SET contents_deleted_at = created_at WHERE checkpoint_id = ?').run(ids[1] ?? '')
  database.close()
  const lines = (await command('checkpoints', run_id)).stdout.trim().split('\n')
  expect(lines.map((line) => line.includes('its files can no longer be restored'))).toEqual([false, true])
  const refused = await command('restore', run_id, ids[1] ?? '')
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('can no longer be restored')])
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('theirs\n')
})

test.each([
  [['checkpoints'], 2, 'specify one run'],
  [['checkpoints', 'last', '--take'], 1, 'there are no runs yet'],
  [['checkpoints', 'last'], 1, 'there are no runs yet'],
  [['restore', 'last'], 2, 'specify one run and one of its recovery points'],
  [['restore', 'last', 'x', '--on-conflict', 'fight'], 2, '--on-conflict must be one of stop, keep, overwrite'],
] as const)('%j is explained', async (args, status, why) => {
  const ended = await command(...args)
  expect([ended.status, ended.stderr.includes(why)]).toEqual([status, true])
})

test('what a member changed in the shared folder is listed, and restored with --members', async () => {
  const member = { title: 'Docs', task: 'Write the docs', workspace: 'shared', paths: ['docs.txt'] }
  model.script(
    write('notes.txt', 'by the run\n'),
    { call: 'agent.delegate', arguments: member },
    write('docs.txt', 'by the member\n'),
    { text: 'Written.' },
    { text: 'Done.' },
  )
  expect(await command('run', '--yes', 'write')).toMatchObject({ status: 0 })
  const listed = await command('checkpoints', 'last', '--json')
  const { run_id, checkpoint_id } = JSON.parse(listed.stdout.trim().split('\n').at(-1) ?? '') as { run_id: string; checkpoint_id: string }
  expect((await command('restore', run_id, checkpoint_id, '--preview')).stdout).toContain(
    'Members started after this point. They are paused, and their changes are restored only with --members:\n  Docs: 1 path changed\n',
  )
  const restored = await command('restore', run_id, checkpoint_id, '--members')
  expect(restored).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Changes of the member Docs: 1 removed, 0 reverted, 0 restored.\n'),
  })
  expect([existsSync(at('notes.txt')), existsSync(at('docs.txt'))]).toEqual([false, false])
  const undo = [...restored.stdout.matchAll(/(?:To undo|then): tandem restore (\S+) (\S+)/g)]
  expect(undo).toHaveLength(2)
  for (const [, run = '', point = ''] of undo) expect(await command('restore', run, point)).toMatchObject({ status: 0 })
  expect([readFileSync(at('notes.txt'), 'utf8'), readFileSync(at('docs.txt'), 'utf8')]).toEqual(['by the run\n', 'by the member\n'])
})
