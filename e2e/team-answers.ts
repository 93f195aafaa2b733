// Teams for tests of the window: runs in a real journal, and answers to the commands about teams in place of the runtime.
import type { ApprovalPrompt, CallPreview } from '@tandem/contract/run'
import type { MergeConflict, MergedFile, Team, TeamMember } from '@tandem/contract/team'
import type { Page } from 'playwright-core'
import type { Desktop } from './test-desktop.ts'

const usage = { input_tokens: 12_000, output_tokens: 3_400, cached_tokens: 0, estimated: false }

export interface RecordedRun {
  readonly run_id: string
  readonly conversation_id: string
  readonly device_id: string
}

/** A run in a conversation of its own, as the journal has it. */
function recordRun({ runtime: { journal }, workspace }: Desktop, title: string, hidden: boolean): RecordedRun {
  const conversation = journal.conversations.create({ agent_id: 'agent', title, workspace })
  const ids = { conversation: conversation.no, agent_id: 'agent', message_id: null }
  const { run_id, device_id } = journal.start({ ...ids, title, model: 'scripted', sandbox_mode: 'workspace' })
  if (hidden) journal.conversations.hide(conversation.conversation_id, true)
  return { run_id, conversation_id: conversation.conversation_id, device_id }
}

/** All of them are running: the runtime would continue a run that is paused although nothing is left to wait for. */
export function recordTeam(
  desktop: Desktop,
  titles: readonly string[],
): { readonly root: RecordedRun; readonly children: readonly RecordedRun[] } {
  const { journal } = desktop.runtime
  const root = recordRun(desktop, 'Build the release', false)
  const children = titles.map((title) => {
    const child = recordRun(desktop, title, true)
    const started = { child_run_id: child.run_id, child_agent_id: 'agent', call_id: null, title }
    journal.append(root.run_id, { kind: 'child.started', ...started })
    return child
  })
  return { root, children }
}

export function testMember(run: RecordedRun, title: string, fields: Partial<TeamMember> = {}): TeamMember {
  return {
    ...{ run_id: run.run_id, parent_run_id: null, conversation_id: run.conversation_id, agent_id: 'agent', agent_name: 'Tandem', title },
    ...{ role: null, state: 'running', pause_reason: null, device_id: run.device_id, doing: null, usage, turns: 4, share: null },
    ...{ workspace: null, claims: [], pending_approvals: 0, pending_questions: 0, failure_contract: null },
    ...{ started_at: new Date(Date.now() - 65_000).toISOString(), ended_at: null },
    ...fields,
  }
}

export function testTeam(members: readonly TeamMember[], fields: Partial<Team> = {}): Team {
  const limit = { tokens: 2_000_000, turns: 300, seconds: 14_400 }
  const spent = { tokens: 61_600, turns: 21, seconds: 320 }
  return { root_run_id: members[0]?.run_id ?? '', members: [...members], budget: { limit, spent }, ...fields }
}

export function testApproval(number: number, fields: Partial<ApprovalPrompt> = {}): ApprovalPrompt {
  return {
    ...{ approval_id: `01a00000-0000-7000-8000-${String(number).padStart(12, '0')}`, call_id: `c${number}`, tool: 'shell.exec' },
    ...{ arguments: '{"command":"npm test"}', working_directory: '/project', fingerprint: 'f'.repeat(64), touches: [], protected: [] },
    ...{ unprotected: [], remembers: [{ kind: 'command', words: ['npm', 'test'] }], warnings: [] },
    choices: ['once', 'this_run', 'this_team', 'always', 'no'],
    ...fields,
  }
}

export function testConflict(number: number, fields: Partial<MergeConflict> = {}): MergeConflict {
  return {
    ...{ conflict_id: `k${number}`, kind: 'lines', line: 10 * number, message: 'Both changed these lines.', resolved: null },
    choices: ['current', 'member', 'both', 'text'],
    base: { author: null, text: `const size = ${number}\n`, truncated: false },
    current: { author: 'Tandem', text: `const size = ${number}0\n`, truncated: false },
    member: { author: 'Fix the parser', text: `const size = ${number}00\n`, truncated: false },
    ...fields,
  }
}

export function testMerged(path: string, fields: Partial<MergedFile> = {}): MergedFile {
  return {
    ...{ path, change: 'edited', from: null, authors: ['Fix the parser'], diff_truncated: false, lines_added: 1, lines_removed: 1 },
    diff: `--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n import x\n-const size = 1\n+const size = 100\n export {}\n`,
    conflicts: [],
    ...fields,
  }
}

export function testMerge(files: readonly MergedFile[], run: RecordedRun): Extract<CallPreview, { kind: 'merge' }> {
  const open = files.flatMap(({ conflicts }) => conflicts).filter(({ resolved }) => resolved === null)
  return {
    kind: 'merge',
    members: [{ run_id: run.run_id, title: 'Fix the parser' }],
    files: [...files],
    more: 0,
    open_conflicts: open.length,
    notes: [],
  }
}

type Answer = (params: Record<string, unknown>) => object
type Refusal = { readonly refused: { readonly code: string; readonly message: string; readonly remedy: string } }

export interface Asked {
  readonly method: string
  readonly params: Record<string, unknown>
}

interface Step {
  readonly kind: string
  readonly run_id: string
}

interface Interception {
  /** By the name of the command; it may return `{ refused }`. */
  readonly answers: Readonly<Record<string, Answer>>
  /** Changes the steps that the runtime sends. */
  change?(step: Step): object
}

/** Answers some commands instead of the runtime, and returns those calls. Used before the page is opened, or before it is reloaded. */
export async function answerInstead(page: Page, { answers, change }: Interception): Promise<Asked[]> {
  const asked: Asked[] = []
  await page.routeWebSocket(/./, (socket) => {
    const runtime = socket.connectToServer()
    socket.onMessage((message) => {
      const { id, method, params } = JSON.parse(String(message))
      const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
      if (!answer) return runtime.send(message)
      asked.push({ method, params })
      const result = answer(params) as object | Refusal
      if (!('refused' in result)) return socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
      const data = result.refused
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: data.message, data } }))
    })
    runtime.onMessage((message) => {
      if (!change) return socket.send(message)
      const heard = JSON.parse(String(message))
      if (Array.isArray(heard.result?.items)) heard.result.items = heard.result.items.map((item: Step) => (item.kind ? change(item) : item))
      if (heard.params?.step) heard.params.step = change(heard.params.step)
      socket.send(JSON.stringify(heard))
    })
  })
  return asked
}
