// Choices besides messages: the model, the sandbox, todos in their card, several approvals, on small screens and with reduced motion.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval as approvals, type Desktop, recordedAnswer, sendMessage, writeCall } from './test-desktop.ts'

const patient = { timeout: 30_000 }

const openDesktop = useTestDesktop()
let desktop: Desktop

test('the run uses the model and sandbox of the composer, its todos are edited in their card, and reduced motion is respected', async () => {
  desktop = await openDesktop([
    { calls: [{ name: 'todo.create', arguments: { todos: [{ title: 'Look at the notes' }] } }] },
    { text: 'I look.', hold: new Promise<void>(() => undefined) },
  ])
  const page = await desktop.page({ height: 1_400 })
  await page.getByRole('combobox', { name: 'Model' }).fill('another-model')
  await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('strict')
  await sendMessage(page, 'Make a list.')
  await page.locator('[data-standing=coming]').waitFor(patient)
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  expect(run).toMatchObject({ model: 'another-model', sandbox_mode: 'strict' })
  expect(desktop.model.requests[0]).toMatchObject({ model: 'another-model' })
  const todos = page.locator('article[data-card=TodoCard]')
  await todos.getByRole('button', { name: /Look at the notes: Open/ }).click()
  await todos.getByRole('button', { name: /Look at the notes: In progress/ }).waitFor(patient)
  const listed = await desktop.runtime.commands.call('todo_list', { conversation_id: run?.conversation_id ?? '' })
  expect(listed).toMatchObject({ ok: true, value: { items: [{ title: 'Look at the notes', state: 'in_progress' }] } })

  const moving = () => page.evaluate('document.getAnimations().filter((one) => one.playState === "running").length')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(moving, patient).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving, patient).toBe(0)
})

test('two calls of one turn are approved one after the other, and each answer applies to its own call', async () => {
  desktop = await openDesktop([{ calls: [writeCall('first.md', 'one'), writeCall('second.md', 'two')] }, { text: 'One of them.' }])
  const page = await desktop.page({ height: 1_400 })
  await sendMessage(page, 'Write both.')
  const of = (name: string) => approvals(page).filter({ hasText: name })
  await of('first.md').waitFor(patient)
  expect(await approvals(page).count()).toBe(1)
  await of('first.md').getByRole('button', { name: 'Deny…' }).click()
  await of('first.md').getByLabel('Reason').fill('only the second')
  await of('first.md').getByRole('button', { name: 'Deny' }).click()
  await of('first.md').waitFor({ state: 'detached', ...patient })
  await of('second.md').getByRole('button', { name: 'Allow once' }).click()
  await recordedAnswer(page, 'One of them.').waitFor(patient)
  const at = (name: string) => join(desktop.workspace, name)
  expect([existsSync(at('first.md')), readFileSync(at('second.md'), 'utf8')]).toEqual([false, 'two'])
})

test('a long approval at 360 × 640 keeps every answer in view, and its content scrolls', async () => {
  const long = `${'x'.repeat(400)}\n${Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n')}`
  const deep = `${'deep/'.repeat(30)}notes.md`
  desktop = await openDesktop([{ calls: [writeCall(deep, long, { create_parents: true })] }, { text: 'Written.' }])
  const page = await desktop.page({ width: 360, height: 640 })
  // The message may be out of view immediately: the call is longer than the screen.
  await page.getByRole('textbox', { name: 'Message' }).fill('Write much.')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await approvals(page).waitFor(patient)
  for (const name of ['Allow once', 'Deny…', 'Edit arguments']) {
    await expect
      .poll(async () => {
        const box = await approvals(page).getByRole('button', { name, exact: true }).boundingBox()
        if (!box) throw new Error(`${name} is not drawn`)
        const within = box.x >= 0 && box.y >= 0 && box.x + box.width <= 360 && box.y + box.height <= 640
        return { name, ...box, within }
      }, patient)
      .toMatchObject({ within: true })
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await approvals(page).getByRole('button', { name: 'Show all 402 lines' }).click()
  const text = approvals(page).locator('.diff-box').filter({ hasText: 'line 399' })
  await text.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  expect(await text.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
  // Not covered by another element: otherwise the click fails.
  await approvals(page).getByRole('button', { name: 'Allow once' }).click()
  await approvals(page).waitFor({ state: 'detached', ...patient })
  await recordedAnswer(page, 'Written.').waitFor(patient)
  expect(readFileSync(join(desktop.workspace, deep), 'utf8')).toBe(long)
})

test('diagnostics shows failures in plain words, and the state of synchronization', async () => {
  desktop = await openDesktop([{ status: 401, body: '{"error":{"message":"no such key"}}' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Go.')
  await page.locator('article[data-card=RunStatus]').getByText('Failed', { exact: true }).waitFor(patient)
  const conversation = new URL(page.url()).pathname
  await page.goto(`${desktop.window.url}diagnostics`)
  const failures = page.getByRole('region', { name: 'Recent problems' })
  const link = failures.getByRole('link').first()
  await link.waitFor(patient)
  // The model's refusal ended the run: one failure, reported by two events.
  await expect.poll(() => failures.innerText(), patient).toMatch(/No such key\.[\s\S]*Check the key of the model/)
  await expect.poll(() => link.getAttribute('href'), patient).toBe(conversation)
  await expect.poll(() => failures.innerText(), patient).toContain('1 time, last')
  await page.getByRole('region', { name: 'Synchronization' }).getByText('Signed out', { exact: true }).waitFor(patient)
})
