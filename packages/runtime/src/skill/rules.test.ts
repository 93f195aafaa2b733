// The pure rules of skills, with their tables and invariants.
import { bindingPolicies, type Skill, type SkillBinding, skillProblem } from '@tandem/contract/skill'
import { SkillFrontmatter } from '@tandem/contract/skill/schema'
import { defaultToolPolicy } from '@tandem/contract/tool'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import * as yaml from 'yaml'
import { stricter } from '../policy/strictness.ts'
import { namesTool, restrictedBySkills } from './allowed-tools.ts'
import { parseSkill } from './frontmatter.ts'
import { type Candidate, estimateTokens, inject, policyLevels, unusableReason } from './injection.ts'
import { noRequirements } from './requirements.ts'
import { skillTools } from './tools.ts'

const sha = 'a'.repeat(64)

function candidate(name: string, change: { binding?: Partial<SkillBinding>; skill?: Partial<Skill>; body?: string } = {}): Candidate {
  return {
    binding: {
      agent_id: 'agent',
      skill_name: name,
      binding_policy: 'always',
      source: 'user',
      recommendation_id: null,
      pinned_sha256: null,
      bound_at: '2026-03-01T09:00:00.000Z',
      ...change.binding,
    },
    skill: {
      name,
      description: `About ${name}.`,
      metadata: [],
      allowed_tools: [],
      requires: noRequirements,
      root: 'user',
      path: `/skills/${name}/SKILL.md`,
      content_sha256: sha,
      problems: [],
      notes: [],
      scanned_at: '2026-03-01T09:00:00.000Z',
      ...change.skill,
    },
    flags: [],
    folder: null,
    names: ['guide.md'],
    body: change.body ?? `Body of ${name}.`,
    files: [{ name: 'guide.md', text: `Guide of ${name}.` }],
  }
}

test.each([
  ['missing', { ...candidate('a'), skill: undefined }],
  ['problems', candidate('a', { skill: { problems: [skillProblem('missing_env', 'X')] } })],
  ['not_reviewed', candidate('a', { skill: { root: 'workspace' } })],
  ['changed_since_bound', candidate('a', { binding: { pinned_sha256: 'b'.repeat(64) } })],
  [null, candidate('a', { binding: { pinned_sha256: sha }, skill: { root: 'workspace' } })],
  [null, candidate('a')],
] as const)('the barrier %s', (reason, given) => {
  expect(unusableReason(given)).toBe(reason)
})

