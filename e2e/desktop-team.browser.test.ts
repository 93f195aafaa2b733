// Teams in the window: the tree, the thread of the parent, requests of members, messages to open runs, and merges.
import type { TeamMember } from '@tandem/contract/team'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import {
  answerInstead,
  type RecordedRun,
  recordTeam,
  testApproval,
  testConflict,
  testMember,
  testMerge,
  testMerged,
  testTeam,
} from './team-answers.ts'
import { approval, type Desktop } from './test-desktop.ts'

const openDesktop = useTestDesktop()

const noCopies = { copies: [], used_bytes: 0, quota_bytes: 10 * 1024 ** 3 }
const nothing = { items: [], next_cursor: null }

/** The answers of a runtime to which no team is known but this one. */
function answersOf(members: () => readonly TeamMember[]) {
  return {
    team_get: () => ({ team: testTeam(members()) }),
    team_list_messages: () => nothing,
    team_get_copies: () => noCopies,
    team_get_graph: () => ({ graph: { agents: [], edges: [] } }),
  }
}

async function goTo(page: Page, desktop: Desktop, path: string): Promise<void> {
  await page.goto(new URL(path, desktop.window.url).href)
}

const inConversation = ({ conversation_id }: RecordedRun) => `/c/${conversation_id}`

test('a team is a live tree with state, current step, tokens and pending requests; each member opens as a conversation', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser', 'Write the notes'])
  const [parser, notes] = children
  if (!parser || !notes) throw new Error('two children were recorded')
  const below = { parent_run_id: root.run_id, share: { tokens: 100_000, turns: 40 }, workspace: 'copy' } as const
  let doing = 'Read src/parser.ts'
  const page = await desktop.page()
  await answerInstead(page, {
    answers: answersOf(() => [
      testMember(root, 'Build the release', { state: 'paused', pause_reason: 'child' }),
      testMember(parser, 'Fix the parser', { ...below, doing, role: 'You fix parsers.' }),
      testMember(notes, 'Write the notes', { ...below, state: 'paused', pause_reason: 'approval', pending_approvals: 1 }),
    ]),
  })
  await goTo(page, desktop, `/teams/${parser.run_id}`)
  await page.getByRole('heading', { name: 'Build the release', level: 1 }).waitFor()
  const tree = page.getByRole('list', { name: 'Members of the team' })
  const rows = tree.locator('[data-member]')
  expect(await rows.count()).toBe(3)
  await rows.nth(1).getByText('Now: Read src/parser.ts').waitFor()
  await rows.nth(1).getByText('15,400 tokens', { exact: true }).waitFor()
  await rows.nth(1).getByText('Share: 40 turns, 100,000 tokens').waitFor()
  await rows.nth(2).getByRole('link', { name: '1 approval pending' }).waitFor()
  await rows.nth(0).getByText('Waiting', { exact: true }).waitFor()
  doing = 'Run npm test'
  await rows.nth(1).getByText('Now: Run npm test').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await rows.nth(1).getByRole('link', { name: 'Fix the parser' }).click()
  await page.waitForURL(`**${inConversation(parser)}`)
})

