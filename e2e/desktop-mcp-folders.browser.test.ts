// What the window shows about the servers of a folder, and the forms of a server: agents, requests to the model, and a canceled sign-in.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { definitionSha256 } from '../packages/runtime/src/mcp/definition.ts'
import { useAuthorities } from '../packages/runtime/test/support/mcp/test-authorization-server.ts'
import { httpServer, officialServer, stdioServer } from '../packages/runtime/test/support/mcp/test-mcp.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, sendMessage, waitForRunState } from './test-desktop.ts'

const timeout = 90_000
const openDesktop = useTestDesktop()
const authorities = useAuthorities()
let desktop: Desktop

const started = () => join(desktop.folder, 'started')
const notice = (page: Page) => page.locator('[data-folder-servers]')

function writeFolder(workspace: string, ...more: string[]) {
  const mark = `require('node:fs').writeFileSync(${JSON.stringify(join(workspace, '..', 'started'))}, '')`
  const servers = {
    everything: { command: process.execPath, args: [officialServer('everything'), ...more] },
    marker: { command: process.execPath, args: ['-e', mark], env: { TOKEN: 'folder-canary' } },
  }
  writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
}

test('a conversation announces the servers of its folder until the user decides; hosts are granted with the approval', async () => {
  desktop = await openDesktop([{ text: 'Hello.' }, { text: 'Hello again.' }], (_home, workspace) => writeFolder(workspace))
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Hi')
  await waitForRunState(page, 'Done')
  const conversation = new URL(page.url()).pathname
  expect(await notice(page).innerText()).toBe('This folder brings 2 MCP servers, not used until you approve. Review')
  expect(await seriousFindings(page)).toEqual([])
  expect(existsSync(started())).toBe(false)

  await notice(page).getByRole('link', { name: 'Review' }).click()
  const folder = page.locator('[data-mcp-folder=new]')
  await folder.getByText('Receives the values of TOKEN').waitFor()
  await folder.getByLabel('Use “everything”').check()
  const hosts = folder.getByLabel('Other hosts it may access, one per line')
  await hosts.fill('x'.repeat(600))
  await folder.getByRole('button', { name: 'Approve 1 server for this folder' }).click()
  await folder.getByText(/^Line 1 /).waitFor()
  expect(await hosts.getAttribute('aria-invalid')).toBe('true')
  await hosts.fill('registry.example\nother.example:8443')
  expect(await seriousFindings(page)).toEqual([])
  await folder.getByRole('button', { name: 'Approve 1 server for this folder' }).click()
  await page.locator('[data-mcp-folder=approved]').waitFor({ timeout })
  const answer = await desktop.runtime.commands.call('mcp_server_list', {})
  expect(answer.ok && answer.value.items.map(({ network_hosts }) => network_hosts)).toEqual([['registry.example', 'other.example:8443']])
  expect(existsSync(started())).toBe(false)
  await page.goto(new URL(conversation, page.url()).href)
  await page.getByText('Hello.').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  expect(await notice(page).count()).toBe(0)

  // A changed file is announced again; "Use none" is a decision.
  writeFolder(desktop.workspace, 'stdio')
  await sendMessage(page, 'And now?')
  await waitForRunState(page, 'Done')
  await page.locator('[data-folder-servers=changed]').waitFor({ timeout })
  await notice(page).getByRole('link', { name: 'Review' }).click()
  await page.locator('[data-mcp-folder=changed]').getByRole('button', { name: 'Use none' }).click()
  await page.locator('[data-mcp-folder=declined]').getByText('Not used', { exact: true }).waitFor({ timeout })
  await page.goto(new URL(conversation, page.url()).href)
  await page.getByText('Hello again.').first().waitFor()
  await expect.poll(() => notice(page).count(), { timeout }).toBe(0)
})

