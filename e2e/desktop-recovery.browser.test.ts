// Everything an agent did can be undone in the window, with a preview, and the restore can be undone, too.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultToolPolicy, type ToolPolicy } from '@tandem/contract/tool'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ScriptedTurn } from '../packages/runtime/test/support/model/test-model.ts'
import { call, teamScript } from '../packages/runtime/test/support/team/test-team-script.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, openCard, recordedAnswer, sendMessage, waitForRunState, writeCall as write } from './test-desktop.ts'

const timeout = 90_000
const openDesktop = useTestDesktop()
let desktop: Desktop

const at = (name: string) => join(desktop.workspace, name)
const file = (name: string) => readFileSync(at(name), 'utf8')
const shell = (command: string) => ({ name: 'shell.exec', arguments: { command } })
const row = (page: Page, path: string) => page.locator(`li[data-path="${path}"]`)

/** A run that made these calls, each allowed in advance; the page shows its conversation. */
async function ran(
  calls: NonNullable<ScriptedTurn['calls']>,
  prepare?: (workspace: string) => void,
  size: { width?: number; dark?: boolean } = {},
) {
  const turns: ScriptedTurn[] = [...calls.map((call) => ({ calls: [call] })), { text: 'All done.' }]
  desktop = await openDesktop(turns, (_home, workspace) => prepare?.(workspace))
  await allowAll()
  const page = await desktop.page({ width: 1200, ...size })
  await sendMessage(page, 'Do it.')
  await waitForRunState(page, 'Done')
  return page
}

/** The only agent may do these without asking. */
async function allowAll() {
  const { commands } = desktop.runtime
  const made = await commands.call('agent_create', { name: 'Agent' })
  if (!made.ok) throw new Error(made.error.message)
  const { agent_id } = made.value.agent
  for (const tool of ['fs.write', 'shell.exec', 'agent.spawn'] as const) {
    const policy: ToolPolicy = { ...defaultToolPolicy(tool), approval_mode: 'auto' }
    const set = await commands.call('agent_tool_policy_set', { agent_id, tool, policy })
    if (!set.ok) throw new Error(set.error.message)
  }
}

/** From the card of the first call to the recovery point before it. */
async function takeBack(page: Page) {
  const card = page.locator('article[data-card=ToolCall]').first()
  await openCard(card)
  await card.getByRole('link', { name: 'Undo…' }).click()
  await page.getByText('Nothing has changed yet.').waitFor()
}

/** The page of the oldest recovery point of the only run. */
async function openOldest(page: Page) {
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  const points = await desktop.runtime.commands.call('agent_run_list_checkpoints', { run_id: run?.run_id ?? '', limit: 200 })
  if (!points.ok) throw new Error(points.error.message)
  await page.goto(`${desktop.window.url}recovery/${run?.run_id}/${points.value.items.at(-1)?.checkpoint_id}`)
  await page.locator('li[data-path]').first().waitFor({ timeout })
}

test('a new user undoes a change from its card, sees a preview, and undoes the restore', async () => {
  const page = await ran([write('notes.md', '# Notes\n\nBuy oat milk.\n'), write('new.md', 'new\n')])
  await takeBack(page)
  await page.getByRole('heading', { level: 1, name: /^Before fs\.write/ }).waitFor()
  await row(page, at('notes.md')).getByText('Revert').waitFor()
  expect(await row(page, at('notes.md')).getByRole('region').innerText()).toContain('-Buy oat milk.\n+Buy milk.')
  expect(await row(page, at('new.md')).innerText()).toContain('Remove')
  expect([file('notes.md').includes('oat'), existsSync(at('new.md'))]).toEqual([true, true])

  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  await page.getByText('1 path removed, 1 reverted, 0 restored.').waitFor()
  expect([file('notes.md'), existsSync(at('new.md'))]).toEqual(['# Notes\n\nBuy milk.\n', false])

  await page.getByRole('button', { name: 'Undo restore' }).click()
  await page.getByRole('heading', { name: 'Restore undone' }).waitFor()
  expect([file('notes.md'), file('new.md')]).toEqual(['# Notes\n\nBuy oat milk.\n', 'new\n'])

  await page.getByRole('link', { name: 'Back to timeline' }).last().click()
  const timeline = page.getByRole('list', { name: /^Recovery points of/ })
  await expect.poll(() => timeline.getByRole('listitem').count()).toBe(4)
  expect(await timeline.getByText('Safety rollback point').count()).toBe(2)
  expect(await timeline.getByText('Task recovery point').count()).toBe(2)
})

