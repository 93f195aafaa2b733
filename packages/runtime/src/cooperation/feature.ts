// Teams: a run that starts other runs, works in parallel with them, and merges what they did.

import { isTerminalRunState, type Message } from '@tandem/contract/run'
import type { WithdrawnMember } from '@tandem/contract/team'
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import { mayChangeFolder } from '../call/tool.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ReadyCall } from '../pipeline/prepared-call.ts'
import type { Questions } from '../question/questions.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { StartRequest } from '../run/start-request.ts'
import type { RunTeam } from '../run/team.ts'
import { openBudgets } from './budgets.ts'
import { changedPaths } from './changed-paths.ts'
import { teamHandlers } from './commands.ts'
import { openControl, type TeamControl } from './control.ts'
import { openCopies, type UnmergedCopy } from './copy/copies.ts'
import { crashPoint as reportCrashPoint, type TeamCrashpoint } from './crashpoint.ts'
import { memberLayer } from './member-layer.ts'
import { openMembers } from './members.ts'
import { openMerging } from './merge/merge-tool.ts'
import { openMessages } from './messages.ts'
import { teamPrompt } from './prompt.ts'
import { openInbox } from './record/inbox.ts'
import type { MemberRecord } from './record/member.ts'
import { openMemberRows } from './record/member-rows.ts'
import { openTeamMessageRows } from './record/team-message-rows.ts'
import { ruleElsewhere } from './rule/rule-elsewhere.ts'
import { isSetAside } from './set-aside.ts'
import { teamSettings } from './settings.ts'
import { openSharedFolders } from './shared-folder.ts'
import { openTeamView } from './team-view.ts'
import { teamTools } from './tools.ts'
import { openUnsent } from './unsent.ts'
import { openUserQueue } from './user-queue.ts'
import { startedIn, withdrawnBy } from './withdrawn.ts'

export interface TeamNeeds {
  readonly agents: Agents
  readonly approvals: Approvals
  readonly questions: Questions
  readonly checkpoints: Pick<Checkpoints, 'list' | 'changes' | 'savedContent' | 'hasTarget'>
  defaultModel(): string | null
  start(request: StartRequest): Promise<Outcome<RunRecord>>
  /** Refuses attachments that are not stored here. */
  missing(attachments: Message['attachments']): Outcome<never> | null
  runs(): Pick<ReadyRuns, 'startMember' | 'endWaits' | 'pause' | 'resume' | 'interrupt' | 'cancel'>
  /** Whether the operating system restricts the command to the paths of its policy. */
  isRestricted(call: ReadyCall): boolean
  /** A command that a run started in the background and that is still running. */
  backgroundCommandOf(run_id: string): string | null
  /** Whether a tool belongs to an MCP server of the folder. */
  isOfFolder(tool: string): boolean
  crashPoint?(point: TeamCrashpoint): void
}

export interface TeamFeature extends Feature {
  readonly team: RunTeam
  /** The commands for runs, for a run and everything it started. */
  readonly control: TeamControl
  /** The run that started this one; undefined for the first run of a team. */
  parentOf(run_id: string): string | undefined
  rootOf(run_id: string): string
  /** The members that a restore of the run to a cursor would withdraw. */
  withdrawnBy(run_id: string, cursor_seq: number): Promise<readonly WithdrawnMember[]>
  /** Sets aside tokens for a call of a model that is no turn of the run. A string is why there are not enough. */
  reserveTokens(run: RunRecord, tokens: number): (() => void) | string
  /** The folder of which a member has a copy; null for any other folder. */
  originOf(workspace: string): string | null
  /** Copies of these runs with changes that were not merged: they stay when the conversations are erased. */
  unmergedCopies(run_ids: readonly string[]): Promise<readonly UnmergedCopy[]>
  /** The runs are erased: their copies are no longer in use, and those in which nothing was changed are deleted. */
  endCopies(run_ids: readonly string[]): Promise<void>
  /** The run that a message was written to with this key; undefined if there is none. */
  writtenTo(request: Pick<StartRequest, 'conversation_id' | 'key'>): RunRecord | undefined
  /** At the start, before any run continues: a merge that was interrupted is undone. */
  undoMerges(): Promise<void>
}