test('the budget of a team can be raised, and the team paused and stopped', async () => {
  const desktop = await openDesktop([])
  const { root } = recordTeam(desktop, [])
  const page = await desktop.page()
  const team = () => ({ team: testTeam([testMember(root, 'Build the release', { state: 'paused', pause_reason: 'budget' })]) })
  const asked = await answerInstead(page, {
    answers: { ...answersOf(() => []), team_get: team, team_raise_budget: team, team_cancel: team },
  })
  await goTo(page, desktop, `/teams/${root.run_id}`)
  await page.getByText('The budget is used up, and the team is paused.').waitFor()
  await page.getByRole('button', { name: 'Raise', exact: true }).click()
  await page.getByText('Enter how much more the team may spend.').waitFor()
  await page.getByRole('spinbutton', { name: 'More tokens' }).fill('500000')
  await page.getByRole('spinbutton', { name: 'More minutes' }).fill('30')
  await page.getByRole('button', { name: 'Raise', exact: true }).click()
  await page.getByText('Raised', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Stop all' }).click()
  await page.getByRole('group', { name: 'Stop all' }).getByRole('button', { name: 'Stop all' }).click()
  const { run_id } = root
  await expect
    .poll(() => asked.filter(({ method }) => method === 'team_raise_budget' || method === 'team_cancel').map(({ params }) => params))
    .toEqual([{ run_id, tokens: 500_000, seconds: 1_800 }, { run_id }])
})

test('copies have an age and a size, and one that was not merged is discarded only after a confirmation', async () => {
  const desktop = await openDesktop([])
  const { children } = recordTeam(desktop, ['Fix the parser'])
  const [parser] = children
  if (!parser) throw new Error('a child was recorded')
  const created_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const copy = {
    ...{ run_id: parser.run_id, title: 'Fix the parser', state: 'unmerged', copied_from: '/work', folder: '/copies/1', files: 1_200 },
    ...{ bytes: 5 * 1024 ** 2, created_at, merged_at: null, run_is_erased: false },
  }
  let copies = [copy]
  const edge = { from_agent_id: 'agent', to_agent_id: 'b', allowed: true, delegated: 12, failed: 1 }
  const graph = {
    agents: [
      { agent_id: 'agent', name: 'Tandem' },
      { agent_id: 'b', name: 'Reviewer' },
    ],
    edges: [edge],
  }
  const page = await desktop.page()
  await answerInstead(page, {
    answers: {
      ...answersOf(() => []),
      team_get_graph: () => ({ graph }),
      team_get_copies: () => ({ ...noCopies, copies, used_bytes: copies.length * copy.bytes }),
      team_discard_copy() {
        copies = []
        return { freed_bytes: copy.bytes }
      },
    },
  })
  await goTo(page, desktop, '/teams')
  const row = page.locator('[data-copy]')
  await row.getByText('Created 3 days ago · 5.0 MiB · 1,200 files').waitFor()
  await page.getByRole('row', { name: 'Tandem Reviewer Yes 12 1' }).waitFor()
  await row.getByRole('button', { name: 'Discard the copy of Fix the parser' }).click()
  await row.getByRole('button', { name: 'Cancel' }).click()
  expect(copies).toEqual([copy])
  await row.getByRole('button', { name: 'Discard the copy of Fix the parser' }).click()
  expect(await seriousFindings(page)).toEqual([])
  await row.getByRole('button', { name: 'Discard the copy', exact: true }).click()
  await page.getByText('Discarded. 5.0 MiB freed.').waitFor()
  await page.getByText('No copies').waitFor()
})

test('before a conversation is deleted, copies with changes that were not merged are named; afterwards they can still be discarded', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser'])
  const [parser] = children
  if (!parser) throw new Error('a child was recorded')
  const { conversation_id } = root
  const left = [3, null].map((changed_paths, at) => ({ run_id: `r${at}`, title: `Fix ${at}`, folder: `/copies/${at}`, changed_paths }))
  const copy = {
    ...{ run_id: parser.run_id, title: 'Fix the parser', state: 'unmerged', copied_from: '/work', folder: '/copies/1', files: 1 },
    ...{ bytes: 1_024, created_at: new Date().toISOString(), merged_at: null, run_is_erased: true },
  }
  const page = await desktop.page({ width: 1200 })
  await answerInstead(page, {
    answers: {
      ...answersOf(() => []),
      team_get_copies: () => ({ ...noCopies, copies: [copy] }),
      conversation_preview_delete: () => ({
        ...{
          conversation_ids: [conversation_id],
          open_run_ids: [],
          recovery_points: 0,
          memories: 0,
          unmerged_copies: left,
          signed_out: true,
        },
      }),
    },
  })
  await goTo(page, desktop, inConversation(root))
  await page.getByRole('button', { name: 'More actions for Build the release' }).click()
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Build the release”?' })
  await dialog.getByText('2 copies of folders have changes that were not merged, and stay until you discard them:').waitFor()
  await dialog.getByText('You are signed out. Your other devices keep it unless you sign in here within 24 hours.').waitFor()
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Fix 0 (3 changed files)', 'Fix 1'])
  expect(await seriousFindings(page)).toEqual([])
  await dialog.getByRole('link', { name: 'Show the copies' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.locator('[data-copy]')
  await row.getByText('Its conversation was deleted.').waitFor()
  await row.getByRole('button', { name: 'Discard the copy of Fix the parser' }).waitFor()
  expect(await row.getByRole('link').count()).toBe(0)
})

test('the thread of the parent has one live line per member; a member shows who started it and its role', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser'])
  const [parser] = children
  if (!parser) throw new Error('a child was recorded')
  const { journal } = desktop.runtime
  const page = await desktop.page()
  let tokens = 10
  const usage = () => ({ input_tokens: tokens, output_tokens: 0, cached_tokens: 0, estimated: false })
  await answerInstead(page, {
    answers: answersOf(() => [
      testMember(root, 'Build the release', { state: 'paused', pause_reason: 'child' }),
      testMember(parser, 'Fix the parser', { parent_run_id: root.run_id, doing: 'Run npm test', usage: usage() }),
    ]),
    change: (step) =>
      step.kind === 'run.started' && step.run_id === parser.run_id
        ? { ...step, parent_run_id: root.run_id, role_text: 'You fix parsers.' }
        : step,
  })
  await goTo(page, desktop, inConversation(root))
  const line = page.getByRole('article', { name: 'Run for part of the work: Fix the parser' })
  await line.getByText('Run npm test').waitFor()
  await line.getByText('10 tokens').waitFor()
  tokens = 20
  await line.getByText('20 tokens').waitFor()
  const wait = { wait_id: 'w', for: 'child', subject_id: parser.run_id, until: null } as const
  journal.append(root.run_id, { kind: 'wait.started', ...wait })
  const message = { from_run_id: parser.run_id, to_run_id: root.run_id, topic: 'parser', text: 'The grammar is ambiguous.' }
  const team_message_id = '01a00000-0000-7000-8000-000000000001'
  journal.append(root.run_id, { kind: 'team.message', team_message_id, ...message })
  await page.locator('[data-team=message]').getByText('Fix the parser to Build the release').waitFor()
  await page.getByText('The grammar is ambiguous.').waitFor()
  journal.append(root.run_id, {
    kind: 'child.ended',
    child_run_id: parser.run_id,
    state: 'completed',
    usage: usage(),
    failure_contract: null,
  })
  await line.getByText('Done', { exact: true }).waitFor()
  journal.append(root.run_id, { kind: 'merge.applied', child_run_id: parser.run_id, call_id: null, changed_paths: 2, conflicts: 1 })
  await page.getByText('Merged the work on “Fix the parser”: 2 paths changed, 1 conflict resolved.').waitFor()
  expect(await page.locator('[data-team=member]').count()).toBe(1)
  expect(await page.getByText('The run is waiting').count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])

  await line.getByRole('link', { name: 'Open the conversation of Fix the parser' }).click()
  const heading = page.locator('[data-team-heading]')
  await heading.getByText('Role').click()
  await heading.getByText('You fix parsers.').waitFor()
  await heading.getByRole('link', { name: 'Build the release' }).click()
  await page.waitForURL(`**${inConversation(root)}`)
})

