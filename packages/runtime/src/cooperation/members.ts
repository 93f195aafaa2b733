// The members of teams: how they start, and what is recorded when they end. A member is a run of its own, in a hidden conversation of its own.
import { createHash } from 'node:crypto'
import { join, sep } from 'node:path'
import { cutText, isTerminalRunState } from '@tandem/contract/run'
import type { MemberWorkspace, PathChange } from '@tandem/contract/team'
import { type SandboxMode, sandboxModes } from '@tandem/contract/tool'
import type { MemberResult } from '@tandem/contract/tool/output'
import type { Agents } from '../agent/agents.ts'
import { ToolFailure } from '../call/failure.ts'
import type { Rejection } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { lastAnswer } from '../journal/last-answer.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { relativeInside } from '../path/inside.ts'
import { realPath } from '../path/real-path.ts'
import type { Questions } from '../question/questions.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { Store } from '../store/store.ts'
import type { Budgets } from './budgets.ts'
import type { TeamCrashpoint } from './crashpoint.ts'
import type { Inbox } from './record/inbox.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'
import type { TeamMessageRows } from './record/team-message-rows.ts'
import { claimedPath, mayWrite, overlapOf } from './rule/claims.ts'
import { circleOf, type Delegated, limitProblem, type TeamLimits, usualShare } from './rule/limits.ts'
import { type Excerpt, openQuestions, taskText } from './rule/member-text.ts'
import { readOutput, schemaProblem } from './rule/output-schema.ts'
import { withAbove } from './set-aside.ts'

export interface MemberRequest {
  readonly title: string
  readonly task: string
  /** Null: the agent of the run that starts it. */
  readonly agent_id: string | null
  readonly role: string | null
  readonly files: readonly string[]
  readonly excerpts: readonly Excerpt[]
  readonly output_schema: unknown
  readonly workspace: MemberWorkspace
  readonly paths: readonly string[]
  readonly budget: { readonly tokens?: number; readonly turns?: number } | null
}

export interface StartedBy {
  readonly parent: RunRecord
  readonly call_id: string
  readonly is_awaited: boolean
}

export interface Members {
  /** Part of the caller's transaction: all of them start, or none. Throws a `ToolFailure` that says which one cannot. */
  start(requests: readonly (MemberRequest & { readonly run_id: string })[], by: StartedBy): readonly MemberRecord[]
  /**
   * Before a member is resumed that a restore has withdrawn: it gets its paths, its place and its share back, or it is said why it cannot.
   */
  readmit(run_id: string): Rejection | null
  /** The run has ended: its parent is told, once. */
  ended(run_id: string): Promise<void>
  /** What it has told its parent; undefined if it has not ended, or is no member. */
  resultOf(run_id: string): MemberResult | undefined
}

export interface MemberPorts {
  readonly store: Pick<Store, 'transaction' | 'newId'>
  readonly journal: Journal
  readonly rows: MemberRows
  readonly inbox: Inbox
  readonly messages: Pick<TeamMessageRows, 'findings'>
  readonly agents: Pick<Agents, 'get' | 'list'>
  readonly budgets: Pick<Budgets, 'leftFor' | 'readmit'>
  isSetAside(member: MemberRecord): boolean
  readonly questions: Pick<Questions, 'pending'>
  limits(): TeamLimits
  defaultModel(): string | null
  runs(): Pick<ReadyRuns, 'startMember' | 'endWaits'>
  /** What a member changed. */
  changesOf(member: MemberRecord): Promise<readonly { readonly path: string; readonly change: PathChange }[]>
  /** A command that a run started in the background and that is still running. */
  backgroundCommandOf(run_id: string): string | null
  crashPoint(point: TeamCrashpoint): void
}

const answerCharacters = 16_000
const mostChanged = 200
const mostFindings = 20