/** How late the end of a member may be noticed that was not seen. */
const check_ms = 15_000
const hour_ms = 3_600_000
const gigabyte = 1_000_000_000

export function openTeamFeature(ground: FeatureContext, needs: TeamNeeds): TeamFeature {
  const { home, store, clock, journal, events, settings, log } = ground
  const { agents, approvals, questions, checkpoints, runs, crashPoint = reportCrashPoint } = needs
  settings.add(teamSettings)
  const choice = () => settings.section(teamSettings)
  const quota_bytes = () => choice().copies_gigabytes * gigabyte
  const rows = openMemberRows(store)
  const inbox = openInbox(store)
  const sent = openTeamMessageRows(store)
  const setAside = (member: MemberRecord) => isSetAside({ journal, rows }, member)
  const budgets = openBudgets({ clock, store, journal, rows, agents, isSetAside: setAside })
  const copies = openCopies({ store, clock, home, quota_bytes, log })
  const merging = openMerging({
    ...{ store, journal, clock, copies, members: rows, log },
    nameOfAgent: (run_id) => agents.get(journal.run(run_id)?.agent_id ?? '')?.agent.name ?? null,
    savedContent: (run_id, path, { size, mtime }) => checkpoints.savedContent(run_id, { path, size, mtime }),
    hasTarget: checkpoints.hasTarget,
  })
  const changesOf = ({ run_id, workspace }: MemberRecord) =>
    workspace === 'copy' ? copies.changes(run_id) : changedPaths(checkpoints, journal, run_id)
  const members = openMembers({
    ...{ store, journal, rows, inbox, messages: sent, agents, budgets, questions, runs, crashPoint },
    limits: choice,
    defaultModel: needs.defaultModel,
    backgroundCommandOf: needs.backgroundCommandOf,
    changesOf,
    isSetAside: setAside,
  })
  const queue = openUserQueue({ journal, inbox, events })
  const unsent = openUnsent({ store, journal, rows, inbox, queue, start: needs.start, runs })
  const messages = openMessages({ store, journal, rows, inbox, queue, unsent, messages: sent, missing: needs.missing, runs, crashPoint })
  const control = openControl({ journal, rows, runs, readmit: members.readmit })
  const view = openTeamView({ journal, rows, agents, budgets, approvals, questions, device_id: store.device_id })
  const folders = openSharedFolders({ rows, isRestricted: needs.isRestricted, isSetAside: setAside })

  function rootOf(run_id: string): string {
    return rows.get(run_id)?.root_run_id ?? run_id
  }

  async function ensureCopy(run: RunRecord, signal: AbortSignal, progress?: (text: string) => void): Promise<boolean> {
    const member = rows.get(run.run_id)
    if (member?.workspace !== 'copy') return false
    const folder = await copies.ensure({ run_id: run.run_id, title: member.title, source: member.started_in }, signal, progress)
    if (journal.run(run.run_id)?.workspace === folder) return false
    journal.conversations.settle(run.conversation_id, folder)
    return true
  }

  /** Members that were started after the point to which the run was restored are paused. The run does not wait for them any more. */
  async function withdrawUndone(run_id: string): Promise<void> {
    const started = rows.startedBy(run_id)
    if (started.length === 0) return
    const standing = startedIn(journal.steps(run_id))
    for (const { run_id: member } of started.filter((one) => !standing.has(one.run_id))) {
      rows.withdraw(member, true)
      await control.pauseAll(member)
    }
    for (const { run_id: member } of started.filter((one) => standing.has(one.run_id))) {
      members.readmit(member)
      rows.withdraw(member, false)
    }
  }

  async function endRun(run_id: string): Promise<void> {
    await control.cancelStartedBy(run_id)
    const member = rows.get(run_id)
    await unsent.settle(run_id)
    if (!member) return
    await members.ended(run_id)
    if (member.workspace === 'copy') await copies.ended(run_id)
  }

  /** What a process that was killed did not finish. */
  async function reconcile(): Promise<void> {
    for (const { run_id, parent_run_id } of rows.open()) {
      const run = journal.run(run_id)
      const parent = journal.run(parent_run_id)
      if (run && isTerminalRunState(run.state)) await endRun(run_id)
      else if (run && parent && isTerminalRunState(parent.state)) await control.cancelStartedBy(parent_run_id)
    }
    await unsent.reconcile()
  }

  const team: RunTeam = {
    deliver: messages.deliver,
    hasOpenMembers: (run_id) => rows.startedBy(run_id).some(({ result, is_withdrawn }) => result === null && !is_withdrawn),
    reserve: budgets.reserve,
    membershipOf(run) {
      const root = rootOf(run.run_id)
      const others = [root, ...rows.ofTeam(root).map(({ run_id }) => run_id)].filter((run_id) => run_id !== run.run_id)
      if (others.length === 0) return null
      const member = rows.get(run.run_id)
      return {
        ignores_always: isBelowOwnAgent(journal.run(member?.parent_run_id ?? ''), run.agent_id),
        writable: member?.workspace === 'shared' ? member.claims : null,
        in_copy: member?.workspace === 'copy',
        rules: (tool) =>
          others.flatMap((run_id) => {
            const other = journal.run(run_id)
            const rules = other ? approvals.rememberedForTeam(other.no, tool) : []
            return rules.map((rule) => ruleElsewhere(rule, other?.workspace ?? '', run.workspace))
          }),
      }
    },
    async ensureCopy(run, { effects }, signal, status) {
      return mayChangeFolder(effects) && (await ensureCopy(run, signal, status))
    },
    enter: folders.enter,
  }

  function isBelowOwnAgent(above: RunRecord | undefined, agent_id: string): boolean {
    if (!above) return false
    return above.agent_id === agent_id || isBelowOwnAgent(journal.run(rows.get(above.run_id)?.parent_run_id ?? ''), agent_id)
  }

  return {
    name: 'cooperation',
    team,
    control,
    parentOf: (run_id) => rows.get(run_id)?.parent_run_id,
    rootOf,
    withdrawnBy: (run_id, cursor_seq) => withdrawnBy({ journal, rows, checkpoints, changesOf }, run_id, cursor_seq),
    reserveTokens(run, tokens) {
      const reserved = budgets.reserve(run, tokens, 0)
      return reserved.ok ? reserved.release : reserved.failure_contract.details.message
    },
    originOf: copies.originOf,
    writtenTo: unsent.writtenTo,
    unmergedCopies: copies.unmerged,
    async endCopies(run_ids) {
      for (const run_id of run_ids) await copies.ended(run_id)
    },
    async undoMerges() {
      for (const problem of await merging.recover()) log(problem)
    },
    tools: [
      { ...merging.tool, isFor: (run_id) => rows.startedBy(run_id).length > 0 },
      ...teamTools({
        ...{ store, journal, members, messages, crashPoint },
        canStart: (run_id) => (rows.get(run_id)?.depth ?? 0) < choice().depth && journal.run(run_id)?.workflow_run_id == null,
        isInTeam: (run_id) => rows.get(run_id) !== undefined || rows.startedBy(run_id).length > 0,
        async ensureCopy(run, signal, progress) {
          await ensureCopy(run, signal, progress)
        },
        abandoned(run_id) {
          store.afterCommit(() => {
            const run = journal.run(run_id)
            if (run?.state !== 'running') return
            runs()
              .pause(run_id)
              .catch((error: unknown) => log(`run ${run_id} could not be paused: ${String(error)}`))
          })
        },
      }),
    ],
    commands: teamHandlers({ view, control, budgets, messages, sent, copies, quota_bytes }),
    policy: memberLayer({ rows, journal, isOfFolder: needs.isOfFolder }),
    prompt: teamPrompt({ rows, journal }),
    on: {
      from: 'now',
      hears: {
        async checkpoint_restored({ data }) {
          await withdrawUndone(data.run_id)
        },
      },
    },
    jobs: [
      { name: 'continue_teams', every_ms: check_ms, first_ms: 1_000, run: reconcile },
      { name: 'sweep_copies', every_ms: hour_ms, first_ms: 30_000, run: copies.sweep },
    ],
    endRun,
  }
}