test('requests of members appear in the dock of the whole team with who asks and why, and can be allowed for the team', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser', 'Write the notes'])
  const [parser, notes] = children
  if (!parser || !notes) throw new Error('two children were recorded')
  let approvals = [{ run_id: parser.run_id, asked_at: new Date().toISOString(), approval: testApproval(1) }]
  const question = {
    question_id: testApproval(2).approval_id,
    call_id: 'q',
    question: 'Which version?',
    options: [],
    multiple: false,
    allows_text: true,
  }
  const page = await desktop.page()
  const asked = await answerInstead(page, {
    answers: {
      ...answersOf(() => [
        testMember(root, 'Build the release', { state: 'paused', pause_reason: 'child' }),
        testMember(parser, 'Fix the parser', { parent_run_id: root.run_id, agent_name: 'Coder', pending_approvals: approvals.length }),
        testMember(notes, 'Write the notes', { parent_run_id: root.run_id, agent_name: 'Writer', pending_questions: 1 }),
      ]),
      approval_list: () => ({ items: approvals, next_cursor: null }),
      question_list: () => ({ items: [{ run_id: notes.run_id, asked_at: new Date().toISOString(), question }], next_cursor: null }),
      agent_run_resume({ run_id }) {
        approvals = []
        return { run: { run_id } }
      },
    },
  })
  // Elsewhere, the bar names the conversation of the first run, because those of members are hidden.
  await goTo(page, desktop, '/runs')
  await page.getByRole('status').getByRole('link', { name: 'Build the release: Run npm test?' }).click()
  await approval(page).locator('[data-asker]').getByText('Asked by Coder for “Fix the parser”').waitFor()
  await page.getByRole('region', { name: 'The agent has a question' }).getByText('Asked by Writer for “Write the notes”').waitFor()
  expect(await page.getByText('conversation needs you').count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])

  await goTo(page, desktop, inConversation(notes))
  await approval(page).getByText('Asked by Coder').waitFor()
  await approval(page).getByText('Until the runs of this team end').waitFor()
  await approval(page).getByRole('button', { name: 'Allow for this team' }).click()
  await expect
    .poll(() => asked.filter(({ method }) => method === 'agent_run_resume').map(({ params }) => params))
    .toEqual([
      {
        run_id: parser.run_id,
        answer: {
          kind: 'approval',
          approval_id: testApproval(1).approval_id,
          fingerprint: testApproval(1).fingerprint,
          answer: 'this_team',
        },
      },
    ])
  await approval(page).waitFor({ state: 'detached' })
})