test('files the user changed since are a conflict: kept, overwritten, and restored', async () => {
  const page = await ran([write('notes.md', 'the agent was here\n'), write('other.md', 'other\n')])
  writeFileSync(at('notes.md'), 'mine since\n')
  await openOldest(page)
  await row(page, at('notes.md')).getByText('it was changed outside this run since then').waitFor()
  const button = page.getByRole('button', { name: 'Restore', exact: true })
  expect(await button.isDisabled()).toBe(true)
  await page.getByRole('button', { name: /^Conflict 1/ }).click()
  await expect.poll(() => page.locator('li[data-path]').count(), { timeout }).toBe(1)
  await page.getByLabel('Keep the current version').check()
  await button.click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  await page.getByRole('heading', { name: 'Left unchanged' }).waitFor()
  expect([file('notes.md'), existsSync(at('other.md'))]).toEqual(['mine since\n', false])

  await openOldest(page)
  await page.getByLabel('Restore it too').check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  expect(file('notes.md')).toBe('# Notes\n\nBuy milk.\n')
  await page.getByRole('button', { name: 'Undo restore' }).click()
  await page.getByRole('heading', { name: 'Restore undone' }).waitFor()
  expect(file('notes.md')).toBe('mine since\n')
})

test('a file that changes during the preview stops the restore, and the user must choose', async () => {
  const page = await ran([write('notes.md', 'the agent was here\n')])
  await takeBack(page)
  await row(page, at('notes.md')).waitFor()
  writeFileSync(at('notes.md'), 'mine in between\n')
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('A file changed while you reviewed the preview.').waitFor()
  await page.getByLabel('Keep the current version').waitFor()
  expect(file('notes.md')).toBe('mine in between\n')
})

test('hostile names and contents are shown as text and do nothing', async () => {
  const names = ['<img src=x onerror=alert(1)>.md', 'a\nb.md', 'invoice\u202efdp.exe', 'tab\there']
  const hostile = '<script>alert(1)</script>\u001b]0;title\u0007\u001b[31mred\u202e\r\n'
  const page = await ran(
    names.map((name) => write(name, 'agent\n')),
    (workspace) => {
      for (const name of names) writeFileSync(join(workspace, name), hostile)
    },
  )
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => desktop.consoleErrors.push('a dialog opened')))
  await openOldest(page)
  const shown = await page.locator('li[data-path] bdi').allInnerTexts()
  expect(shown.sort()).toEqual(['<img src=x onerror=alert(1)>.md', 'a⟨line end⟩b.md', 'invoice⟨U+202E⟩fdp.exe', 'tab⟨tab⟩here'].sort())
  await page.locator('li[data-path] button').first().click()
  expect(await page.locator('li[data-path] pre').first().innerText()).toContain(
    '+<script>alert(1)</script>⟨U+001B⟩]0;title⟨U+0007⟩⟨U+001B⟩[31mred⟨U+202E⟩␍',
  )
  expect(await page.locator('main script, main img').count()).toBe(0)
})

test('a command that changed hundreds of paths: counts immediately, pages on request, and all of it is restored', async () => {
  const prepare = (workspace: string) => {
    mkdirSync(join(workspace, 'many'))
    for (let number = 0; number < 700; number += 1) writeFileSync(join(workspace, 'many', `f${number}`), `${number}\n`)
    writeFileSync(join(workspace, 'picture'), Uint8Array.of(1, 0, 2))
  }
  const page = await ran([shell('rm -rf many picture; mkdir made')], prepare)
  await openOldest(page)
  await page.getByRole('button', { name: /^Restore 702/ }).waitFor({ timeout })
  expect(await page.locator('li[data-path]').count()).toBe(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => page.locator('li[data-path]').count(), { timeout }).toBe(100)
  await page.getByRole('button', { name: /^Remove 1/ }).click()
  await expect.poll(() => page.locator('li[data-path]').allInnerTexts(), { timeout }).toEqual([expect.stringContaining('made/')])
  await page.getByText('Will not be restored').waitFor()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor({ timeout })
  expect([file('many/f699'), existsSync(at('made'))]).toEqual(['699\n', false])
})

