// Every action of a policy candidate by its button, a trial in the permissions of its agent, and the calls that a test would have changed.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { learningRuns } from './learning-runs.ts'
import { type Desktop, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const timeout = 300_000

/** "Write: a ; b" writes files, "Run: a ; b" runs commands, one per turn. */
const script: Script = (_, { messages }) => {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = String(messages[at]?.content)
  const done = messages.slice(at).filter(({ role }) => role === 'tool').length
  const file = /Write: (.*)/.exec(asked)?.[1]?.split(' ; ')[done]
  if (file) return { calls: [writeCall(file, 'new')] }
  const command = /Run: (.*)/.exec(asked)?.[1]?.split(' ; ')[done]
  return command ? { calls: [{ name: 'shell.exec', arguments: { command } }] } : { text: 'Done.' }
}

function setState(desktop: Desktop, candidate_id: string, state: string): void {
  const database = new DatabaseSync(join(desktop.folder, 'home', 'tandem.db'))
  database.prepare('UPDATE runtime_policy_candidates SET state = ? WHERE id = ?').run(state, candidate_id)
  database.close()
}

const addressOf = (page: Page, path: string) => new URL(path, page.url()).href
const history = (page: Page) => page.getByRole('region', { name: 'History' })

test(
  'a candidate is tested, prepared, applied and rolled back with its buttons, and another window shows each at once',
  async () => {
    const desktop = await openDesktop(script)
    const { call, ran, setPolicy, candidate } = learningRuns(() => desktop)
    const opened = desktop.runtime.clock.now()
    const { agent_id } = (await call('agent_create', { name: 'Writer' })).agent
    await setPolicy(agent_id, 'fs.write', { approval_mode: 'required' })
    await ran(agent_id, 'Write: keys.env ; keys.env ; keys.env')
    const id = await candidate(agent_id, 'shadow_pending')
    const path = `/diagnostics/learning/candidates/${id}`
    const page = await desktop.page({ width: 1200, path })
    const other = await desktop.page({ width: 1200, path })

    // Three calls of one run are too few.
    await page.getByRole('button', { name: /^Test on recorded calls: / }).click()
    for (const one of [page, other]) {
      await history(one).getByText('by you').first().waitFor()
      await history(one)
        .getByText(/At least 5 calls from 3 runs are needed\.$/)
        .first()
        .waitFor()
      await history(one).getByText('Inconclusive').first().waitFor()
    }

    // One that has passed is usually prepared in the same round. The scheduler has had its first round, and the next one is in ten minutes.
    await expect.poll(() => desktop.runtime.clock.now() - opened).toBeGreaterThan(7_000)
    setState(desktop, id, 'shadow_passed')
    for (const one of [page, other]) await one.reload()
    await other.getByRole('button', { name: /^Prepare the trial: / }).waitFor()
    await page.getByRole('button', { name: /^Prepare the trial: / }).click()
    for (const one of [page, other]) await one.getByRole('button', { name: /^Apply on trial: / }).waitFor()
    await history(other).getByText('Prepared', { exact: true }).waitFor()

    // The permissions of the agent, in the other window.
    await other.goto(addressOf(other, `/agents/${agent_id}`))
    const row = other.getByRole('row').filter({ hasText: 'fs.write' })
    await row.waitFor()
    const trial = row.getByRole('link', { name: /^On trial: .*keys\.env/ })
    expect(await trial.count()).toBe(0)
    await page.getByRole('button', { name: /^Apply on trial: / }).click()
    await trial.waitFor()
    await row.getByText(/changed by a trial \(file scope\)/).waitFor()
    expect(await seriousFindings(other)).toEqual([])
    await trial.click()
    await other.waitForURL(`**${path}`)
    await other.getByText('On trial', { exact: true }).waitFor()
    await other.goBack()
    await trial.waitFor()

    await page.getByRole('button', { name: /^Roll back: / }).click()
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('It is needed after all.')
    await page
      .getByRole('form', { name: /^Roll back: / })
      .getByRole('button', { name: 'Roll back', exact: true })
      .click()
    await page.getByText('Rolled back: It is needed after all.').waitFor()
    await trial.waitFor({ state: 'detached' })
    expect(await row.getByText(/changed by a trial/).count()).toBe(0)

    // What is refused is in the history, too.
    await desktop.runtime.commands.call('agent_run_apply_policy_candidate_canary', { candidate_id: id })
    await history(page).getByText('Refused', { exact: true }).waitFor()
    await history(page)
      .getByText(/^It was not applied: it is rolled back\./)
      .waitFor()
    await page.getByText('Rolled back: It is needed after all.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  },
  timeout,
)

test(
  'a candidate that allows more is rejected with its button, and all calls that it would have changed can be opened',
  async () => {
    const desktop = await openDesktop(script)
    const { call, ran, candidate } = learningRuns(() => desktop)
    const { agent_id } = (await call('agent_create', { name: 'Lister', max_turns: 200 })).agent
    const commands = (count: number) => Array.from({ length: count }, () => 'echo hi').join(' ; ')
    for (const count of [4, 4, 4]) await ran(agent_id, `Run: ${commands(count)}`)
    const id = await candidate(agent_id, 'canary_ready')

    const page = await desktop.page({ width: 1200, path: `/diagnostics/learning/candidates/${id}` })
    const changed = page.getByRole('region', { name: 'Calls it would have changed' })
    await expect.poll(() => changed.getByRole('listitem').count()).toBe(12)
    // Each opens at its own call.
    const opened = new Set<string>()
    for (let at = 0; at < 12; at += 5) {
      await changed.getByRole('link').nth(at).click()
      await page.locator('[data-found] article[data-card=ToolCall]').waitFor()
      opened.add(page.url())
      await page.goBack()
      await expect.poll(() => changed.getByRole('listitem').count()).toBe(12)
    }
    expect(opened.size).toBe(3)

    // As many as a long history has: the first page, and the next one with the button.
    const database = new DatabaseSync(join(desktop.folder, 'home', 'tandem.db'))
    const [validation] = (await call('agent_run_get_policy_candidate', { candidate_id: id })).validations
    const [first] = validation?.divergences ?? []
    const insert = database.prepare(
      "INSERT INTO runtime_policy_candidate_divergences VALUES (?, ?, ?, ?, 'shell.exec', 'approved by you', 'allowed without asking')",
    )
    for (let no = 13; no <= 250; no += 1) insert.run(validation?.id ?? '', no, first?.run_id ?? '', `call-${no}`)
    database.prepare('UPDATE runtime_policy_candidate_validations SET divergence_count = 250 WHERE id = ?').run(validation?.id ?? '')
    database.close()
    await page.reload()
    await expect.poll(() => changed.getByRole('listitem').count()).toBe(200)
    await changed.getByText('200 of 250 calls').waitFor()
    await changed.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => changed.getByRole('listitem').count()).toBe(250)
    expect(await changed.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])

    await page.getByRole('button', { name: /^Reject: / }).click()
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Ask me each time.')
    await page
      .getByRole('form', { name: /^Reject: / })
      .getByRole('button', { name: 'Reject', exact: true })
      .click()
    await page.getByText('Rolled back: Ask me each time.').waitFor()
    expect((await call('agent_run_list_policy_candidates', { agent_id })).items.map(({ state }) => state)).toEqual(['rolled_back'])
    // The next call asks as before.
    const conversation = await call('conversation_create', { agent_id, workspace: desktop.workspace })
    const { conversation_id } = conversation.conversation
    const { run_id } = (await call('agent_run_start', { conversation_id, text: 'Run: echo hi' })).run
    await desktop.runtime.settled(run_id)
    expect((await call('approval_list', { run_id })).items).toHaveLength(1)
  },
  timeout,
)
