// Pending requests to the user stay visible however much follows, and screen readers hear whole sentences.
import { expect, test } from 'vitest'
import { writingWords } from '../packages/desktop/src/strings/composer.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, sendMessage, streamingAnswer, waitForRunState, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

/** A number of ended runs in a conversation of their own. */
function writeRuns(count: number): void {
  const { journal } = desktop.runtime
  const conversation = journal.conversations.create({ agent_id: 'agent', title: 'Many', workspace: desktop.workspace })
  const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: true }
  for (let number = 0; number < count; number += 1) {
    const ids = { conversation: conversation.no, agent_id: 'agent', message_id: null }
    const { run_id } = journal.start({ ...ids, title: `Run ${number}`, model: 'scripted', sandbox_mode: 'workspace' })
    journal.append(run_id, { kind: 'run.completed', usage })
  }
}

test('an approval behind more than a hundred newer runs is named on every page, and the list shows that there are older ones', async () => {
  desktop = await openDesktop([{ calls: [writeCall('notes.md', 'x')] }, { text: 'Done.' }])
  const first = await desktop.page()
  await sendMessage(first, 'Write it down.')
  await approval(first).waitFor()
  await first.close()
  writeRuns(120)

  const page = await desktop.page({ path: '/runs' })
  const runs = page.getByRole('main').getByRole('listitem')
  await page.getByText('1 conversation needs you:').waitFor()
  await expect.poll(() => runs.count()).toBe(101)
  await page.getByRole('button', { name: 'Load older runs' }).click()
  await expect.poll(() => runs.count()).toBe(121)
  await page.getByRole('button', { name: 'Load older runs' }).waitFor({ state: 'detached' })
  await page.getByText('Paused', { exact: true }).first().click()
  await expect.poll(() => runs.count()).toBe(1)

  await page.getByRole('status').getByRole('link', { name: 'Write it down.' }).click()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await waitForRunState(page, 'Done')
})

test('a screen reader hears whole sentences and how a run ended, never a partial answer', async () => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  const answer = 'The lamp is lit at dusk. It is put out at dawn, when the keeper has slept.'
  const never = new Promise<void>(() => undefined)
  desktop = await openDesktop([{ text: 'One.' }, { text: answer, hold, slow_ms: 30 }, { text: 'I begin and begin', hold: never }])
  const page = await desktop.page()
  await sendMessage(page, 'First.')
  await waitForRunState(page, 'Done')
  // Existing content is not announced.
  await page.reload()
  await waitForRunState(page, 'Done')
  await page.evaluate(`{
    globalThis.told = []
    const status = document.querySelector('p.sr-only[role=status]')
    new MutationObserver(() => told.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true })
  }`)
  const told = async () => (await page.evaluate('told')) as string[]
  await sendMessage(page, 'Tell me of the lamp.')
  await streamingAnswer(page, 'when the keeper').waitFor()
  expect(await told()).toEqual([])
  release()
  const end = 'The run is done.'
  await expect.poll(async () => [`${answer} ${end}`, `${end} ${answer}`].includes((await told()).join(' '))).toBe(true)

  await sendMessage(page, 'Once more.')
  await streamingAnswer(page, 'I begin').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await expect.poll(async () => (await told()).join(' ')).toContain('The run was stopped.')
})

test('a retry of a model call is shown with its reason and its delay, and is made immediately on request', async () => {
  const body = JSON.stringify({ error: { message: 'Slow down, please.', code: 'rate_limit_exceeded' } })
  desktop = await openDesktop([{ status: 429, body, headers: { 'retry-after-ms': '60000' } }, { text: 'Here I am.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Hello?')
  const retry = page.getByText('The model did not respond: Slow down, please.')
  await retry.waitFor()
  await page.getByText(/^Retry in \d\d s \(attempt 2\)$/).waitFor()
  await page.getByRole('button', { name: 'Retry now', exact: true }).click()
  await page.getByRole('log').getByText('Here I am.').waitFor()
  await waitForRunState(page, 'Done')
  expect(await retry.count()).toBe(0)
})

test('a run without credits is paused with the reason, and continues when it is resumed', async () => {
  const body = JSON.stringify({ error: { message: 'The quota for models is used up.', code: 'quota_exceeded' } })
  desktop = await openDesktop([{ status: 429, body }, { status: 429, body }, { text: 'Back again.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Hello?')
  await page.getByText('The quota for models is used up.').first().waitFor()
  await page.getByRole('button', { name: 'Retry now', exact: true }).last().click()
  // The same failure again is the same card.
  await page.locator('article[data-card=Error]').getByText('2 times', { exact: true }).waitFor()
  await page.getByRole('button', { name: words.cards.changeModel }).last().waitFor()
  await page.getByRole('button', { name: 'Retry now', exact: true }).last().click()
  await page.getByRole('log').getByText('Back again.').waitFor()
  await waitForRunState(page, 'Done')
})

test('a run whose model does not respond is stopped, and the next one continues with another model', async () => {
  const body = JSON.stringify({ error: { message: 'The quota for models is used up.', code: 'quota_exceeded' } })
  desktop = await openDesktop([{ status: 429, body }, { text: 'Back again.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Hello?')
  await page.getByText('The quota for models is used up.').first().waitFor()
  const model = page.locator('#composer-model')
  expect(await model.getAttribute('title')).toBe(writingWords.modelOfNext)
  await page.getByRole('button', { name: words.cards.changeModel }).last().click()
  await waitForRunState(page, 'Stopped')
  await page.locator('#composer-model:focus').waitFor()
  await page.keyboard.type('test/other')
  await page.keyboard.press('Enter')
  await sendMessage(page, 'Go on')
  await page.getByRole('log').getByText('Back again.').waitFor()
  await waitForRunState(page, 'Done')
  await page.getByText('test/other').first().waitFor()
})
