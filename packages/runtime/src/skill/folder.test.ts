// The folder of a skill: what its hash covers, what a copy contains, and when agents can use it.
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSkillTestEnvironment, type SkillTestEnvironment, skillText } from '../../test/support/skill/test-skills.ts'
import { readFolderFiles } from './folder-files.ts'
import { skillLimits } from './limits.ts'

let ground: SkillTestEnvironment
let folder: string
beforeEach(() => {
  ground = createSkillTestEnvironment()
  folder = join(ground.own, 'pdf')
  ground.write(join(folder, 'SKILL.md'), skillText('pdf'))
  ground.write(join(folder, 'scripts/fill.py'), 'print("filled")\n')
  ground.write(join(folder, 'assets/form.pdf'), Buffer.from([37, 80, 68, 70, 0, 255]))
})
afterEach(() => ground.close())

const request = { agent_id: 'agent', skill_name: 'pdf', source: 'user', recommendation_id: null, reviewed_sha256: null } as const
const bind = (binding_policy: 'summary_only' | 'on_demand' | 'always' = 'on_demand') =>
  ground.service.bindSkill(ground.situation, { ...request, binding_policy })
const folders = () => ground.service.foldersFor(ground.situation)
const copies = () => join(ground.root, 'home', 'skill-copies')
const listed = async () => (await ground.service.listBindings(ground.situation))[0]

async function opened(): Promise<string> {
  const { open } = await folders()
  if (open.length !== 1 || open[0] === undefined) throw new Error(`${open.length} folders are open`)
  return open[0]
}

async function names(at = folder) {
  const read = await readFolderFiles(at, new Map())
  return read.ok ? { files: read.value.files.map(({ name }) => name), skipped: read.value.skipped } : read.why
}

test('a bound skill has a folder: a copy with exactly its files, which is not writable', async () => {
  chmodSync(join(folder, 'scripts/fill.py'), 0o755)
  await bind()
  const path = await opened()
  expect(path).toMatch(/\/home\/skill-copies\/[0-9a-f]{16}\/pdf$/)
  expect(await names(path)).toEqual(await names())
  expect(readFileSync(join(path, 'assets/form.pdf'))).toEqual(readFileSync(join(folder, 'assets/form.pdf')))
  expect(['SKILL.md', 'scripts/fill.py'].map((name) => (lstatSync(join(path, name)).mode & 0o777).toString(8))).toEqual(['400', '500'])
})

test.each<[string, () => void, string]>([
  ['another content', () => writeFileSync(join(folder, 'scripts/fill.py'), 'print("other")\n'), 'scripts/fill.py'],
  ['another binary file', () => writeFileSync(join(folder, 'assets/form.pdf'), Buffer.from([0, 1])), 'assets/form.pdf'],
  ['a new file', () => writeFileSync(join(folder, '.hidden'), ''), '.hidden'],
  ['a removed file', () => rmSync(join(folder, 'assets/form.pdf')), 'assets/form.pdf'],
  ['a file that became executable', () => chmodSync(join(folder, 'scripts/fill.py'), 0o755), 'scripts/fill.py'],
  ['a renamed file', () => renameSync(join(folder, 'scripts/fill.py'), join(folder, 'scripts/a.py')), 'scripts/a.py, scripts/fill.py'],
  ['other instructions', () => writeFileSync(join(folder, 'SKILL.md'), skillText('pdf', '', 'Other.')), 'SKILL.md'],
])('%s makes the binding stale, and the message names the file', async (_what, change, changed) => {
  await bind('always')
  const path = await opened()
  change()
  const title = `It has changed since it was assigned: ${changed}`
  expect(await folders()).toEqual({
    open: [],
    closed: [
      {
        folder: path,
        message: `The skill pdf cannot be used: ${title}.`,
        remedy: 'Tell the user to review the skill and to assign it again.',
      },
    ],
  })
  expect(await listed()).toMatchObject({ barrier: 'changed_since_bound', title })
  const { text, left_out } = await ground.service.injectionFor(ground.situation, 10_000)
  expect([text, left_out.map((one) => one.title)]).toEqual(['', [title]])
  expect(await ground.service.load(ground.situation, 'pdf', 'scripts/fill.py')).toMatchObject({
    ok: false,
    failure: { code: 'not_usable' },
  })
  await bind()
  expect(await opened()).not.toBe(path)
  // Only the copy of what is bound is kept.
  expect(readdirSync(copies())).toHaveLength(1)
})

