// A small folder to try agents and workflows in: a greeting with a bug, a test that finds it, files to tidy, and workflows. Always a new
// folder; existing files are not changed.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Outcome } from '../feature/outcome.ts'
import { sampleWorkflows, sampleWorkflowsReadme } from './sample-workflows.ts'

const most = 100

const files = {
  'README.md': `# Sample folder

\`greeting.js\` greets people, but it has a bug. \`node --test\` finds it.
\`workflows\` contains workflows to try; one of them tidies \`inbox\`.
Agents can change everything here, and you can undo every change. Delete the folder when you no longer need it.
`,
  'package.json': '{ "name": "tandem-sample", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'greeting.js': `export function greeting(name) {
  return \`Helo, \${name}!\`
}
`,
  'greeting.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { greeting } from './greeting.js'

test('people are greeted by their name', () => {
  assert.equal(greeting('Mara'), 'Hello, Mara!')
})
`,
  'inbox/ideas.md': '# Ideas\n\n- Greet people in their own language.\n',
  'inbox/languages.csv': 'language,greeting\nEnglish,Hello\nFrench,Bonjour\n',
  'inbox/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>\n',
  'inbox/old-greeting.bak': 'Helo\n',
  'workflows/README.md': sampleWorkflowsReadme,
  ...Object.fromEntries(Object.entries(sampleWorkflows).map(([name, text]) => [`workflows/${name}`, text])),
}

/** Creates the folder in `parent`, with the first free name. */
export function makeSample(parent: string): Outcome<string> {
  for (let number = 1; number <= most; number += 1) {
    const folder = join(parent, number === 1 ? 'tandem-sample' : `tandem-sample-${number}`)
    if (!made(folder)) continue
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text, { flag: 'wx' })
    }
    return { ok: true, value: folder }
  }
  return { ok: false, code: 'limit_reached', message: `${parent} already has ${most} sample folders: delete some of them` }
}

function made(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
