import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSkillTestEnvironment, type SkillTestEnvironment, skillText } from '../../test/support/skill/test-skills.ts'
import type { DeviceOnlyFields, NewStep } from '../journal/step.ts'
import { layeredPolicy } from '../policy/call-policies.ts'
import { openRunSkills, type RunSkills, type RunSkillsPorts } from './run-skills.ts'

type Run = Parameters<RunSkills['textFor']>[0]
type Journaled = ReturnType<RunSkillsPorts['journal']['steps']>[number]

let ground: SkillTestEnvironment
let run: Run
let steps: Journaled[]
let opened: RunSkills[]
beforeEach(() => {
  ground = createSkillTestEnvironment()
  steps = []
  opened = []
  run = {
    no: 1,
    run_id: 'run',
    conversation: 1,
    conversation_id: 'conversation',
    agent_id: 'agent',
    device_id: 'device',
    title: '',
    state: 'running',
    pause_reason: null,
    model: 'm',
    sandbox_mode: 'workspace',
    workspace: ground.workspace,
    next_seq: 1,
    turns: 0,
    retries: 0,
    retry_at: null,
    workflow_run_id: null,
    started_at: 0,
    updated_at: 0,
    ended_at: null,
    usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false },
    failure_contract: null,
  }
})
afterEach(() => {
  for (const one of opened) one.stop()
  ground.close()
})

/** As after a start: everything known is in the journal. */
function open(): RunSkills {
  const journal = { steps: () => steps, run: (run_id: string) => (run_id === 'run' ? run : undefined), messages: { get: () => undefined } }
  const made = openRunSkills({ service: ground.service, journal, budgetOf: async () => 10_000 })
  opened.push(made)
  return made
}

function journaled(step: NewStep, here: DeviceOnlyFields): void {
  const seq = steps.length
  const place = { step_id: `s${seq}`, run_id: 'run', conversation_id: 'c', agent_id: 'agent', device_id: 'd', seq, ts: '' }
  steps.push({ step: { ...place, ...step }, here })
}

async function bound(name: string, policy: 'on_demand' | 'always', tools: string): Promise<string> {
  const path = ground.write(join(ground.own, name, 'SKILL.md'), skillText(name, tools === '' ? '' : `allowed-tools: ${tools}\n`))
  await bind(name, policy)
  return path
}

async function bind(name: string, policy: 'on_demand' | 'always'): Promise<void> {
  const answer = await ground.service.bindSkill(ground.situation, {
    agent_id: 'agent',
    skill_name: name,
    binding_policy: policy,
    source: 'user',
    recommendation_id: null,
    reviewed_sha256: null,
  })
  if (!answer.ok) throw new Error(answer.failure.message)
}

const auto = { ...defaultToolPolicy('fs.read'), approval_mode: 'auto' as const, sandbox_mode: 'workspace' as const }
const subject = { agent_id: 'agent', run_id: 'run', workspace: null }
const modes = (skills: RunSkills, ...tools: string[]) =>
  tools.map((tool) => layeredPolicy(auto, [skills.policy], { ...subject, tool }).policy.approval_mode)

test('without a binding nothing is included, recorded or restricted', async () => {
  const skills = open()
  expect(await skills.textFor(run)).toEqual({ text: '', given: null })
  expect(modes(skills, 'fs.read', 'shell.exec')).toEqual(['auto', 'auto'])
  expect(skills.given('run')).toBeNull()
})

test('records what is included with its cost, level and hash, and what was left out with its reason', async () => {
  await bound('pdf', 'always', 'Read')
  await bound('lint', 'on_demand', 'Bash')
  ground.write(join(ground.own, 'lint/SKILL.md'), '# No longer a skill')
  const { text, given } = await open().textFor(run)
  const { skills } = await ground.service.listSkills(ground.situation)
  const pdf = skills.find(({ skill }) => skill.name === 'pdf')?.skill
  expect(text).toContain('Do the work of pdf.')
  expect(given).toEqual({
    tokens: expect.any(Number),
    skills: [
      {
        skill_name: 'pdf',
        binding_policy: 'always',
        level: 'body',
        content_sha256: pdf?.content_sha256,
        allowed_tools: ['Read'],
        tokens: expect.any(Number),
      },
    ],
    left_out: [{ skill_name: 'lint', level: 'summary', reason: 'problems', title: 'It cannot be used here' }],
  })
})

