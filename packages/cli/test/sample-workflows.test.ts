// The workflows of the sample folder, saved and started in the terminal as their README says.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTandem } from './support/test-tandem.ts'

const here = useTandem((folder) => ({ ENV: 'production', HOME: folder, TANDEM_MEMORY_MODEL: 'off' }))

test('each file is saved as it is, and the one without a model or approval runs', { timeout: 300_000 }, async () => {
  const made = await here.command('command', 'workspace_make_sample', '{}')
  const { workspace } = JSON.parse(made.stdout)
  const files = readdirSync(join(workspace, 'workflows')).filter((name) => name.endsWith('.yaml'))
  for (const file of files) {
    const saved = await here.command('workflows', 'save', join(workspace, 'workflows', file), '--approve-calls')
    expect({ ...saved, stdout: '' }).toEqual({ status: 0, stdout: '', stderr: '' })
  }
  const { stdout } = await here.command('workflows', 'list', '--json')
  expect(stdout.trimEnd().split('\n')).toHaveLength(files.length)
  // While one command runs, another one that takes instructions from a file of the last two seconds needs an approval.
  const age = () => Date.now() - statSync(join(workspace, 'package.json')).ctimeMs
  await expect.poll(age).toBeGreaterThan(3_000)
  const started = await here.command('workflows', 'start', 'Nightly report', '--workspace', workspace)
  expect(started, started.stderr).toMatchObject({ status: 0, stdout: '"reports/report.txt"\n' })
  expect(existsSync(join(workspace, 'reports/report.txt'))).toBe(true)
})