test('by keyboard alone, from the palette to the undo', async () => {
  const page = await ran([write('notes.md', 'changed\n')])
  await page.keyboard.press('Control+k')
  await page.keyboard.type('recovery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Recovery' }).waitFor()
  const reach = async (name: RegExp) => {
    for (let tabs = 0; tabs < 60; tabs += 1) {
      const text = await page.evaluate('document.activeElement?.textContent ?? ""')
      if (name.test(String(text))) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${name} is not reached by the keyboard`)
  }
  await page
    .getByRole('link', { name: /Do it\./ })
    .last()
    .waitFor()
  await page.locator('#content').focus()
  await reach(/^Do it\..*Before fs\.write/)
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: /^Recovery points of/ }).waitFor()
  await page.locator('#content').focus()
  await reach(/^Before fs\.write.*Preview restore$/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Restore', exact: true }).waitFor()
  await page.locator('#content').focus()
  await reach(/^Restore$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  await reach(/^Undo restore$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restore undone' }).waitFor()
  expect(file('notes.md')).toBe('changed\n')
})

test('a recovery point is created in the window, for a run that changed nothing, and restored', async () => {
  const page = await ran([])
  const card = page.locator('article[data-card=RunStatus]').first()
  await openCard(card)
  await card.getByRole('link', { name: 'Recovery points' }).click()
  await page.getByText('This run has not changed anything').waitFor()
  await page.getByRole('button', { name: 'Create recovery point' }).click()
  await page.getByText('Recovery point created').waitFor({ timeout })
  const timeline = page.getByRole('list', { name: /^Recovery points of/ })
  await timeline.getByText('Created by you').waitFor({ timeout })
  expect(await timeline.getByText('Task recovery point').count()).toBe(1)
  const notes = file('notes.md')
  writeFileSync(at('notes.md'), 'changed since\n')
  await timeline.getByRole('link').click()
  await row(page, at('notes.md')).getByText('it was changed outside this run since then').waitFor({ timeout })
  await page.getByLabel('Restore it too').check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor({ timeout })
  expect(file('notes.md')).toBe(notes)
})

test('an empty list and a deleted point say so', async () => {
  desktop = await openDesktop([{ text: 'Hello.' }])
  const page = await desktop.page({ path: '/recovery' })
  await page.getByText('Nothing to restore yet.').waitFor()
  const gone = '01990000-0000-7000-8000-000000000001'
  await page.goto(`${desktop.window.url}recovery/${gone}/${gone}`)
  await page.getByRole('alert').getByText('Choose a newer recovery point.').waitFor()
})

/** From 360 px on there is no horizontal scrolling, and no serious finding in either theme. */
async function fits(page: Page) {
  for (const width of [360, 900, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await page.locator('#content').evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await seriousFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await seriousFindings(page, 'colours')).toEqual([])
}

test('timeline and preview fit at 360 px and wide, without a serious finding in either theme', async () => {
  const page = await ran([write('notes.md', `${'long '.repeat(200)}\n`), shell(`touch ${'n'.repeat(120)}`)])
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  await openOldest(page)
  await page.locator('li[data-path] button').first().click()
  await fits(page)
  await page.goto(`${desktop.window.url}recovery/${run?.run_id}`)
  await page.getByRole('list', { name: /^Recovery points of/ }).waitFor()
  await fits(page)
})

test('later changes of a background command are left untouched, or restored by path or as a whole', async () => {
  // It changes files after the next call has started: changes before its own call has returned would belong to that call.
  const server = 'until grep -q oat notes.md; do sleep 0.05; done; mkdir build; echo 1 > build/page; echo 2 > log; touch ready; sleep 300'
  desktop = await openDesktop([
    { calls: [{ name: 'shell.exec', arguments: { command: server, background: true } }] },
    { calls: [write('notes.md', 'Buy oat milk.\n')] },
    // A run that ends also ends its background commands.
    { calls: [{ name: 'ask_user', arguments: { question: 'Is the page fine?' } }] },
  ])
  await allowAll()
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Serve it.')
  await approval(page).getByRole('button', { name: 'Allow once' }).click({ timeout })
  await page.getByText('Is the page fine?').first().waitFor({ timeout })
  await expect.poll(() => existsSync(at('ready')), { timeout }).toBe(true)

  await openOldest(page)
  const group = page.getByRole('region', { name: 'Changed while background commands ran' })
  await group.getByText('A background command is still running.').waitFor({ timeout })
  const box = (name: string) => group.getByRole('checkbox', { name, exact: true })
  const selected = async () => {
    const boxes = await group.getByRole('checkbox').all()
    return await Promise.all(boxes.map(async (one) => `${await one.getAttribute('aria-label')} ${await one.isChecked()}`))
  }
  const sums = (text: string) => page.getByRole('status').getByText(`With your selection: ${text}`, { exact: true }).waitFor({ timeout })
  expect(await selected()).toEqual([
    'null false',
    'Restore build/ false',
    'Restore build/page false',
    'Restore log false',
    'Restore ready false',
  ])
  await fits(page)
  await page.setViewportSize({ width: 1200, height: 900 })

  // A folder includes what is in it.
  await box('Restore build/').check()
  expect(await selected()).toEqual([
    'null false',
    'Restore build/ true',
    'Restore build/page true',
    'Restore log false',
    'Restore ready false',
  ])
  expect(await box('Restore build/page').isDisabled()).toBe(true)
  await sums('2 paths removed, 1 reverted, 0 restored.')
  await box('Restore all 4 paths').check()
  await sums('4 paths removed, 1 reverted, 0 restored.')
  await box('Restore all 4 paths').uncheck()
  await box('Restore log').check()
  await sums('1 path removed, 1 reverted, 0 restored.')

  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor({ timeout })
  await page.getByText('3 paths changed while background commands ran and were left untouched.').waitFor()
  expect([existsSync(at('log')), file('build/page'), file('notes.md')]).toEqual([false, '1\n', '# Notes\n\nBuy milk.\n'])
  await page.getByRole('button', { name: 'Undo restore' }).click()
  await page.getByRole('heading', { name: 'Restore undone' }).waitFor({ timeout })
  expect([file('log'), file('notes.md')]).toEqual(['2\n', 'Buy oat milk.\n'])
})

test('a restore to before members were started pauses them, and restores what they changed if the user selects it', async () => {
  const writeFile = (path: string) => call('fs.write', { path, content: `${path} by an agent\n` })
  desktop = await openDesktop(
    teamScript({
      Lead: (done, heard) =>
        [
          writeFile('notes.md'),
          call('agent.spawn', {
            members: [
              { title: 'Shared', task: 'In the folder', workspace: 'shared', paths: ['shared.md'] },
              { title: 'Copied', task: 'In a copy' },
            ],
          }),
        ][done.length] ?? { text: heard.length < 2 ? 'I wait.' : 'All done.' },
      'In the folder': (done) => (done.length === 0 ? writeFile('shared.md') : { text: 'Done.' }),
      'In a copy': (done) => (done.length === 0 ? writeFile('copied.md') : { text: 'Done.' }),
    }),
  )
  await allowAll()
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Lead')
  await recordedAnswer(page, 'All done.').waitFor()
  await waitForRunState(page, 'Done')
  await page.locator('article[data-card=RunStatus]').last().getByRole('link', { name: 'Undo' }).click()
  const team = page.getByRole('region', { name: 'Members of the team' })
  await team.locator('[data-withdrawn]').first().waitFor()
  expect(await team.locator('[data-withdrawn]').allInnerTexts()).toEqual([
    expect.stringMatching(/^Shared\s+Done\s+Changed 1 path$/),
    expect.stringMatching(/^Copied\s+Done\s+Changed 1 path\s+in its own copy, which stays as it is$/),
  ])
  await fits(page)
  await page.setViewportSize({ width: 1200, height: 900 })
  await team.getByRole('checkbox', { name: 'Also restore 1 path that they changed in the folder of the run' }).check()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  await page.getByText('Changes of “Shared”: 1 path removed, 0 reverted, 0 restored.').waitFor()
  expect([file('notes.md'), existsSync(at('shared.md'))]).toEqual(['# Notes\n\nBuy milk.\n', false])
  await page.getByRole('button', { name: 'Undo restore' }).click()
  await page.getByRole('heading', { name: 'Restore undone' }).waitFor()
  expect([file('notes.md'), file('shared.md')]).toEqual(['notes.md by an agent\n', 'shared.md by an agent\n'])
})