test('the forms for agents and for requests to the model: saved, refused next to the field, and refused as a whole', async () => {
  desktop = await openDesktop([{ text: 'Hello.' }])
  const { commands } = desktop.runtime
  const server = stdioServer('everything', [officialServer('everything')])
  await commands.call('mcp_server_add', { server, consent: { definition_sha256: definitionSha256(server), network_hosts: [] } })
  await commands.call('agent_create', { name: 'Researcher' })
  await commands.call('agent_create', { name: 'Writer' })
  const page = await desktop.page({ path: '/mcp/everything', width: 1200 })
  const agents = page.getByRole('region', { name: 'Agents', exact: true })
  const sampling = page.getByRole('region', { name: 'Your model', exact: true })
  const listed = async () => {
    const answer = await commands.call('mcp_server_list', {})
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value.items[0]
  }

  await agents.getByRole('radio').nth(1).check()
  await agents.getByLabel('Researcher').check()
  await agents.getByRole('button', { name: 'Save agents' }).click()
  await agents.getByText('Saved', { exact: true }).waitFor({ timeout })
  expect((await listed())?.preview.server.agent_ids).toHaveLength(1)
  await agents.getByRole('radio').nth(0).check()
  await agents.getByRole('button', { name: 'Save agents' }).click()
  await expect.poll(async () => (await listed())?.preview.server.agent_ids, { timeout }).toBe(undefined)

  const limit = sampling.getByLabel('Requests in one run (0: none)')
  await limit.fill('5')
  await sampling.getByRole('button', { name: 'Save limit' }).click()
  await sampling.getByText('Saved', { exact: true }).waitFor({ timeout })
  expect((await listed())?.sampling_limit).toBe(5)
  for (const wrong of ['101', '-1', '1.5']) {
    await limit.fill(wrong)
    await sampling.getByRole('button', { name: 'Save limit' }).click()
    await expect.poll(() => limit.getAttribute('aria-invalid'), { timeout }).toBe('true')
  }
  expect([(await listed())?.sampling_limit, await seriousFindings(page)]).toEqual([5, []])

  // No agent at all.
  await agents.getByRole('radio').nth(1).check()
  await agents.getByRole('button', { name: 'Save agents' }).click()
  await expect.poll(async () => (await listed())?.preview.server.agent_ids, { timeout }).toEqual([])
  // Removed elsewhere: the form reports it, or the page has noticed it before.
  await commands.call('mcp_server_disconnect', { server_id: 'everything' })
  await page.getByRole('region', { name: 'Status', exact: true }).getByText('Disconnected', { exact: true }).waitFor({ timeout })
  await agents.getByLabel('Writer').check()
  await commands.call('mcp_server_remove', { server_id: 'everything' })
  const save = agents.getByRole('button', { name: 'Save agents' })
  const gone = page.getByText(/there is no server everything|The server everything does not exist/i).first()
  await save.click({ timeout: 5_000 }).catch(() => gone.waitFor({ timeout }))
  await gone.waitFor({ timeout })
})

test('a canceled sign-in ends in the runtime: the page that returns is told, and nobody is signed in', async () => {
  const authority = await authorities()
  desktop = await openDesktop([{ text: 'Hello.' }])
  const server = httpServer('club', authority.mcp_url)
  await desktop.runtime.commands.call('mcp_server_add', {
    server,
    consent: { definition_sha256: definitionSha256(server), network_hosts: [] },
  })
  const page = await desktop.page({ path: '/mcp/club', width: 1200 })
  const signIn = page.getByRole('region', { name: 'Sign-in', exact: true })
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click({ timeout })
  const link = signIn.getByRole('link', { name: /^Continue at / })
  const back = await authority.approve((await link.getAttribute('href')) ?? '')
  await signIn.getByRole('button', { name: 'Cancel' }).click()
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await page.goto(back)
  expect(await page.locator('body').innerText()).toBe('You canceled this sign-in in Tandem. You are not signed in, and can close this tab.')
  expect(authority.grants).toEqual([])
  // The browser reports the status of the page.
  expect(desktop.consoleErrors.splice(0)).toEqual([expect.stringContaining('410')])
})
