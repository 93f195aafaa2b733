// A small folder to try agents in: a greeting with a mistake, and a test that finds it. Always a fresh one; nothing that lies there is touched.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../feature/outcome.ts'

const most = 100

const files = {
  'README.md': `# A folder to try things in

\`greeting.js\` greets people, with a mistake in it. \`node --test\` finds the mistake.
Agents may change everything here, and everything can be taken back. Delete the folder when you no longer need it.
`,
  'package.json': '{ "name": "tandem-sample", "private": true, "type": "module" }\n',
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
}

/** In `parent`, under the first name that is free. */
export function makeSample(parent: string): Outcome<string> {
  for (let number = 1; number <= most; number += 1) {
    const folder = join(parent, number === 1 ? 'tandem-sample' : `tandem-sample-${number}`)
    if (!made(folder)) continue
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: 'wx' })
    return { ok: true, value: folder }
  }
  return { ok: false, code: 'limit_reached', message: `${parent} has ${most} sample folders already: delete some of them` }
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