export function openMembers(ports: MemberPorts): Members {
  const { store, journal, rows, inbox, messages, agents, budgets, questions } = ports

  function refuse(reason_code: string, subject: string, message: string, remedy: string): never {
    throw new ToolFailure(reason_code, message, { subject, remedy, recoverability: 'user_action' })
  }

  /** The agent itself, and those that it may delegate to. */
  function agentFor(parent: RunRecord, { agent_id, title }: MemberRequest) {
    const own = agents.get(parent.agent_id)
    if (agent_id === null || agent_id === parent.agent_id) {
      return own ?? refuse('agent_not_found', parent.agent_id, `the agent ${parent.agent_id} no longer exists`, 'Tell the user.')
    }
    const allowed = own?.agent.delegates_to ?? []
    const named = agents.list().filter(({ agent_id: id, agent }) => allowed.includes(id) && !agent.archived)
    const found = named.find(({ agent_id: id, agent }) => id === agent_id || agent.name.toLowerCase() === agent_id.toLowerCase())
    if (found) return found
    const choices = named.map(({ agent_id: id, agent }) => `${agent.name} (${id})`)
    const remedy =
      choices.length === 0
        ? 'Leave agent out to start a member with a role of its own. The user decides which agents this one may delegate to.'
        : `Use one of: ${choices.join(', ')}; or leave agent out.`
    return refuse('delegation_not_allowed', agent_id, `${title}: this agent may not delegate to ${agent_id}`, remedy)
  }

  /** Without links: two names of one folder are one claim. */
  function claimsOf(parent: RunRecord, own: MemberRecord | undefined, request: MemberRequest, open: readonly MemberRecord[]) {
    if (request.workspace === 'copy') return []
    const claims = request.paths.map((path) => {
      const claim = claimedPath(path)
      const real = claim === null ? null : relativeInside(realPath(join(parent.workspace, claim)), realPath(parent.workspace))
      return (
        (real === null ? null : claimedPath(real.replaceAll(sep, '/'))) ??
        refuse('invalid_path', path, `${request.title}: ${path} is not a path inside the workspace`, 'Use a relative path.')
      )
    })
    for (const { run_id, title } of [parent, ...runsAbove(parent.run_id)].filter(({ workspace }) => workspace === parent.workspace)) {
      const command = ports.backgroundCommandOf(run_id)
      if (command === null) continue
      const message = `${request.title}: ${cutText(command, 200).text}, which ${title} (${run_id}) runs in the background, could change its files`
      refuse('folder_shared', parent.workspace, message, 'End that command, or use a copy.')
    }
    const outside = own?.workspace === 'shared' ? claims.find((claim) => !mayWrite(claim, own.claims)) : undefined
    if (outside !== undefined)
      refuse('path_not_claimed', outside, `${request.title}: this agent may not write ${outside} itself`, 'Name a path that it may write.')
    const above = new Set(aboveOf(parent.run_id).map(({ run_id }) => run_id))
    const beside = open.filter(({ run_id, workspace, started_in }) => {
      return workspace === 'shared' && started_in === parent.workspace && !above.has(run_id)
    })
    const overlap = overlapOf(
      claims,
      beside.map(({ run_id, claims: paths }) => ({ run_id, paths })),
    )
    if (overlap) {
      const { title } = beside.find(({ run_id }) => run_id === overlap.run_id) ?? { title: overlap.run_id }
      const message = `${request.title}: ${overlap.path} overlaps with ${overlap.theirs}, which ${title} (${overlap.run_id}) may write`
      refuse('claims_overlap', overlap.path, message, 'Name other paths, wait until that member has ended, or use a copy.')
    }
    return claims
  }

  const aboveOf = (run_id: string) => withAbove(rows, run_id)

  /** Those above it, up to the first run. */
  function runsAbove(run_id: string): readonly RunRecord[] {
    return aboveOf(run_id).flatMap(({ parent_run_id }) => journal.run(parent_run_id) ?? [])
  }

  /** The task that a person gave to the first run is a task like any other. */
  function firstTask(root_run_id: string): readonly Delegated[] {
    const run = journal.run(root_run_id)
    const started = run && journal.steps(root_run_id, { limit: 1 })[0]?.step
    const message = started?.kind === 'run.started' && started.message_id !== null ? journal.messages.get(started.message_id) : undefined
    return run && message ? [{ run_id: root_run_id, task_sha256: taskHash(run.agent_id, message.text) }] : []
  }

  function startOne(request: MemberRequest & { readonly run_id: string }, { parent, call_id, is_awaited }: StartedBy): MemberRecord {
    const { run_id, title, task, role, workspace } = request
    const own = rows.get(parent.run_id)
    const root_run_id = own?.root_run_id ?? parent.run_id
    const team = rows.ofTeam(root_run_id)
    const open = openOf(team)
    const { agent_id, agent } = agentFor(parent, request)
    const limits = limitsOf(root_run_id)
    const depth = own?.depth ?? 0
    const problem = limitProblem(limits, { depth, open: open.length, started: team.length }, 1)
    if (problem) refuse(problem.reason_code, title, `${title}: ${problem.message}`, problem.remedy)
    const task_sha256 = taskHash(agent_id, task)
    const circle = circleOf(task_sha256, [...aboveOf(parent.run_id), ...firstTask(root_run_id)])
    if (circle)
      refuse(
        'delegated_in_a_circle',
        title,
        `${title}: run ${circle.run_id} above already has this task with this agent`,
        'Do it yourself.',
      )
    if (request.output_schema !== null) {
      const fault = schemaProblem(request.output_schema)
      if (fault) refuse('invalid_schema', 'output_schema', `${title}: the schema of the output cannot be used: ${fault}`, 'Simplify it.')
    }
    const claims = claimsOf(parent, own, request, open)
    const left = budgets.leftFor(parent.run_id)
    const usual = usualShare(left, { is_awaited, free: limits.at_once - open.length })
    const share = { tokens: request.budget?.tokens ?? usual.tokens, turns: request.budget?.turns ?? usual.turns }
    if (share.tokens > left.tokens || share.turns > left.turns || share.turns < 1 || share.tokens < 1)
      refuse(
        'budget_exhausted',
        title,
        `${title}: ${left.tokens} tokens and ${left.turns} turns are left, which is not enough for a share of ${share.tokens} tokens and ${share.turns} turns`,
        'Name a smaller budget, do it yourself, or ask the user to allow more.',
      )
    const model = (agent_id === parent.agent_id ? parent.model : agent.model) ?? ports.defaultModel()
    if (model === null) refuse('model_unavailable', agent_id, `${title}: ${agent.name} has no model`, 'Tell the user to choose a model.')
    const output_schema = request.output_schema === null ? null : JSON.stringify(request.output_schema)
    const member: MemberRecord = {
      ...{ run_id, parent_run_id: parent.run_id, root_run_id, call_id, depth: depth + 1, title, role, task_sha256, workspace, claims },
      ...{
        started_in: parent.workspace,
        share,
        share_is_fixed: request.budget !== null,
        output_schema,
        is_awaited,
        is_withdrawn: false,
        is_set_aside: false,
        result: null,
      },
    }
    rows.add(member)
    ports.runs().startMember({
      ...{ run_id, parent_run_id: parent.run_id, spawned_by_call_id: call_id, role_text: role },
      ...{ agent_id, title, model, workspace: parent.workspace },
      text: taskText({ ...request, output_schema }),
      sandbox_mode: stricterMode(agent.sandbox_mode, parent.sandbox_mode),
    })
    journal.append(parent.run_id, { kind: 'child.started', child_run_id: run_id, child_agent_id: agent_id, call_id, title })
    for (const { team_message_id, from_run_id, topic, text } of messages.findings(root_run_id, mostFindings))
      inbox.add(run_id, { kind: 'member', team_message_id, from_run_id, is_direct: false, topic, text })
    return member
  }

  /** Those that have not ended and are not set aside. */
  function openOf(team: readonly MemberRecord[]): readonly MemberRecord[] {
    return team.filter((member) => member.result === null && !ports.isSetAside(member))
  }

  function readmit(run_id: string): Rejection | null {
    const top = aboveOf(run_id).findLast(({ is_set_aside }) => is_set_aside)
    if (!top || journal.run(top.run_id)?.state !== 'paused') return null
    const { root_run_id } = top
    const team = rows.ofTeam(root_run_id)
    const back = team.filter(({ run_id: one, result }) => result === null && aboveOf(one).some((above) => above.run_id === top.run_id))
    const open = openOf(team)
    const above = new Set(aboveOf(top.parent_run_id).map(({ run_id: one }) => one))
    const others = open.filter(({ run_id: one, workspace }) => workspace === 'shared' && !above.has(one))
    for (const { title, workspace, started_in, claims } of back) {
      const beside = workspace === 'shared' ? others.filter((one) => one.started_in === started_in) : []
      const overlap = overlapOf(
        claims,
        beside.map(({ run_id: one, claims: paths }) => ({ run_id: one, paths })),
      )
      const other = overlap && beside.find(({ run_id: one }) => one === overlap.run_id)
      if (other)
        return {
          ...{ ok: false, code: 'transition_refused' },
          message: `${title} may write ${overlap.path}, which overlaps with ${overlap.theirs} of ${other.title} (${other.run_id}), started since`,
          remedy: `Resume it when ${other.title} has ended, or cancel one of them.`,
        }
    }
    const { at_once } = limitsOf(root_run_id)
    if (open.length + back.length > at_once)
      return {
        ...{ ok: false, code: 'transition_refused' },
        message: `${at_once} agents of a team may work at the same time, and ${open.length} others were started since`,
        remedy: 'Resume it when one of them has ended.',
      }
    store.transaction(() => {
      budgets.readmit(
        root_run_id,
        back.map(({ run_id: one }) => one),
      )
      rows.readmit(top.run_id)
    })
    return null
  }

  function limitsOf(root_run_id: string): TeamLimits {
    const limits = ports.limits()
    const { depth, child_runs } = agents.get(journal.run(root_run_id)?.agent_id ?? '')?.agent.budget ?? {}
    return { ...limits, depth: Math.min(limits.depth, depth ?? limits.depth), total: Math.min(limits.total, child_runs ?? limits.total) }
  }

  async function resultFor(member: MemberRecord, run: RunRecord): Promise<MemberResult> {
    const { run_id, title, workspace, output_schema } = member
    const answer = lastAnswer(journal, run_id)
    const shown = answer === null ? null : cutText(answer, answerCharacters)
    const read = output_schema === null || answer === null ? { output: null, problem: null } : readOutput(answer, output_schema)
    const changed = await ports.changesOf(member)
    const asked = questions.pending(run_id).map(({ prompt }) => prompt.question)
    const failure = run.failure_contract
    return {
      ...{ run_id, title, agent_id: run.agent_id, workspace, state: run.state },
      answer: shown?.text ?? null,
      answer_truncated: shown?.cut ?? false,
      output: read.output,
      output_problem: read.problem,
      changed: changed.slice(0, mostChanged).map(({ path, change }) => ({ path, change })),
      more_changed: Math.max(0, changed.length - mostChanged),
      input_tokens: run.usage.input_tokens,
      output_tokens: run.usage.output_tokens,
      turns: run.turns,
      open_questions: [...asked, ...(answer === null ? [] : openQuestions(answer))],
      failure: failure && {
        ...{ taxonomy: failure.taxonomy, stage: failure.stage, source: failure.source, reason_code: failure.reason_code },
        ...{ recoverability: failure.recoverability, message: failure.details.message },
      },
    }
  }

  const ending = new Map<string, Promise<void>>()

  async function end(member: MemberRecord): Promise<void> {
    const { run_id, parent_run_id, is_awaited } = member
    const run = journal.run(run_id)
    if (!run || !isTerminalRunState(run.state)) return
    const result = await resultFor(member, run)
    ports.crashPoint('member_ending')
    const parent = journal.run(parent_run_id)
    const value = { state: run.state }
    const continued = store.transaction(() => {
      if (!rows.end(run_id, result)) return []
      const { usage, failure_contract } = run
      const state = run.state as 'completed' | 'failed' | 'canceled'
      if (parent) journal.append(parent_run_id, { kind: 'child.ended', child_run_id: run_id, state, usage, failure_contract })
      if (parent && !is_awaited && !rows.get(run_id)?.is_withdrawn && !isTerminalRunState(parent.state))
        inbox.add(parent_run_id, {
          ...{ kind: 'member', team_message_id: store.newId(), from_run_id: run_id, is_direct: true, topic: null },
          text: endText(result),
        })
      // Recorded together, so that a parent that waits always learns of the end; it continues after the commit.
      return [run_id, parent_run_id].map((id) => ports.runs().endWaits({ for: 'child', id }, { outcome: 'completed', value }))
    })
    ports.crashPoint('member_ended')
    await Promise.all(continued)
  }

  return {
    readmit,
    start: (requests, by) => requests.map((request) => startOne(request, by)),
    async ended(run_id) {
      const member = rows.get(run_id)
      if (!member || member.result !== null) return
      const under_way = ending.get(run_id) ?? end(member).finally(() => ending.delete(run_id))
      ending.set(run_id, under_way)
      await under_way
    },
    resultOf: (run_id) => rows.get(run_id)?.result ?? undefined,
  }
}

/** Whitespace does not matter. */
function taskHash(agent_id: string, task: string): string {
  return createHash('sha256')
    .update(`${agent_id}\n${task.trim().replace(/\s+/g, ' ')}`)
    .digest('hex')
}

function stricterMode(one: SandboxMode, other: SandboxMode): SandboxMode {
  return sandboxModes.indexOf(one) >= sandboxModes.indexOf(other) ? one : other
}

/** What the model of the parent reads at its next turn. */
export function endText(result: MemberResult): string {
  const { title, run_id, state, answer, answer_truncated, changed, more_changed, workspace, failure } = result
  const paths = changed.map(({ path, change }) => `- ${path} (${change})`)
  return [
    `The member "${title}" (run ${run_id}) has ended: ${state}.`,
    failure === null ? '' : `Why: ${failure.message}`,
    answer === null ? '' : `Its answer${answer_truncated ? ', shortened' : ''}:\n${answer}`,
    paths.length === 0
      ? ''
      : `It changed:\n${paths.join('\n')}${more_changed > 0 ? `\n- and ${more_changed} more` : ''}\n${workspace === 'copy' ? 'These changes are in its copy. Use agent.merge_result to merge them.' : ''}`.trimEnd(),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
