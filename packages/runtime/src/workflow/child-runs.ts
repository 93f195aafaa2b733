// The runs that nodes start: of agents, in conversations of their own, and of other workflows.
import { isTerminalRunState } from '@tandem/contract/run'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import type { Agents } from '../agent/agents.ts'
import { failureContract } from '../call/outcome.ts'
import type { Rejection } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { lastAnswer } from '../journal/last-answer.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import type { Store } from '../store/store.ts'
import type { ChildEnd, ChildRuns, ChildStart } from './engine/ports.ts'
import type { WorkflowRunRows } from './record/workflow-run-rows.ts'
import { workflowResult } from './workflow-result.ts'
import type { WorkflowRuns } from './workflow-runs.ts'

export interface ChildRunPorts {
  readonly store: Pick<Store, 'transaction'>
  readonly journal: Journal
  readonly rows: WorkflowRunRows
  readonly agents: Pick<Agents, 'get'>
  runs(): Pick<ReadyRuns, 'start' | 'resume' | 'cancel'>
  workflows(): WorkflowRuns
}

export function openChildRuns({ store, journal, rows, agents, runs, workflows }: ChildRunPorts): ChildRuns {
  async function startAgent({ workflow_run_id, key, node, given, owner_agent_id, workspace }: ChildStart) {
    const agent_id = (node.kind === 'agent' ? node.agent_id : undefined) ?? owner_agent_id
    const agent = agents.get(agent_id)?.agent
    if (!agent) return refused(node.id, { ok: false, code: 'not_found', message: `there is no agent ${agent_id}` })
    const started = journal.startedBy(key)
    if (started) {
      // A crash interrupted it before it was known here as the run of this node.
      if (started.state === 'paused' && started.pause_reason === 'crash') await runs().resume(started.run_id)
      return { ok: true, run_id: started.run_id } as const
    }
    const title = (node.title ?? node.id).slice(0, 200)
    const conversation_id = store.transaction(() => {
      const created = journal.conversations.create({ agent_id, title, workspace })
      journal.conversations.hide(created.conversation_id, true)
      rows.addConversation(created.conversation_id, workflow_run_id)
      return created.conversation_id
    })
    const run = await runs().start({ conversation_id, author: 'workflow', text: String(given), key })
    return run.ok ? ({ ok: true, run_id: run.value.run_id } as const) : refused(node.id, run)
  }

  function startWorkflow({ workflow_run_id, key, node, given, owner_agent_id, workspace }: ChildStart) {
    const workflow_id = node.kind === 'workflow' ? node.workflow_id : ''
    const inputs = given as Readonly<Record<string, unknown>>
    const start = {
      workflow_id,
      inputs,
      inputs_by: 'workflow',
      agent_id: owner_agent_id,
      workspace,
      key,
      parent_id: workflow_run_id,
    } as const
    const started = workflows().start(start)
    return started.ok ? ({ ok: true, run_id: started.value.workflow_run_id } as const) : refused(node.id, started)
  }

  function endOfRun(run: RunRecord | undefined, run_id: string): ChildEnd {
    if (!run) return failed('agent', `the run ${run_id} is no longer there`)
    if (!isTerminalRunState(run.state)) return { is: 'open' }
    if (run.state === 'completed') return { is: 'completed', output: lastAnswer(journal, run_id) ?? '' }
    if (run.failure_contract) return { is: 'failed', failure_contract: run.failure_contract }
    const canceled = journal.steps(run_id).findLast(({ step }) => step.kind === 'run.canceled')?.step
    return failed('agent', `the run was canceled${because(canceled?.kind === 'run.canceled' ? canceled.reason : null)}`)
  }

  return {
    start: (child) => (child.node.kind === 'agent' ? startAgent(child) : Promise.resolve(startWorkflow(child))),
    end(kind, run_id) {
      if (kind === 'agent') return endOfRun(journal.run(run_id), run_id)
      const run = workflows().snapshot(run_id)
      if (!run.ok) return failed('workflow', run.message)
      const row = rows.get(run_id)
      // Its effects may still have to be taken back.
      const isOver = isTerminalWorkflowState(run.value.state) && isTerminalRunState(journal.run(row?.run_id ?? '')?.state ?? 'failed')
      if (!isOver) return { is: 'open' }
      if (run.value.state === 'completed') return { is: 'completed', output: workflowResult(journal, run.value) }
      return failed(
        'workflow',
        `the workflow ${run.value.name} ${run.value.state === 'failed' ? 'failed' : 'was canceled'}${because(run.value.reason)}`,
      )
    },
    async cancel(kind, run_id, reason) {
      if (kind === 'workflow') await workflows().control(run_id, { action: 'cancel', reason })
      else {
        await runs().cancel(run_id, reason)
        for (const { workflow_run_id } of rows.openOf(run_id)) await workflows().control(workflow_run_id, { action: 'cancel', reason })
      }
    },
  }
}

function because(reason: string | null): string {
  return reason === null ? '' : `: ${reason}`
}

function failed(source: string, message: string): ChildEnd {
  return { is: 'failed', failure_contract: failureContract('workflow', { source, reason_code: 'child_failed', message }) }
}

function refused(source: string, { code, message, remedy, failure_contract }: Rejection) {
  const failure = failure_contract ?? failureContract('workflow', { source, reason_code: code, message, ...(remedy ? { remedy } : {}) })
  return { ok: false, failure_contract: failure } as const
}