test('a message to a run that waits for its team is queued until it is received, and kept if it is refused', async () => {
  const desktop = await openDesktop([])
  const { root } = recordTeam(desktop, ['Fix the parser'])
  const { journal } = desktop.runtime
  const message_id = '01a00000-0000-7000-8000-000000000009'
  const page = await desktop.page()
  let isRefused = true
  let queued: object[] = []
  const asked = await answerInstead(page, {
    answers: {
      ...answersOf(() => [testMember(root, 'Build the release', { state: 'paused', pause_reason: 'child' })]),
      agent_run_get_queue: () => ({ queued }),
      agent_run_add_message: () =>
        isRefused ? { refused: { code: 'run_busy', message: 'the run is ending', remedy: 'Try again.' } } : { message_id },
    },
  })
  await goTo(page, desktop, inConversation(root))
  const box = page.getByRole('textbox', { name: 'Message' })
  await page.getByPlaceholder('Write to the agent while it works').waitFor()
  await box.fill('Skip the notes.')
  await box.press('Enter')
  await page.getByText('The run is ending.').waitFor()
  await expect.poll(() => box.inputValue()).toBe('Skip the notes.')
  isRefused = false
  queued = [{ message_id, text: 'Skip the notes.', attachments: [], queued_at: '2026-01-01T00:00:00.000Z' }]
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await box.press('Enter')
  await page.locator('[data-queued=queued]').getByText('Skip the notes.').waitFor()
  await page.getByText('Queued. The agent gets this message at its next turn.').waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  expect(await seriousFindings(page)).toEqual([])
  const sent = asked.filter(({ method }) => method === 'agent_run_add_message').map(({ params }) => params)
  // Sent again, it has the same key: a message that arrived before the connection was lost is not written twice.
  const message = { run_id: root.run_id, text: 'Skip the notes.', key: expect.any(String) }
  expect([sent, sent[0]?.key]).toEqual([[message, message], sent[1]?.key])
  journal.append(root.run_id, { kind: 'message.received', message_id })
  await page.locator('[data-queued]').waitFor({ state: 'detached' })
})