test('links never lead outside, and what is not a file is left out', async () => {
  const secrets = join(ground.root, 'user', '.ssh')
  ground.write(join(secrets, 'id_ed25519'), 'a private key')
  symlinkSync(secrets, join(folder, 'keys'))
  symlinkSync(join(secrets, 'id_ed25519'), join(folder, 'scripts/key'))
  symlinkSync('../../../tandem.db', join(folder, 'scripts/database'))
  symlinkSync('..', join(folder, 'up'))
  symlinkSync('nowhere', join(folder, 'broken'))
  symlinkSync('scripts', join(folder, 'same'))
  symlinkSync('../scripts/fill.py', join(folder, 'assets/fill.py'))
  symlinkSync('/proc/self/environ', join(folder, 'environment'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const name of ['.git/config', '__pycache__/fill.pyc', 'scripts/__pycache__/x.pyc', '.DS_Store'])
    ground.write(join(folder, name), 'x')
  const link = 'It is a link that leads to no file of the skill'
  expect(await names()).toEqual({
    files: ['SKILL.md', 'assets/fill.py', 'assets/form.pdf', 'scripts/fill.py'],
    skipped: expect.arrayContaining([
      ...['keys', 'scripts/key', 'scripts/database', 'up', 'broken', 'same', 'environment'].map((name) => ({ name, title: link })),
      { name: 'pipe', title: 'It is not a regular file' },
    ]),
  })
  await bind()
  const path = await opened()
  expect(execFileSync('find', [path, '-not', '-type', 'd', '-printf', '%y %P\\n'], { encoding: 'utf8' }).trim().split('\n').sort()).toEqual(
    ['f SKILL.md', 'f assets/fill.py', 'f assets/form.pdf', 'f scripts/fill.py'],
  )
  const got = await ground.service.getSkill(ground.situation, 'pdf')
  expect(got.ok && got.value.folder_notes).toContain(`keys: ${link}.`)
  // What other programs create does not change the hash.
  ground.write(join(folder, '.git/HEAD'), 'x')
  expect(await opened()).toBe(path)
})

test('a folder that is too large is bound without its files, by the instructions alone', async () => {
  mkdirSync(join(folder, 'many'))
  for (let no = 0; no < skillLimits.files; no += 1) writeFileSync(join(folder, 'many', `${no}.txt`), '')
  expect(await names()).toBe('its folder has more than 2000 files')
  const bound = await bind('always')
  const note = 'Its folder is too large, so agents get only its instructions.'
  expect(bound).toMatchObject({ ok: true, value: { barrier: null, folder: { state: 'closed', note } } })
  expect(await folders()).toEqual({ open: [], closed: [] })
  expect((await ground.service.injectionFor(ground.situation, 10_000)).text).toContain('Do the work of pdf.')
  writeFileSync(join(folder, 'SKILL.md'), skillText('pdf', '', 'Other.'))
  expect(await listed()).toMatchObject({ barrier: 'changed_since_bound' })

  rmSync(join(folder, 'many'), { recursive: true })
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(skillLimits.folder_bytes))
  expect(await names()).toBe('its folder has more than 64 MiB')
  rmSync(join(folder, 'large.bin'))
  mkdirSync(join(folder, Array.from({ length: 17 }, (_, depth) => `${depth}`).join('/')), { recursive: true })
  expect(await names()).toBe('its folders are more than 16 levels deep')
})

test('a binding of an older version gives the instructions as before, and not the folder', async () => {
  const older = (pinned_sha256: string | null) => {
    const { reviewed_sha256: _reviewed, ...fields } = request
    const bound_at = '2026-03-01T09:00:00.000Z'
    ground.records.put('agent_skill_bindings', 'agent/pdf', { ...fields, binding_policy: 'always', pinned_sha256, bound_at })
  }
  const { skills } = await ground.service.listSkills(ground.situation)
  for (const pinned of [null, skills[0]?.skill.content_sha256 ?? '']) {
    older(pinned)
    expect(await folders()).toEqual({ open: [], closed: [] })
    const { text } = await ground.service.injectionFor(ground.situation, 10_000)
    expect([text.includes('Do the work of pdf.'), text.includes('skill-copies'), text.includes('The folder of')]).toEqual([
      true,
      false,
      false,
    ])
    expect(await listed()).toMatchObject({ barrier: null, folder: { state: 'closed', note: expect.stringContaining('Assign it again') } })
    expect(await ground.service.load(ground.situation, 'pdf')).toMatchObject({ ok: true, value: { folder: null } })
  }
  writeFileSync(join(folder, 'SKILL.md'), skillText('pdf', '', 'Other.'))
  expect(await listed()).toMatchObject({ barrier: 'changed_since_bound', title: 'It has changed since it was assigned' })
})

test('only skills that the agent may load open their folder', async () => {
  await bind('summary_only')
  expect(await folders()).toEqual({ open: [], closed: [] })
  expect(await ground.service.foldersFor({ ...ground.situation, agent_id: 'other' })).toEqual({ open: [], closed: [] })
  expect((await ground.service.foldersFor({ ...ground.situation, invoked: ['pdf'] })).open).toHaveLength(1)
  await bind('on_demand')
  expect((await folders()).open).toHaveLength(1)
  ground.service.unbindSkill('agent', 'pdf')
  expect([await folders(), readdirSync(copies())]).toEqual([{ open: [], closed: [] }, []])
})

test('a copy that was changed is made again before it is used', async () => {
  await bind()
  const path = await opened()
  const script = join(path, 'scripts/fill.py')
  rmSync(script)
  writeFileSync(script, 'import os; os.system("send it away")\n')
  ground.write(join(path, 'added.py'), 'x')
  expect([await opened(), readFileSync(script, 'utf8')]).toEqual([path, 'print("filled")\n'])
  expect(await names(path)).toEqual(await names())
  // A link in place of the copy is not followed.
  rmSync(path, { recursive: true })
  symlinkSync('/etc', path)
  expect([await opened(), lstatSync(path).isSymbolicLink()]).toEqual([path, false])
})

test('a skill that is swapped after it was bound is never copied, also with the same size and time', async () => {
  await bind()
  rmSync(copies(), { recursive: true })
  const script = join(folder, 'scripts/fill.py')
  const { atime, mtime } = lstatSync(script)
  writeFileSync(script, 'print("felled")\n')
  execFileSync('touch', ['-d', mtime.toISOString(), '-a', '-m', script])
  expect([lstatSync(script).size, atime.getTime() > 0]).toEqual([16, true])
  expect(await folders()).toMatchObject({ open: [], closed: [{ message: expect.stringContaining('It has changed') }] })
  // Another folder in its place.
  renameSync(folder, join(ground.root, 'away'))
  ground.write(join(folder, 'SKILL.md'), skillText('pdf'))
  ground.write(join(folder, 'scripts/fill.py'), 'print("evil")\n')
  expect((await folders()).open).toEqual([])
})
