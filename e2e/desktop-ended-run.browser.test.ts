// Writing after a run was stopped, failed or restored: a new run knows how the last one ended, and a restored one continues.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { makeAllowedAgent } from './allowed-agent.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, openCard, recordedAnswer, sendMessage, streamingAnswer, waitForRunState, writeCall } from './test-desktop.ts'

const open = useTestDesktop()

const lastMessage = (desktop: Desktop) => String(desktop.model.requests.at(-1)?.messages.at(-1)?.content)
async function statesOf(desktop: Desktop): Promise<readonly string[]> {
  const runs = await desktop.runtime.commands.call('agent_run_list', {})
  return runs.ok ? runs.value.items.map(({ state }) => state) : []
}

test('a message after a run that was stopped or failed starts a new one, which knows it', async () => {
  const desktop = await open([
    { text: 'Half of it', hold: new Promise<void>(() => undefined) },
    { status: 401, body: '{"error":{"message":"no such key"}}' },
    { text: 'Here again.' },
    { text: 'You are welcome.' },
  ])
  const page = await desktop.page()
  await sendMessage(page, 'Work')
  await streamingAnswer(page, 'Half of it').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await waitForRunState(page, 'Stopped')
  const { pathname } = new URL(page.url())
  await sendMessage(page, 'What happened?')
  await waitForRunState(page, 'Failed')
  expect(lastMessage(desktop)).toBe('[The run before this message was stopped. What it had not finished was not done.]\n\nWhat happened?')
  await sendMessage(page, 'And now?')
  await recordedAnswer(page, 'Here again.').waitFor()
  expect(lastMessage(desktop)).toMatch(/^\[The run before this message failed: .*\]\n\nAnd now\?$/)
  expect(new URL(page.url()).pathname).toBe(pathname)
  expect(await statesOf(desktop)).toEqual(['completed', 'failed', 'canceled'])
  expect(await seriousFindings(page)).toEqual([])
  // After one that is done, there is nothing to say.
  await sendMessage(page, 'Thanks')
  await recordedAnswer(page, 'You are welcome.').waitFor()
  expect(lastMessage(desktop)).toBe('Thanks')
})

test('a restored run continues with what the user writes, and the undone call is not made again', async () => {
  const desktop = await open((index) =>
    index === 0 ? { calls: [writeCall('made.txt', 'x')] } : { text: index === 1 ? 'Made.' : 'Left out.' },
  )
  await makeAllowedAgent(desktop, ['fs.write'])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Make it')
  await recordedAnswer(page, 'Made.').waitFor()
  await waitForRunState(page, 'Done')
  const { pathname } = new URL(page.url())
  const card = page.locator('article[data-card=ToolCall]').first()
  await openCard(card)
  await card.getByRole('link', { name: 'Undo…' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  expect(existsSync(join(desktop.workspace, 'made.txt'))).toBe(false)
  await page.goto(new URL(pathname, page.url()).href)
  await sendMessage(page, 'Leave it out')
  await recordedAnswer(page, 'Left out.').waitFor()
  expect(lastMessage(desktop)).toBe('Leave it out')
  expect([await statesOf(desktop), existsSync(join(desktop.workspace, 'made.txt'))]).toEqual([['completed'], false])
})
