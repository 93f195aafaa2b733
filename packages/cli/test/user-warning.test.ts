// Every command shows a warning if Tandem runs as root, separate from the command's output.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { warningsFor } from '@tandem/contract/status'
import { expect, onTestFinished, test } from 'vitest'
import { createTestFolder } from './support/test-tandem.ts'

const bin = fileURLToPath(new URL('../bin/tandem.js', import.meta.url))

test('each command warns on stderr, before everything else', () => {
  const folder = createTestFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TANDEM_HOME: join(folder, 'home') }
  const expected = warningsFor(process.getuid?.() ?? null).map(({ message, remedy }) => `tandem: warning: ${message} ${remedy}`)
  for (const args of [['runs'], ['agents', 'list'], ['command', 'agent_list']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: 'utf8' })
    expect([status, stderr.trim(), stdout.includes('root')]).toEqual([0, expected.join('\n'), false])
  }
})
