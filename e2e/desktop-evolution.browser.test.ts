// Evolution in the window: a routine that a user repeats in real runs, what is proposed because of it, and what the user decides.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type RoutineStep, routineScript, userOf } from '../packages/runtime/test/support/test-routine.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import type { Desktop } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const timeout = 600_000
let desktop: Desktop

const write = (path: string, content: string): RoutineStep => ['fs.write', { path, content }]
const nouns = ['alpha beacon', 'copper dune', 'ember forest', 'garnet harbor', 'indigo jungle', 'kernel lagoon', 'marble nickel']

/** Something is written in other words each time: a matter for a skill. */
const release = (n: number): readonly RoutineStep[] => [
  ['fs.mkdir', { path: `release/v${n}` }],
  write(`release/v${n}/notes.md`, `${nouns[n % nouns.length]} ${nouns[(n + 3) % nouns.length]}`),
  write('CHANGELOG.md', `${nouns[(n + 1) % nouns.length]} and ${nouns[(n + 2) % nouns.length]}`),
  write('VERSION', `${n}.0.0`),
]
/** The same each time, except for the number of the week: a matter for a workflow. */
const report = (n: number): readonly RoutineStep[] => [
  ['fs.mkdir', { path: `reports/w${n}` }],
  write(`reports/w${n}/sales.md`, `# Week ${n}`),
  write(`exports/w${n}.csv`, `week,${n}`),
  write(`archive/w${n}.txt`, 'done'),
]

function stepsOf(request: string): readonly RoutineStep[] {
  const number = Number(/\d+/.exec(request)?.[0] ?? 0)
  if (/release/i.test(request)) return release(number)
  return /report/i.test(request) ? report(number) : []
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

async function start() {
  desktop = await openDesktop(routineScript(stepsOf))
  for (const folder of ['exports', 'archive']) mkdirSync(join(desktop.workspace, folder))
  const { agent_id } = (await call('agent_create', { name: 'Releaser', max_turns: 8 })).agent
  for (const tool of ['fs.mkdir', 'fs.write']) {
    const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
    await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, approval_mode: 'required' } })
  }
  const { runtime, folder, workspace } = desktop
  return { agent_id, user: userOf({ call, runtime, folder, workspace, logged: [] }) }
}

const requests = (what: string) => [
  `Make the ${what} 1, please.`,
  `The ${what} for 2.`,
  `Do the ${what} of 3 now.`,
  `I need ${what} 4.`,
  `One more ${what}, number 5.`,
]

/** Repeats a routine until its recommendation waits for the user. */
async function repeatUntilAsked(id: string, agent_id: string, what: string, user: Awaited<ReturnType<typeof start>>['user']) {
  for (let n = 6; n < 60; n += 1) {
    if ((await user.get(id)).recommendation.asks !== null) return
    await user.does(agent_id, `Please make the ${what} ${n} now.`)
  }
  throw new Error('it never asked')
}

const main = (page: Page) => page.getByRole('main')
const region = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of evolution' }).getByRole('link', { name, exact: true })
const scrollWidth = (page: Page) => page.evaluate('document.documentElement.scrollWidth')