test('a skill restricts tools when its body is in use: immediately with `always`, otherwise once it is loaded', async () => {
  await bound('pdf', 'on_demand', 'Read')
  const skills = open()
  await skills.textFor(run)
  expect(modes(skills, 'fs.read', 'fs.write')).toEqual(['auto', 'auto'])
  skills.loaded('run', ['Read'])
  expect(modes(skills, 'fs.read', 'fs.write', 'skill.load')).toEqual(['auto', 'required', 'auto'])

  await bound('lint', 'always', 'Read Write')
  skills.changed()
  await skills.textFor(run)
  expect(modes(skills, 'fs.read', 'fs.write')).toEqual(['auto', 'required'])
})

test('restricts after a crash too, according to the journal', async () => {
  const given = { tokens: 9, left_out: [], skills: [{ ...record('pdf'), level: 'body' as const, allowed_tools: ['Read', 'Bash'] }] }
  journaled({ kind: 'model.called', model: 'm', turn: 1 } as NewStep, { skills: given })
  expect(modes(open(), 'fs.read', 'shell.exec', 'fs.write')).toEqual(['auto', 'auto', 'required'])
  loadedBefore({ allowed_tools: ['Read'] })
  expect(modes(open(), 'fs.read', 'shell.exec')).toEqual(['auto', 'required'])
  // Too long for the record: nothing is known to be allowed.
  loadedBefore({ head: '…' })
  expect(modes(open(), 'fs.read')).toEqual(['required'])
  expect(open().given('run')).toEqual(given)
})

test('neither a summary in the journal nor a failed load restricts anything', () => {
  journaled({ kind: 'model.called', model: 'm', turn: 1 } as NewStep, {
    skills: { tokens: 9, left_out: [], skills: [{ ...record('pdf'), level: 'summary', allowed_tools: ['Read'] }] },
  })
  loadedBefore({ allowed_tools: ['Read'] }, 'failed')
  expect(modes(open(), 'shell.exec')).toEqual(['auto'])
})

test('the text stays the same from turn to turn, until a file changes or something is bound', async () => {
  const path = await bound('pdf', 'always', '')
  const skills = open()
  const first = await skills.textFor(run)
  expect(await skills.textFor(run)).toBe(first)
  ground.write(path, skillText('pdf', '', 'Another way.'))
  const left_out = [
    { skill_name: 'pdf', level: 'body', reason: 'changed_since_bound', title: 'It has changed since it was assigned: SKILL.md' },
  ]
  await vi.waitFor(async () => expect((await skills.textFor(run)).given?.left_out).toEqual(left_out), 60_000)
  await bind('pdf', 'always')
  skills.changed()
  expect((await skills.textFor(run)).text).toContain('Another way.')
  ground.service.unbindSkill('agent', 'pdf')
  skills.changed()
  expect(await skills.textFor(run)).toEqual({ text: '', given: null })
})

test('forgets a run that ended', async () => {
  await bound('pdf', 'always', 'Read')
  const skills = open()
  await skills.textFor(run)
  expect(modes(skills, 'fs.write')).toEqual(['required'])
  skills.end('run')
  expect(modes(skills, 'fs.write')).toEqual(['auto'])
})

function record(skill_name: string) {
  return { skill_name, binding_policy: 'always' as const, content_sha256: 'a'.repeat(64), tokens: 9 }
}

function loadedBefore(output: object, outcome: 'succeeded' | 'failed' = 'succeeded'): void {
  journaled({ kind: 'tool.result', call_id: 'c', outcome, output, truncated: false, failure_contract: null } as NewStep, {
    tool: 'skill.load',
  })
}
