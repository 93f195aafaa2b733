// The folder of a skill in whole runs, in the real sandbox: scripts run and produce a document, and nothing else becomes accessible.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { skillText } from './support/skill/test-skills.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { approve, callOutcomes } from './support/test-mcp-run.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const source = (...names: string[]) => join(agent.folder, 'home', 'skills', 'letter', ...names)

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Uses a template next to it, as the document skills of other clients do. */
const script = `import pathlib, sys, zipfile
from xml.sax.saxutils import escape

template = pathlib.Path(__file__).parent.parent / 'assets' / 'letter.docx'
name, text, target = sys.argv[1:]
with zipfile.ZipFile(template) as old, zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as new:
    for entry in old.infolist():
        content = old.read(entry)
        if entry.filename == 'word/document.xml':
            content = content.decode().replace('{{name}}', escape(name)).replace('{{text}}', escape(text)).encode()
        new.writestr(entry, content)
print('wrote', target)
`

/** A minimal document, as a word processor writes it. */
function template(): Buffer {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const office = 'http://schemas.openxmlformats.org'
  const parts = {
    '[Content_Types].xml': `${xml}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${xml}<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Dear {{name}},</w:t></w:r></w:p><w:p><w:r><w:t>{{text}}</w:t></w:r></w:p></w:body></w:document>`,
  }
  const path = join(agent.folder, 'template.docx')
  const make =
    'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as made:\n  for name, text in json.load(sys.stdin).items(): made.writestr(name, text)'
  execFileSync('python3', ['-c', make, path], { input: JSON.stringify(parts) })
  return readFileSync(path)
}

/** A skill with a script and a binary template, bound to a new agent whose calls need no approval. */
async function withLetterSkill(more = '', mode: 'auto' | 'required' = 'auto'): Promise<string> {
  write(source('SKILL.md'), skillText('letter', more, 'Run `scripts/fill.py NAME TEXT TARGET`. See [the style](references/style.md).'))
  write(source('scripts/fill.py'), script)
  write(source('references/style.md'), 'Be brief.')
  write(source('assets/letter.docx'), template())
  const agent_id = await agent.agent()
  for (const tool of ['shell.exec', 'script.run', 'fs.write', 'fs.edit', 'fs.move', 'fs.delete', 'fs.mkdir'])
    await agent.policy(agent_id, tool, { approval_mode: mode })
  await agent.call('skill_bind', { agent_id, skill_name: 'letter', binding_policy: 'on_demand', reviewed_sha256: null })
  return agent_id
}

/** Loads the skill, then makes these calls with its folder. */
async function startCalling(calls: (folder: string) => readonly (readonly [string, unknown])[]): Promise<void> {
  let folder = ''
  agent = await startTestAgent((index, { messages }) => {
    if (index === 0) return { calls: [{ name: 'skill.load', arguments: { name: 'letter' } }] }
    folder ||= /The folder of this skill is (\S+)\. /.exec(String(messages.at(-1)?.content))?.[1] ?? ''
    const call = calls(folder)[index - 1]
    return call ? { calls: [{ name: call[0], arguments: call[1] }] } : { text: 'Done.' }
  })
}

/** Approves every call that needs it. */
async function askAndApprove(agent_id: string) {
  const { run_id } = await agent.ask(agent_id, 'Write a letter')
  while (agent.runtime.journal.run(run_id)?.state === 'paused') await approve(agent, run_id)
  return agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
}

const resultTexts = () =>
  agent.model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content)) ?? []