test('the budget is never exceeded, nothing is truncated, and everything left out is reported', () => {
  const some = fc.array(
    fc.record({
      policy: fc.constantFrom(...bindingPolicies),
      length: fc.nat(3_000),
      root: fc.constantFrom('user' as const, 'workspace' as const),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(some, fc.nat(3_000), (given, budget) => {
      const candidates = given.map(({ policy, length, root }, index) =>
        candidate(`skill-${index}`, { binding: { binding_policy: policy }, skill: { root }, body: 'x'.repeat(length) }),
      )
      const injection = inject(candidates, budget)
      expect(injection.tokens).toBeLessThanOrEqual(Math.max(budget, 0))
      expect(estimateTokens(injection.text)).toBeLessThanOrEqual(injection.tokens + injection.skills.length + 1)
      for (const { binding, skill } of candidates) {
        const got = injection.skills.find(({ skill_name }) => skill_name === skill?.name)
        const missed = injection.left_out.filter(({ skill_name }) => skill_name === skill?.name)
        const wanted = policyLevels[binding.binding_policy].level
        expect(got?.level === wanted || missed.some(({ level }) => level === wanted)).toBe(true)
      }
    }),
  )
})

test('names come before bodies: one long skill does not displace the others', () => {
  const long = candidate('long', { body: 'x'.repeat(100_000) })
  const short = candidate('short', { binding: { bound_at: '2026-03-02T09:00:00.000Z' } })
  const { skills, left_out } = inject([long, short], 200)
  expect(skills.map(({ skill_name, level }) => [skill_name, level])).toEqual([
    ['long', 'summary'],
    ['short', 'body'],
  ])
  expect(left_out).toEqual([
    {
      skill_name: 'long',
      level: 'body',
      reason: 'over_budget',
      title: 'It does not fit into the part of the context window that skills may use',
      problems: [],
    },
  ])
})

test('no text makes the parser throw or return an invalid frontmatter', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'name: x',
      'description: d',
      'requires:',
      '  binaries: [a]',
      '  env: 3',
      'allowed-tools: a b(c d)',
      '- x',
      '? y',
      '&a b',
      '*a',
      '{',
      '[',
      '"',
      '|',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line), fc.string(), (lines, body) => {
      const { frontmatter } = parseSkill(`---\n${lines.join('\n')}\n---\n${body}`, 'Some Folder!', yaml)
      expect(Check(SkillFrontmatter, frontmatter)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['sequences in sequences', `metadata:\n  - ${'- '.repeat(7_000)}x`],
  ['keys in keys', '? '.repeat(8_000)],
  ['open maps', `metadata: ${'{a: '.repeat(3_900)}`],
  ['closed maps', `metadata: ${'{a: '.repeat(2_500)}1${'}'.repeat(2_500)}`],
  ['lists with something in between', `metadata: ${'[a, '.repeat(4_000)}`],
  ['maps and lists in turn', `metadata: ${'[ {'.repeat(3_000)}`],
])('%s without end are reported as nesting', (_what, block) => {
  const { problems } = parseSkill(`---\nname: x\ndescription: d\n${block}\n---\nBody.`, 'f', yaml)
  expect(problems[0]).toEqual(skillProblem('invalid_frontmatter', 'the frontmatter is nested too deeply'))
})

test('names with a meaning in JavaScript are ordinary names', () => {
  const block = 'name: x\ndescription: d\n__proto__:\n  polluted: yes\nmetadata:\n  __proto__: a\n  constructor: b'
  const { frontmatter, problems } = parseSkill(`---\n${block}\n---\n`, 'f', yaml)
  expect([problems, frontmatter.metadata.map(({ name, value }) => [name, value]), 'polluted' in {}]).toEqual([
    [],
    [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ],
    false,
  ])
})

test('accepts a byte order mark and Windows line ends', () => {
  const { frontmatter, body, problems } = parseSkill('\ufeff---\r\nname: win\r\ndescription: d\r\n---\r\nBody.\r\n', 'f', yaml)
  expect([frontmatter.name, body, problems]).toEqual(['win', 'Body.', []])
})

test.each([
  ['fs.read', ['Read'], true],
  ['fs.read', ['fs.*'], true],
  ['fs.write', ['Read'], false],
  ['shell.exec', ['Bash(git:*)'], false],
  ['mcp.files.read', ['mcp__files__read'], true],
  ['mcp.files.read', ['mcp.files.read'], true],
])('%s by %s: %s', (tool, allowed, named) => {
  expect(namesTool(allowed, tool)).toBe(named)
})

test('allowed-tools only ever makes more calls need approval', () => {
  const modes = ['auto', 'required', 'manual_each_call', 'deny'] as const
  const usual = { ...defaultToolPolicy('fs.read'), sandbox_mode: 'workspace' as const }
  fc.assert(
    fc.property(fc.constantFrom(...modes), fc.array(fc.array(fc.constantFrom('Read', 'fs.*', 'Bash', '*'))), (approval_mode, lists) => {
      const policy = { ...usual, approval_mode }
      const narrowed = stricter(policy, restrictedBySkills(policy, 'fs.read', lists))
      const isNamed = lists.every((list) => list.length === 0 || namesTool(list, 'fs.read'))
      expect(narrowed).toEqual(approval_mode === 'auto' && !isNamed ? { ...policy, approval_mode: 'required' } : policy)
    }),
  )
})

test('skill.load refuses by name', async () => {
  const failure = { code: 'unknown_binding', message: 'x is not assigned to agent', remedy: 'List the skills of the agent.' } as const
  const [load] = skillTools({ load: async () => ({ ok: false, failure }) } as never)
  expect(load?.effects({}, { workspace: '/' })).toEqual([])
  await expect(load?.run({ name: 'x' } as never, { ids: { agent_id: 'agent' } } as never)).rejects.toMatchObject({
    reason_code: 'unknown_binding',
    facts: { subject: 'x', remedy: 'List the skills of the agent.' },
  })
})