test('a merge is approved only when every conflict is resolved, with the choices in its arguments', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser'])
  const [parser] = children
  if (!parser) throw new Error('a child was recorded')
  const files = [
    testMerged('src/parser.ts', { conflicts: [testConflict(1), testConflict(2)] }),
    testMerged('logo.png', {
      ...{ diff: '', lines_added: null, lines_removed: null },
      conflicts: [
        testConflict(3, {
          ...{ kind: 'content', line: null, choices: ['current', 'member'] },
          current: { author: null, text: null, truncated: false },
        }),
      ],
    }),
    testMerged('README.md'),
  ]
  const prompt = testApproval(1, {
    tool: 'agent.merge_result',
    arguments: JSON.stringify({ run_ids: [parser.run_id] }),
    choices: ['once', 'no'],
    remembers: [],
    preview: testMerge(files, parser),
  })
  const page = await desktop.page({ width: 1400 })
  const asked = await answerInstead(page, {
    answers: {
      ...answersOf(() => [testMember(root, 'Build the release', { state: 'paused', pause_reason: 'approval' })]),
      approval_list: () => ({ items: [{ run_id: root.run_id, asked_at: new Date().toISOString(), approval: prompt }], next_cursor: null }),
      agent_run_resume: ({ run_id }) => ({ run: { run_id } }),
    },
  })
  await goTo(page, desktop, inConversation(root))
  await approval(page).getByRole('heading', { name: 'Merge the work on “Fix the parser”: 3 paths?' }).waitFor()
  const allow = approval(page).getByRole('button', { name: 'Allow once' })
  await approval(page).getByText('3 conflicts are open. Resolve them before you allow the merge.').waitFor()
  expect(await allow.isDisabled()).toBe(true)
  const conflict = (number: number) => approval(page).getByRole('group', { name: `Conflict ${number} of 3` })
  await conflict(1).getByText('Current, by Tandem').waitFor()
  await conflict(1).getByText('Change, by Fix the parser').waitFor()
  expect(await conflict(3).getByRole('radio').count()).toBe(2)
  expect(await seriousFindings(page)).toEqual([])

  await approval(page).getByRole('button', { name: 'Next open conflict' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  expect(await conflict(1).getByRole('radio', { name: 'Use change' }).isChecked()).toBe(true)
  // The keys of the answers do not act while a choice has the focus.
  await page.keyboard.press('y')
  await conflict(2).getByText('Own text').click()
  await conflict(2).getByRole('textbox', { name: 'Own text for conflict 2' }).fill('const size = 7\n')
  await approval(page).getByText('1 conflict is open. Resolve it before you allow the merge.').waitFor()
  await approval(page).getByRole('button', { name: 'Keep current for all open' }).click()
  await approval(page).getByText('All conflicts are resolved.').waitFor()
  await allow.click()
  const resolutions = [
    { conflict_id: 'k1', use: 'member' },
    { conflict_id: 'k2', use: 'text', text: 'const size = 7\n' },
    { conflict_id: 'k3', use: 'current' },
  ]
  await expect
    .poll(() => asked.filter(({ method }) => method === 'agent_run_resume').map(({ params }) => params))
    .toEqual([
      {
        run_id: root.run_id,
        answer: {
          ...{ kind: 'approval', approval_id: prompt.approval_id, fingerprint: prompt.fingerprint, answer: 'once' },
          edited_arguments: JSON.stringify({ run_ids: [parser.run_id], resolutions }),
        },
      },
    ])
})

test('a merge of a hundred files with fifty conflicts can be used in a narrow window', async () => {
  const desktop = await openDesktop([])
  const { root, children } = recordTeam(desktop, ['Fix the parser'])
  const [parser] = children
  if (!parser) throw new Error('a child was recorded')
  const files = Array.from({ length: 100 }, (_, index) =>
    testMerged(`src/module-${index}/a-file-with-a-long-name-${index}.ts`, index < 50 ? { conflicts: [testConflict(index + 1)] } : {}),
  )
  const merge = { ...testMerge(files, parser), more: 12 }
  const prompt = testApproval(1, { tool: 'agent.merge_result', arguments: '{}', choices: ['once', 'no'], remembers: [], preview: merge })
  const page = await desktop.page({ width: 380, dark: true })
  await answerInstead(page, {
    answers: {
      ...answersOf(() => [testMember(root, 'Build the release', { state: 'paused', pause_reason: 'approval' })]),
      approval_list: () => ({ items: [{ run_id: root.run_id, asked_at: new Date().toISOString(), approval: prompt }], next_cursor: null }),
    },
  })
  await goTo(page, desktop, inConversation(root))
  await approval(page).getByText('50 conflicts are open.').waitFor()
  expect(await approval(page).locator('[data-merge] details').count()).toBe(100)
  await approval(page).getByText('12 more paths are merged and not listed here.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
  await approval(page).getByRole('button', { name: 'Use changes for all open' }).click()
  await approval(page).getByText('All conflicts are resolved.').waitFor()
  expect(await seriousFindings(page, 'colours')).toEqual([])
})