test('a skill with a script and a binary template produces a document', async () => {
  await startCalling((folder) => [
    ['fs.read', { path: `${folder}/references/style.md` }],
    ['fs.list', { path: folder }],
    ['fs.search', { pattern: 'template', path: folder }],
    ['shell.exec', { command: `python3 ${folder}/scripts/fill.py 'Ada & Co' 'All is well.' letter.docx` }],
    ['script.run', { language: 'python3', path: `${folder}/scripts/fill.py`, args: ['Bob', 'Hello.', 'second.docx'] }],
    ['shell.exec', { command: `cp ${folder}/assets/letter.docx template.docx` }],
  ])
  // Reading in the folder needs no approval, although the skill names no tool that reads.
  const agent_id = await withLetterSkill('allowed-tools: Bash script.run\n')
  const { state, results } = await agent.ask(agent_id, 'Write a letter')
  expect([state, results.map(({ outcome }) => outcome)]).toEqual(['completed', results.map(() => 'succeeded')])
  expect(results).toHaveLength(7)

  const [loaded = '', read = '', list = ''] = resultTexts()
  expect(loaded).toContain('These are the instructions of the skill letter, which the user assigned to you.')
  expect(loaded).toContain('\nRun `scripts/fill.py NAME TEXT TARGET`. See [the style](references/style.md).\n')
  expect(loaded.trimEnd().split('\n').slice(-4)).toEqual([
    'Its files:',
    '- assets/letter.docx',
    '- references/style.md',
    '- scripts/fill.py',
  ])
  expect([read.includes('Be brief.'), list.includes('SKILL.md')]).toEqual([true, true])

  const text = (name: string) => execFileSync('unzip', ['-p', join(agent.workspace, name), 'word/document.xml'], { encoding: 'utf8' })
  const parse =
    'import sys, xml.dom.minidom as dom\nprint("|".join(t.firstChild.data for t in dom.parse(sys.stdin).getElementsByTagName("w:t")))'
  const words = (name: string) => execFileSync('python3', ['-c', parse], { input: text(name), encoding: 'utf8' }).trim()
  execFileSync('unzip', ['-tq', join(agent.workspace, 'letter.docx')])
  expect(words('letter.docx')).toBe('Dear Ada & Co,|All is well.')
  expect(words('second.docx')).toBe('Dear Bob,|Hello.')
  expect(readFileSync(join(agent.workspace, 'template.docx'))).toEqual(readFileSync(source('assets/letter.docx')))
})

test('commands cannot change the folder, and see nothing else of the folder of Tandem', async () => {
  const home = () => join(agent.folder, 'home')
  const probes = (folder: string) => [
    `echo x > ${folder}/scripts/fill.py`,
    `echo x > ${folder}/new.txt`,
    `rm -rf ${folder}`,
    `mv ${folder} ${folder}-2`,
    `chmod -R u+w ${folder} && echo x >> ${folder}/SKILL.md`,
    `python3 ${folder}/scripts/own.py`,
    `cat ${folder}/../../../tandem.db`,
    `cat ${home()}/skills/letter/SKILL.md`,
    `ls ${home()}/settings.json`,
    `mount --bind /tmp ${folder}`,
    `cat ${folder}/keys/id_ed25519 ${folder}/up/tandem.db`,
    `test "$(ls -A ${home()})" = skill-copies && test "$(ls ${home()}/skill-copies | wc -l)" = 1`,
  ]
  await startCalling((folder) => probes(folder).map((command) => ['shell.exec', { command }] as const))
  const secrets = join(agent.folder, 'person', '.ssh')
  write(join(secrets, 'id_ed25519'), 'a private key')
  write(source('scripts/own.py'), 'import pathlib\n(pathlib.Path(__file__).parent / "own.txt").write_text("x")\n')
  symlinkSync(secrets, source('keys'))
  symlinkSync('../..', source('up'))
  // Another skill, which is not bound to this agent.
  write(join(home(), 'skills', 'other', 'SKILL.md'), skillText('other'))
  const agent_id = await withLetterSkill()
  const another = await agent.agent()
  await agent.call('skill_bind', { agent_id: another, skill_name: 'other', binding_policy: 'always', reviewed_sha256: null })
  expect(readdirSync(join(home(), 'skill-copies'))).toHaveLength(2)

  const results = await askAndApprove(agent_id)
  const codes = results.slice(1).map(({ output }) => (output as { exit_code: number }).exit_code)
  expect(codes.map((code) => code === 0)).toEqual([
    ...probes('')
      .slice(0, -1)
      .map(() => false),
    true,
  ])
  expect(resultTexts().join('\n')).not.toMatch(/a private key|SQLite format/)
  expect(readdirSync(source()).sort()).toEqual(['SKILL.md', 'assets', 'keys', 'references', 'scripts', 'up'])
  expect(existsSync(source('scripts/own.txt'))).toBe(false)
  const { items } = await agent.call('skill_binding_list', { agent_id })
  expect(items.map(({ barrier }) => barrier)).toEqual([null])
})

