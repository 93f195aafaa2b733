// Remote executors in the settings: added with a fingerprint that is compared, tested and removed; and why a skill runs on this device.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReferenceExecutor, startReferenceExecutor } from '../packages/runtime/src/runtime.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop
let folder: string
let other: ReferenceExecutor
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-other-machine-'))
  const start = await startReferenceExecutor({
    ...{ folder, listen: '127.0.0.1', port: 0, hosts: [], plain: false, capabilities: ['gpu.cuda'], renew_token: false },
    ...{ allow_root: true, environment: { PATH: process.env.PATH }, uid: null },
  })
  if (!start.ok) throw new Error(start.problem)
  other = start.executor
})
afterEach(async () => {
  await other.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, desktop.window.url).href)
}

test('an executor is added, makes a skill usable, is reported when it is gone, and is removed', async () => {
  desktop = await openDesktop(() => ({ text: 'Fine.' }))
  const skill = join(desktop.runtime.home, 'skills', 'train')
  mkdirSync(skill, { recursive: true })
  const requires = 'metadata:\n  tandem-requires: {remote_host: true, required_remote_capabilities: [gpu.cuda]}\n'
  writeFileSync(join(skill, 'SKILL.md'), `---\nname: train\ndescription: Trains a model.\n${requires}---\n\nTrain it.\n`)
  await desktop.runtime.commands.call('agent_create', { name: 'Builder' })
  const page = await desktop.page({ width: 1200 })
  page.setDefaultTimeout(90_000)

  await goTo(page, '/skills/train')
  const runs = page.getByRole('region', { name: 'Runs on this device' })
  await runs.getByText('Connect a remote executor for this skill in the settings.').waitFor()

  await goTo(page, '/settings')
  const section = page.getByRole('region', { name: 'Remote executors' })
  await section.getByRole('button', { name: 'Add executor' }).click()
  await section.getByLabel('Name').fill('Build server')
  await section.getByLabel('Address').fill('http://192.168.1.20')
  await section.getByLabel('Token').fill(other.new_token ?? '')
  await section.getByRole('button', { name: 'Check address' }).click()
  await section.getByText('plain http is allowed only for').waitFor()
  await section.getByLabel('Address').fill(other.url)
  await section.getByRole('button', { name: 'Check address' }).click()
  await section.getByText(other.certificate_sha256 ?? '').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // Another address has another certificate: the fingerprint must be compared again.
  await section.getByLabel('Address').fill(`${other.url}/`)
  await section.getByText(other.certificate_sha256 ?? '').waitFor({ state: 'detached' })
  await section.getByRole('button', { name: 'Check address' }).click()
  await section.getByRole('button', { name: 'The fingerprint matches: add it' }).click()
  await section.getByText('available', { exact: true }).waitFor()
  await section.getByText(/^Offers .*gpu\.cuda$/).waitFor()
  const agents = section.getByRole('group', { name: 'Agents that may run commands on Build server' })
  await agents.getByRole('checkbox', { name: 'Builder' }).click()
  const granted = async () => {
    const listed = await desktop.runtime.commands.call('executor_list', {})
    return listed.ok ? listed.value.items[0]?.agents.length : null
  }
  await expect.poll(granted).toBe(1)
  await expect.poll(() => agents.getByRole('checkbox', { name: 'Builder' }).isChecked()).toBe(true)
  expect(await seriousFindings(page)).toEqual([])

  await goTo(page, '/skills/train')
  await runs.getByText('Build server is available.').waitFor()
  await runs.getByText('Build server offers gpu.cuda.').waitFor()

  await other.stop()
  await goTo(page, '/settings')
  await section.getByRole('button', { name: 'Test Build server' }).click()
  await section.getByText('The executor cannot be reached.').waitFor()
  await section.getByText(/Next attempt/).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await seriousFindings(page)).toEqual([])

  await goTo(page, '/diagnostics')
  await page.getByText(/0 of 1 remote executor is available\. Build server: The executor cannot be reached/).waitFor()

  await goTo(page, '/settings')
  await section.getByRole('button', { name: 'Remove Build server' }).click()
  await section.getByRole('button', { name: 'Remove', exact: true }).click()
  await section.getByText('No remote executors yet.').waitFor()
})

test('a command for another machine: its approval names the machine and covers one call, and its result says where it ran', async () => {
  const arguments_ = { command: 'rm -rf old; cat in.txt > out.txt; echo built', executor: 'Build server', send_files: ['in.txt'] }
  const call = { name: 'shell.exec', arguments: { ...arguments_, fetch_files: ['out.txt', 'report.txt'] } }
  desktop = await openDesktop([{ calls: [call] }, { text: 'It was built there.' }])
  writeFileSync(join(desktop.workspace, 'in.txt'), 'from here\n')
  const { commands } = desktop.runtime
  const added = {
    name: 'Build server',
    executor_url: other.url,
    token: other.new_token ?? '',
    certificate_sha256: other.certificate_sha256,
  }
  const executor = await commands.call('executor_add', added)
  const created = await commands.call('agent_create', { name: 'Builder' })
  if (!executor.ok || !created.ok) throw new Error('the executor was not added')
  const { executor_id } = executor.value.executor
  await commands.call('executor_grant', { executor_id, agent_id: created.value.agent.agent_id })
  const page = await desktop.page({ width: 1200 })
  page.setDefaultTimeout(90_000)

  await sendMessage(page, 'Build it there.')
  await approval(page)
    .getByRole('heading', { name: /on Build server\?$/ })
    .waitFor()
  const warnings = approval(page).getByRole('region', { name: 'Warnings' })
  await warnings.getByText(`Runs on another machine: Build server, ${other.url}`).waitFor()
  expect(await warnings.innerText()).toContain('Nothing on that machine can be restored.')
  await approval(page).getByText('Before it runs, sent to Build server: in.txt').waitFor()
  await approval(page).getByText('Afterwards, fetched from Build server into the workspace: out.txt, report.txt').waitFor()
  expect(
    await approval(page)
      .getByRole('button', { name: /always|this run/i })
      .count(),
  ).toBe(0)
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')

  await recordedAnswer(page, 'It was built there.').waitFor()
  const card = page.locator('article[data-card=ToolCall]').last()
  // It closes by itself after a moment.
  await card.locator('[aria-expanded=false]').click()
  await card.getByText('on Build server', { exact: true }).waitFor()
  await card.getByText('Fetched out.txt', { exact: true }).waitFor()
  await card.getByText('Not fetched, because the command did not leave them: report.txt').waitFor()
  expect(readFileSync(join(desktop.workspace, 'out.txt'), 'utf8')).toBe('from here\n')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await seriousFindings(page)).toEqual([])
})
