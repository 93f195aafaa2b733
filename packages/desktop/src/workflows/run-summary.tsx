// The state of a workflow run, its progress, its times, and what it was given and returned.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { useOwner } from '../memory/agent-select.tsx'
import { Badge } from '../part/badge.tsx'
import { SmallFold } from '../part/fold.tsx'
import { Panel } from '../part/section.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { workflowWords } from '../strings/workflows.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { ConversationLink } from './conversation-link.tsx'
import { parsedJson } from './parsed-json.ts'
import { WorkflowRunBadge } from './run-badge.tsx'

const told = workflowWords.run

export function RunSummary({ run }: { run: WorkflowSnapshot }) {
  const { state, reason, started_at, ended_at, owner_agent_id, inputs, result, run_id } = run
  const agent = useOwner(owner_agent_id)
  const facts = [
    workflowWords.started(formatTime(started_at)),
    ...(ended_at === null ? [] : [workflowWords.ended(formatTime(ended_at))]),
    agent,
  ]
  return (
    <Panel className="mb-4 grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span role="status">
          {waitsForPerson(run) ? <Badge tone="warn">{told.waitsForYou}</Badge> : <WorkflowRunBadge state={state} />}
        </span>
        <Progress run={run} />
      </div>
      {reason !== null && <p className={`break-words ${state === 'failed' ? 'text-bad' : 'text-soft'}`}>{visibleSentence(reason)}</p>}
      <p className="break-words text-faint text-sm">{facts.join(' · ')}</p>
      {result !== null && (
        <div className="min-w-0">
          <h2 className="text-faint text-sm">{told.facts.result}</h2>
          <JsonTree value={parsedJson(result)} />
        </div>
      )}
      {inputs !== null && inputs !== '{}' && (
        <SmallFold summary={told.facts.inputs}>{() => <JsonTree value={parsedJson(inputs)} />}</SmallFold>
      )}
      {run_id !== null && (
        <p className="text-sm">
          <ConversationLink run_id={run_id} text={told.conversation} />
        </p>
      )}
    </Panel>
  )
}

/** A run whose nodes all wait is paused, but there is nothing to resume. */
function waitsForPerson({ state, nodes }: WorkflowSnapshot): boolean {
  if (isTerminalWorkflowState(state)) return false
  return nodes.some((node) => node.state === 'waiting' && node.waits_for !== null && !['time', 'child'].includes(node.waits_for))
}

function Progress({ run: { counts, definition } }: { run: WorkflowSnapshot }) {
  const ended = counts.completed + counts.failed + counts.skipped + counts.compensated
  const known = ended + counts.running + counts.waiting + counts.pending
  // Nodes that have not started are not counted by the run; those in loops are not known before.
  const all = Math.max(known, (definition?.nodes ?? []).filter(({ within }) => within === undefined).length)
  return (
    <>
      <progress
        aria-label={told.progressLabel}
        value={ended}
        max={Math.max(1, all)}
        className="h-1.5 w-40 max-w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-cloud [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-cloud"
      />
      <span className="text-soft text-sm">{told.progress(ended, all)}</span>
    </>
  )
}