test('file tools read only this folder of the folder of Tandem, and write nothing there', async () => {
  const calls = (folder: string) =>
    [
      ['fs.write', { path: `${folder}/new.txt`, content: 'x' }],
      ['fs.edit', { path: `${folder}/SKILL.md`, edits: [{ old_text: 'Run', new_text: 'Skip' }] }],
      ['fs.move', { from: `${folder}/SKILL.md`, to: 'SKILL.txt' }],
      ['fs.delete', { path: `${folder}/scripts`, recursive: true }],
      ['fs.mkdir', { path: `${folder}/more` }],
      ['fs.read', { path: `${folder}/../../../settings.json` }],
      ['fs.read', { path: join(agent.folder, 'home', 'skills', 'letter', 'SKILL.md') }],
      ['fs.list', { path: dirname(folder) }],
      ['fs.list', { path: join(agent.folder, 'home') }],
      ['fs.search', { pattern: 'x', path: join(agent.folder, 'home') }],
      ['fs.read', { path: `${folder}/references/style.md` }],
    ] as const
  await startCalling(calls)
  const agent_id = await withLetterSkill()
  write(join(agent.folder, 'home', 'settings.json'), '{}')
  const results = await askAndApprove(agent_id)
  expect(results.map(({ outcome, failure_contract }) => failure_contract?.reason_code ?? outcome)).toEqual([
    'succeeded',
    ...calls('')
      .slice(0, -1)
      .map(() => 'path_forbidden'),
    'succeeded',
  ])
})

test('a skill that is swapped while its call waits for approval is not run', async () => {
  await startCalling((folder) => [
    ['shell.exec', { command: `python3 ${folder}/scripts/fill.py Ada Hello letter.docx` }],
    ['shell.exec', { command: `python3 ${folder}/scripts/fill.py Ada Hello letter.docx` }],
    ['fs.read', { path: `${folder}/references/style.md` }],
  ])
  const agent_id = await withLetterSkill('', 'required')
  const { run_id, state } = await agent.ask(agent_id, 'Write a letter')
  expect(state).toBe('paused')
  write(source('scripts/fill.py'), 'open("evil.txt", "w").write("x")\n')
  await approve(agent, run_id)
  expect(callOutcomes(agent, run_id)).toEqual({
    state: 'completed',
    calls: ['succeeded', 'skill_not_usable', 'skill_not_usable', 'skill_not_usable'],
  })
  expect(resultTexts()[1]).toContain('The skill letter cannot be used: It has changed since it was assigned: scripts/fill.py.')
  expect([existsSync(join(agent.workspace, 'letter.docx')), existsSync(join(agent.workspace, 'evil.txt'))]).toEqual([false, false])

  // Assigned again, it is the new script that was reviewed.
  const { items } = await agent.call('skill_binding_list', { agent_id })
  expect(items.map(({ title, changed_files }) => [title, changed_files])).toEqual([
    ['It has changed since it was assigned: scripts/fill.py', ['scripts/fill.py']],
  ])
})

test('a workspace that contains the folder of Tandem changes nothing', async () => {
  await startCalling((folder) => [
    ['shell.exec', { command: `python3 ${folder}/scripts/fill.py Ada Hello letter.docx` }],
    ['shell.exec', { command: `echo x > ${folder}/new.txt` }],
    ['shell.exec', { command: 'cat home/tandem.db home/skills/letter/SKILL.md' }],
  ])
  const agent_id = await withLetterSkill()
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.folder })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Write a letter' })
  await agent.runtime.settled(run.run_id)
  const codes = agent.runtime.journal.steps(run.run_id).flatMap(({ step }) => {
    return step.kind === 'tool.result' ? [(step.output as { exit_code?: number } | null)?.exit_code] : []
  })
  expect(codes).toEqual([undefined, 0, 1, 1])
  expect(existsSync(join(agent.folder, 'letter.docx'))).toBe(true)
})