test('a routine becomes a skill: tested, made live in the window, changed by hand, compared, rolled back', { timeout }, async () => {
  const { agent_id, user } = await start()
  const page = await desktop.page({ width: 1200, path: '/diagnostics' })
  const summary = page.getByRole('region', { name: 'Evolution', exact: true })
  await summary.getByText('No recommendation needs your decision.').waitFor()
  await summary.getByRole('link', { name: 'Recommendations' }).click()
  await page.getByText(/^No recommendations\./).waitFor()
  await part(page, 'Gaps').click()
  await page.getByText(/^No gaps\./).waitFor()
  await part(page, 'Traces').click()
  await page.getByText(/^No traces yet\./).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await part(page, 'Recommendations').click()

  for (const text of requests('release')) await user.does(agent_id, text)
  const { id, title } = await user.only('local_skill_draft')
  // It appears without a reload, and its page opens with the keyboard.
  const details = page.getByRole('link', { name: `Details: ${title}` })
  await details.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/diagnostics/evolution/recommendations/${id}`)
  await page.getByRole('heading', { name: title }).waitFor()
  const line = main(page).getByRole('list', { name: 'Lifecycle' })
  const current = line.locator('[aria-current=step]')
  await current.getByText('In shadow').waitFor()
  // Why the next step is not possible now.
  const impossible = region(page, 'Actions').locator('details')
  await impossible.locator('summary').click()
  await impossible.getByText(/^Prepare the canary: It has matched \d of the 3 runs that are needed/).waitFor()
  await impossible.getByText(/^Make it live: A skill recommendation that is shadow active cannot promote to live/).waitFor()
  expect(
    await region(page, 'Actions')
      .getByRole('button', { name: /^Make it live/ })
      .count(),
  ).toBe(0)
  await region(page, 'Text').getByText('name: release').waitFor()
  await region(page, 'Runs on this device').getByText('Yes', { exact: true }).waitFor()
  await region(page, 'Versions').getByText('There is only one version.').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  // A run that led to it opens its conversation, which shows the recommendation where it was noticed; Back returns.
  await region(page, 'Evidence').getByRole('link', { name: 'Do the release of 3 now.' }).click()
  await page.waitForURL('**/c/*')
  const noticed = page.getByRole('article', { name: 'Recommendation' })
  await noticed.getByText(/^You repeat this, so Tandem is testing a skill for it: /).waitFor()
  expect(await noticed.count()).toBe(1)
  await page.goBack()

  await repeatUntilAsked(id, agent_id, 'release', user)
  await current.getByText('In canary').waitFor()
  await main(page)
    .getByText(/^Use it in every run of the agent\?/)
    .waitFor()
  const groups = page.getByRole('table', { name: 'Canary' })
  const ended = groups.getByRole('row', { name: /^Ended runs/ }).getByRole('cell')
  for (const group of await ended.allTextContents()) expect(Number(group)).toBeGreaterThanOrEqual(5)
  await region(page, 'Canary').getByText('Canary, with it').first().waitFor()
  await region(page, 'Canary').getByText('Shadow').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])

  // Every other page says that it waits.
  await page.goto(`${new URL(page.url()).origin}/todos`)
  const bar = page.getByRole('status').filter({ hasText: '1 recommendation needs you' })
  await bar.getByRole('link', { name: title }).click()
  await bar.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `Make it live: ${title}` }).click()
  await page.getByRole('alert').filter({ hasText: 'The skill is written to your skill folder' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await user.get(id)).recommendation.state).toBe('canary_applied')
  await page.getByRole('button', { name: `Make it live: ${title}` }).click()
  await page.getByRole('button', { name: 'Make it live', exact: true }).click()
  await current.getByText('Live').waitFor()
  const file = join(desktop.folder, 'home', 'skills', 'release', 'SKILL.md')
  const first = readFileSync(file, 'utf8')

  // A change by hand is a version, and the difference is shown.
  writeFileSync(file, `${first}\nBe quick.\n`)
  await page.reload()
  const versions = region(page, 'Versions')
  await versions.getByText('You changed it by hand').waitFor()
  const diff = versions.getByRole('region', { name: 'Changes from version 1 to version 2' })
  await diff.getByText('Be quick.').waitFor()
  await versions.getByRole('combobox', { name: 'with' }).selectOption({ index: 1 })
  await versions.getByText('Both have the same text.').waitFor()
  await versions.getByRole('combobox', { name: 'Compare' }).selectOption({ index: 0 })
  await versions.getByRole('region', { name: 'Changes from version 2 to version 1' }).waitFor()

  await page.getByRole('button', { name: `Roll back: ${title}` }).click()
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Too quick.')
  await page.keyboard.press('Enter')
  await current.getByText('Rolled back').waitFor()
  await main(page).getByText('Rolled back: Too quick.').first().waitFor()
  expect(readFileSync(file, 'utf8')).toBe(first)
  await page.getByRole('button', { name: `Retire: ${title}` }).click()
  await page.keyboard.press('Enter')
  await current.getByText('Retired').waitFor()
  expect([(await user.get(id)).recommendation.state, existsSync(file)]).toEqual(['retired', false])
  const history = region(page, 'History').getByRole('listitem')
  expect(await history.count()).toBe((await user.get(id)).validations.length)
  expect(await region(page, 'Actions').getByRole('button').count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])

  // One that does not exist: the refusal of the command, and a way to try again.
  await page.goto(`${new URL(page.url()).origin}/diagnostics/evolution/recommendations/01a00000-0000-7000-8000-000000000000`)
  const alert = page.getByRole('alert').filter({ hasText: /^There is no recommendation 01a00000/ })
  await alert.getByRole('button', { name: 'Retry now' }).waitFor()
})

test('traces and gaps are listed, a gap is dismissed, and an agent may promote automatically; narrow and dark', { timeout }, async () => {
  const { agent_id, user } = await start()
  for (const text of requests('report').slice(0, 3)) await user.does(agent_id, text)
  const { id, title } = await user.only('workflow')
  const page = await desktop.page({ width: 360, dark: true, path: '/diagnostics/evolution/traces' })
  const trace = main(page).locator('details').filter({ hasText: '1 repeated sequence of calls' }).first()
  await trace.locator('summary').focus()
  await page.keyboard.press('Enter')
  await trace.getByText('fs.mkdir, fs.write').first().waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])

  await part(page, 'Recommendations').click()
  await page.getByRole('link', { name: `Details: ${title}` }).waitFor()
  await page.getByRole('button', { name: 'Run next steps now' }).click()
  await page.getByText('Nothing changed.').waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])
  await page.getByRole('link', { name: `Details: ${title}` }).click()
  await region(page, 'Text').getByText('"definition"').waitFor()
  await page.getByRole('link', { name: 'Open the workflow' }).waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])

  await page.getByRole('link', { name: 'All recommendations' }).click()
  await part(page, 'Gaps').click()
  const gap = main(page).getByRole('listitem').filter({ hasText: 'Repeated 3 times' })
  await gap.getByRole('link', { name: /^Open the recommendation: / }).waitFor()
  await gap.getByRole('button', { name: /^Dismiss gap: / }).click()
  await page.getByRole('alert').filter({ hasText: 'Dismiss this gap?' }).waitFor()
  // The safe choice has the focus.
  await page.keyboard.press('Enter')
  expect((await user.get(id)).recommendation.state).toBe('shadow_active')
  await gap.getByRole('button', { name: /^Dismiss gap: / }).click()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])
  await page.getByRole('button', { name: 'Dismiss gap', exact: true }).click()
  await page.getByText(/^No gaps\./).waitFor()
  expect((await user.get(id)).recommendation.state).toBe('retired')

  await page.goto(`${new URL(page.url()).origin}/agents/${agent_id}`)
  const automatic = main(page).getByRole('switch', { name: 'Promote automatically' })
  await expect.poll(() => automatic.isChecked()).toBe(false)
  await automatic.click()
  await expect.poll(async () => (await call('skill_get_promotion', { agent_id })).automatic).toBe(true)
  await page.reload()
  await expect.poll(() => automatic.isChecked()).toBe(true)

  // Repeated twice as often, it is proposed again: one line where it was noticed, which the user dismisses.
  for (const n of [4, 5, 6]) await user.does(agent_id, `Please make the report ${n} now.`)
  const again = (await user.list()).find(({ state }) => state !== 'retired')
  await page.goto(`${new URL(page.url()).origin}/c/${again?.conversation_id}`)
  const noticed = page.getByRole('article', { name: 'Recommendation' })
  await noticed.getByText(/^You repeat this, so Tandem is testing a workflow for it: /).waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])
  await noticed.getByRole('button', { name: /^Dismiss: / }).click()
  await noticed.waitFor({ state: 'detached' })
  expect((await user.get(again?.id ?? '')).recommendation.state).toBe('retired')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Go to Evolution')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/diagnostics/evolution')
})

test('what gaps of knowledge and policy led to is shown and decided about; narrow and dark', { timeout }, async () => {
  const { agent_id, user } = await start()
  mkdirSync(join(desktop.workspace, 'docs'))
  writeFileSync(join(desktop.workspace, 'docs', 'style.md'), '# Style\n')
  const said = [
    ...['Sort it. Please reply in German.', 'Count it. Antworte bitte auf Deutsch.', 'Fix it. Your answer should be in German.'],
    ...['List it. Do not touch legacy/.', 'Look again. Never touch legacy/.', 'And now. Don’t touch legacy/, please.'],
    ...[
      'Name it. Always follow docs/style.md.',
      'Rename it. Always follow docs/style.md, please.',
      'Sum up. Always follow docs/style.md here.',
    ],
  ]
  for (const text of said) await user.does(agent_id, text)
  const page = await desktop.page({ width: 360, dark: true, path: '/diagnostics/evolution/gaps' })
  const gap = (text: string | RegExp) => main(page).getByRole('listitem').filter({ hasText: text })
  const memory = gap('Your answer should be in German.')
  await memory.getByText('Memory candidate').waitFor()
  await memory.getByText('To decide').waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])
  await memory.getByRole('button', { name: /^Remember: / }).click()
  await memory.getByText('Remembered').waitFor()
  expect((await call('memory_list_writeback_candidates', {})).items.map(({ state }) => state)).toEqual(['committed'])

  const source = gap(/docs\/style\.md/)
  await source.getByText('Source for the knowledge base').waitFor()
  expect((await call('kb_list', {})).items).toEqual([])
  await source.getByRole('button', { name: /^Add to the knowledge base: / }).click()
  await source.getByRole('link', { name: 'Open the source' }).waitFor()
  expect((await call('kb_list', {})).items).toMatchObject([{ name: 'style.md', owner: { kind: 'agent', agent_id } }])

  const policy = gap('legacy')
  const candidate = policy.getByRole('link', { name: /^Exclude legacy from what fs\.write/ })
  await candidate.waitFor()
  expect([await seriousFindings(page), await scrollWidth(page)]).toEqual([[], 360])
  await candidate.click()
  await page.waitForURL('**/diagnostics/learning/candidates/*')
  await page.goBack()
  await policy.getByRole('button', { name: /^Dismiss gap: / }).click()
  await page.getByRole('alert').filter({ hasText: 'is withdrawn' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss gap', exact: true }).click()
  await policy.waitFor({ state: 'detached' })
  const [withdrawn] = (await call('agent_run_list_policy_candidates', {})).items
  expect(['shadow_failed', 'rolled_back']).toContain(withdrawn?.state)
})
