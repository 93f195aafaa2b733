// One routine, from start to end, as a user sees it: done five times by hand in five wordings, suggested once, tested in half of the runs,
// faster there, rolled back after a failure. The model works differently if it has the skill; how many turns it takes is read from the
// journal.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { type RoutineStep, userOf } from '../packages/runtime/test/support/test-routine.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import type { Desktop } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

const nouns = ['alpha beacon', 'copper dune', 'ember forest', 'garnet harbor', 'indigo jungle', 'kernel lagoon', 'marble nickel']
const write = (path: string, content: string): RoutineStep => ['fs.write', { path, content }]
const release = (n: number): readonly RoutineStep[] => [
  ['fs.mkdir', { path: `release/v${n}` }],
  write(`release/v${n}/notes.md`, `${nouns[n % nouns.length]} ${nouns[(n + 3) % nouns.length]}`),
  write('CHANGELOG.md', `${nouns[(n + 1) % nouns.length]} and ${nouns[(n + 2) % nouns.length]}`),
  write('VERSION', `${n}.0.0`),
]
const exploring: readonly RoutineStep[] = [
  ['fs.list', { path: '.' }],
  ['fs.read', { path: 'VERSION' }],
  ['fs.read', { path: 'CHANGELOG.md' }],
]
const asCalls = (steps: readonly RoutineStep[]) => ({ calls: steps.map(([name, args]) => ({ name, arguments: args })) })

/** Reads the skill if its prompt lists one for releases, and then does all of its steps in one turn. Otherwise it explores first. */
const model: Script = (_, { messages }) => {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const request = String(messages[at]?.content)
  const results = messages.slice(at).filter(({ role }) => role === 'tool')
  if (/fail/i.test(request)) return asCalls([['fs.list', { path: '.' }]])
  const steps = release(Number(/\d+/.exec(request)?.[0] ?? 0))
  const skill = /# Skills[\s\S]*?^[-*#]+ *`?([a-z0-9-]*release[a-z0-9-]*)/m.exec(String(messages[0]?.content))?.[1]
  if (skill !== undefined) {
    const [loaded] = results
    if (!loaded) return asCalls([['skill.load', { name: skill }]])
    const text = String(loaded.content)
    if (steps.every(([tool]) => text.includes(tool)) && text.includes('CHANGELOG.md'))
      return results.length === 1 ? asCalls(steps) : { text: 'Released.' }
  }
  const next = [...exploring, ...steps][results.length]
  return next ? asCalls([next]) : { text: 'Released.' }
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

const wordings = [
  'Cut the release 1, please.',
  'Please make release 2 for the team.',
  'Release 3 is due: prepare it now.',
  'We ship release 4 today.',
  'I need the files of release 5.',
]
const turnsOf = (run_id: string) => desktop.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'model.completed').length
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const main = (page: Page) => page.getByRole('main')
const region = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })

test('a release, five times by hand: one suggestion, fewer turns with it, and back after a failure', { timeout: 900_000 }, async () => {
  desktop = await openDesktop(model, (_, workspace) => {
    writeFileSync(join(workspace, 'VERSION'), '0.0.0')
    writeFileSync(join(workspace, 'CHANGELOG.md'), '# Changes\n')
  })
  const { agent_id } = (await call('agent_create', { name: 'Releaser', max_turns: 15 })).agent
  for (const tool of ['fs.mkdir', 'fs.write']) {
    const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
    await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, approval_mode: 'required' } })
  }
  const { runtime, folder, workspace } = desktop
  const user = userOf({ call, runtime, folder, workspace, logged: [] })
  const byHand: string[] = []
  for (const words of wordings) byHand.push(await user.does(agent_id, words))
  const { id, title, skill_name } = await user.only('local_skill_draft')
  expect(await user.list()).toHaveLength(1)

  // It is suggested once: in the conversation in which it was noticed.
  const page = await desktop.page({ width: 1200, path: '/diagnostics' })
  const origin = new URL(page.url()).origin
  const suggestions: number[] = []
  for (const run_id of byHand) {
    await page.goto(`${origin}/c/${runtime.journal.run(run_id)?.conversation_id}`)
    await page.getByText('Released.').first().waitFor()
    const noticed = page.getByRole('article', { name: 'Recommendation' })
    if (run_id === byHand[2]) await noticed.waitFor()
    suggestions.push(await noticed.count())
  }
  expect(suggestions).toEqual([0, 0, 1, 0, 0])

  for (let n = 6; n < 60; n += 1) {
    if ((await user.get(id)).recommendation.asks !== null) break
    await user.does(agent_id, `Please cut the release ${n} now.`)
  }
  const { matched_runs, groups, recommendation } = await user.get(id)
  expect(recommendation.asks).toMatch(/^Use it in every run of the agent\?/)
  const turnsIn = (name: 'with' | 'without') =>
    matched_runs.filter(({ stage, group }) => stage === 'canary' && group === name).map(({ run_id }) => turnsOf(run_id))
  const [fast, slow] = [turnsIn('with'), turnsIn('without')]
  expect(Math.min(fast.length, slow.length)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...fast)).toBeLessThan(Math.min(...slow))
  expect([groups.with.turns, groups.without.turns]).toEqual([mean(fast), mean(slow)])

  // The page shows it, with the runs.
  await page.goto(`${origin}/diagnostics/evolution/recommendations/${id}`)
  const row = page.getByRole('table', { name: 'Canary' }).getByRole('row', { name: /^Turns per run/ })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toEqual(
    [mean(fast), mean(slow)].map((turns) => String(Math.round(10 * turns) / 10)),
  )
  const shown = region(page, 'Canary').getByRole('list', { name: 'Matched runs' }).getByRole('listitem')
  expect(await shown.filter({ hasText: 'Canary, with it' }).count()).toBe(fast.length)
  expect(await shown.filter({ hasText: 'Canary, with it' }).first().textContent()).toMatch(/Turns \d+/)

  await page.getByRole('button', { name: `Make it live: ${title}` }).click()
  await page.getByRole('button', { name: 'Make it live', exact: true }).click()
  const current = main(page).getByRole('list', { name: 'Lifecycle' }).locator('[aria-current=step]')
  await current.getByText('Live').waitFor()
  const file = join(folder, 'home', 'skills', skill_name ?? '', 'SKILL.md')
  const first = readFileSync(file, 'utf8')
  expect(turnsOf(await user.does(agent_id, 'Please cut the release 70 now.'))).toBeLessThan(Math.min(...slow))

  // The user improves it and assigns it again; then a run with it fails.
  writeFileSync(file, `${first}\nTag it as well.\n`)
  const { review_sha256 } = await call('skill_get', { name: skill_name ?? '' })
  await call('skill_bind', { agent_id, skill_name: skill_name ?? '', binding_policy: 'on_demand', reviewed_sha256: review_sha256 })
  const failed = await user.does(agent_id, 'Fail, please.')
  expect(runtime.journal.run(failed)?.state).toBe('failed')
  await user.reached(id, 'rolled_back')
  expect((await user.get(id)).validations.at(-1)).toMatchObject({ trigger: 'later_failure', cause_run_id: failed, from_state: 'live' })
  expect(readFileSync(file, 'utf8')).toBe(first)
  await current.getByText('Rolled back').waitFor()
  await main(page).getByText('Rolled back: A run that had it failed.').first().waitFor()
  await page.reload()
  await region(page, 'Versions').getByRole('region', { name: 'Changes from version 1 to version 2' }).getByText('Tag it as well.').waitFor()
})
