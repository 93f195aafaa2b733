// Skills written from the standard alone, in all the ways that people write them: each loads, or is rejected with the reason.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Skill } from '@tandem/contract/skill/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSkillTestEnvironment, type SkillTestEnvironment } from '../../test/support/skill/test-skills.ts'

let ground: SkillTestEnvironment
beforeEach(() => {
  ground = createSkillTestEnvironment()
})
afterEach(() => ground.close())

interface Expected {
  readonly name: string
  readonly description?: string
  readonly notes?: readonly (string | RegExp)[]
  readonly problem?: string | RegExp
}

const words = (count: number) => Array.from({ length: count }, (_, no) => `word${no}`).join(' ')

const skills: readonly (readonly [string, string, string, Expected])[] = [
  [
    'every field of the standard',
    'pdf-processing',
    `---
name: pdf-processing
description: Extracts text and tables from PDF files. Use when the user mentions PDFs or forms.
license: Proprietary. LICENSE.txt has complete terms
compatibility: Requires Python 3.12+ and poppler
metadata:
  author: example-org
  version: "1.0"
allowed-tools:
  - Bash(pdftotext:*)
  - Read
---
# PDF processing
`,
    { name: 'pdf-processing', description: 'Extracts text and tables from PDF files. Use when the user mentions PDFs or forms.' },
  ],
  [
    'a colon without quotes',
    'reports',
    '---\nname: reports\ndescription: Use this skill when: the user asks for a report: weekly or monthly\n---\nText.',
    {
      name: 'reports',
      description: 'Use this skill when: the user asks for a report: weekly or monthly',
      notes: [/^The frontmatter is not valid YAML \(line 3: .*\); it was read with quotes around its values\.$/],
    },
  ],
  [
    'a colon in the second line of a value, and a value with quotes in it',
    'notes',
    `---
name: notes
description: Takes notes
  like this: "one" and it's fine
metadata:
  hint: before: after
  author: someone
---
`,
    { name: 'notes', description: `Takes notes like this: "one" and it's fine`, notes: [/not valid YAML/] },
  ],
  [
    'values that begin with characters of YAML',
    'commit-helper',
    '---\nname: commit-helper\ndescription: *Helps* with commits\nargument-hint: [type] [scope]\nicon: @commit\n---\nText.',
    {
      name: 'commit-helper',
      description: '*Helps* with commits',
      notes: [/not valid YAML/, 'Tandem does not use these fields: argument-hint, icon.'],
    },
  ],
  [
    'a name that is not in the form of the standard, in a folder with another one',
    'spreadsheets',
    '---\nname: Excel_Tools (v2)\ndescription: Edits spreadsheets.\n---\nText.',
    {
      name: 'excel-tools-v2',
      notes: [
        'The name "Excel_Tools (v2)" is not made of lowercase letters, digits and single hyphens; it is used as excel-tools-v2. It is not that of its folder, "spreadsheets".',
      ],
    },
  ],
  [
    'a name that is too long',
    'long',
    `---\nname: ${'very-'.repeat(15)}long\ndescription: Has a long name.\n---\nText.`,
    {
      name: `${'very-'.repeat(12)}very`,
      notes: [/^The name "very-.*" has 79 characters, and the standard allows 64; it is used as very-.*-very\.$/],
    },
  ],
  [
    'a name in another script, in a file from Windows',
    '翻译',
    '\ufeff---\r\nname: 翻译\r\ndescription: 把文档翻译成英文。\r\n---\r\n# 翻译\r\n',
    {
      name: 'skill-a52a0833',
      description: '把文档翻译成英文。',
      notes: [/^The name "翻译" is not made of .*; it is used as skill-a52a0833\.$/],
    },
  ],
  [
    'no name',
    'Meeting Notes',
    '---\ndescription: Writes minutes.\n---\nText.',
    { name: 'meeting-notes', notes: ['It has no name; it is used as meeting-notes, after its folder.'] },
  ],
  [
    'a long description, license and compatibility',
    'legal',
    `---\nname: legal\ndescription: >\n  ${words(300)}\nlicense: |\n  ${words(200)}\ncompatibility: ${words(100)}\n---\nText.`,
    {
      name: 'legal',
      description: words(300),
      notes: [
        'The description has 2289 characters, and the standard allows 1024.',
        'compatibility has 689 characters, and the standard allows 500.',
      ],
    },
  ],
  [
    'fields of other clients, indented with tabs',
    'deploy',
    '---\nname: deploy\ndescription: Deploys the service.\nversion: 1.2.0\nmodel: large\ndisable-model-invocation: true\nhooks:\n\tstart: run.sh\n---\nText.',
    {
      name: 'deploy',
      notes: [/not valid YAML/, 'Tandem does not use these fields: version, model, disable-model-invocation, hooks.'],
    },
  ],
  [
    'requirements of other clients',
    'scraper',
    '---\nname: scraper\ndescription: Reads pages.\nrequires:\n  - python>=3.10\n  - requests\n---\nText.',
    {
      name: 'scraper',
      notes: ['Tandem does not use the field requires of this skill; what Tandem checks is in metadata.tandem-requires.'],
    },
  ],
  [
    'our requirements as text, as the standard wants metadata',
    'strict-metadata',
    `---\nname: strict-metadata\ndescription: Uses sh.\nmetadata:\n  tandem-requires: "{binaries: [sh], gravity: low}"\n---\nText.`,
    { name: 'strict-metadata', notes: ['Tandem does not know these requirements: gravity.'] },
  ],
  [
    'our requirements where older versions had them',
    'older',
    '---\nname: older\ndescription: Uses sh.\nrequires:\n  binaries: [no-such-program]\n---\nText.',
    {
      name: 'older',
      notes: ['The field requires is still read, but belongs in metadata.tandem-requires.'],
      problem: 'Install no-such-program and make sure that it is on PATH.',
    },
  ],
  [
    'fields of the wrong kind',
    'odd',
    '---\nname: odd\ndescription: Is odd.\nlicense: {name: MIT}\nmetadata: [a]\nallowed-tools: {Read: true}\n---\nText.',
    {
      name: 'odd',
      notes: [
        'metadata is a list, not a map; it is not used.',
        'license is a map, not text.',
        'allowed-tools is a map, not a list of tools; it is not used.',
      ],
    },
  ],
  [
    'a field that is given twice, and lines of --- in the text',
    'twice',
    '\n---\nname: twice\ndescription: First.\ndescription: Second.\n---\n\nText.\n\n---\n\nMore.',
    { name: 'twice', description: 'Second.', notes: ['A field of the frontmatter is given twice; the last one is used.'] },
  ],
  ['nothing but a frontmatter', 'brief', '---\nname: brief\ndescription: Be brief.\n---', { name: 'brief', description: 'Be brief.' }],
  [
    'no description',
    'silent',
    '---\nname: silent\n---\nText.',
    { name: 'silent', problem: 'Fix this in SKILL.md: the description is missing.' },
  ],
  [
    'no frontmatter',
    'plain',
    '# Plain\n\nJust text.',
    { name: 'plain', problem: 'Fix this in SKILL.md: it does not begin with a frontmatter, a block between two lines of ---.' },
  ],
  [
    'a frontmatter that does not end',
    'endless',
    '---\nname: endless\ndescription: Never ends.\n\n# Text',
    { name: 'endless', problem: 'Fix this in SKILL.md: the frontmatter has no second line of ---.' },
  ],
  [
    'something that is not YAML',
    'broken',
    '---\nname: broken\n  description: Is indented.\n- item\n---\nText.',
    { name: 'broken', problem: /^Fix this in SKILL\.md: the frontmatter is not valid YAML: line \d: .+\.$/ },
  ],
]

test.each(skills)('%s', async (_what, folder, text, { name, description, notes = [], problem }) => {
  mkdirSync(join(ground.own, folder))
  writeFileSync(join(ground.own, folder, 'SKILL.md'), text)
  const { skills: found } = await ground.service.listSkills(ground.situation)
  const [{ skill } = { skill: undefined }] = found
  expect(Check(Skill, skill)).toBe(true)
  expect([skill?.name, ...(description === undefined ? [] : [skill?.description])]).toEqual([name, ...(description ? [description] : [])])
  const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
  expect(skill?.notes).toEqual(notes.map(matching))
  expect(skill?.problems.map(({ hint }) => hint)).toEqual(problem === undefined ? [] : [matching(problem)])
  const bound = await ground.service.bindSkill(ground.situation, {
    agent_id: 'agent',
    skill_name: name,
    binding_policy: 'always',
    source: 'user',
    recommendation_id: null,
    reviewed_sha256: null,
  })
  expect(bound).toMatchObject({ ok: true, value: { barrier: problem === undefined ? null : 'problems' } })
})
