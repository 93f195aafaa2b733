// The state of a workflow run, its progress, its times, and what it was given and returned.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import { useOwner } from '../part/agent-select.tsx'
import { Elapsed } from '../part/elapsed.tsx'
import { SmallFold } from '../part/fold.tsx'
import { Panel } from '../part/section.tsx'
import { ConversationLink } from '../part/workflow/conversation-link.tsx'
import { NodeWait } from '../part/workflow/node-wait.tsx'
import { useWorkflowWait } from '../part/workflow/use-workflow-wait.ts'
import { WorkflowBadge } from '../part/workflow/workflow-badge.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { currentNode } from '../store/current-node.ts'
import { workflowProgress } from '../store/workflow-progress.ts'
import { words } from '../strings/window.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { parsedJson } from './parsed-json.ts'

const told = workflowWords.run

export function RunSummary({ run }: { run: WorkflowSnapshot }) {
  const { state, reason, started_at, ended_at, owner_agent_id, inputs, result, run_id, tokens } = run
  const wait = useWorkflowWait(run)
  const agent = useOwner(owner_agent_id)
  const facts = [
    workflowWords.started(formatTime(started_at)),
    ...(ended_at === null ? [] : [workflowWords.ended(formatTime(ended_at))]),
    ...(tokens === 0 ? [] : [words.cards.used(tokens)]),
    agent,
  ]
  return (
    <Panel className="mb-4 grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span role="status">
          <WorkflowBadge run={run} />
        </span>
        <Progress run={run} />
      </div>
      {reason !== null && wait === null && (
        <p className={`break-words ${state === 'failed' ? 'text-bad' : 'text-soft'}`}>{visibleSentence(reason)}</p>
      )}
      {wait !== null && <Pending run={run} />}
      <p className="break-words text-faint text-sm">
        <Elapsed since={started_at} until={ended_at} /> · {facts.join(' · ')}
      </p>
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

function Progress({ run }: { run: WorkflowSnapshot }) {
  const { done, total } = workflowProgress(run)
  return (
    <>
      <progress aria-label={told.progressLabel} value={done} max={Math.max(1, total)} className="bar max-w-40" />
      <span className="text-soft text-sm">{told.progress(done, total)}</span>
    </>
  )
}

/** The approval, the question, the time or the work that the run waits for. */
function Pending({ run }: { run: WorkflowSnapshot }) {
  const current = currentNode(run)
  if (current === null) return null
  const { node, record } = current
  return <NodeWait name={visibleName(node?.title ?? record.node_id)} node={node} record={record} run={run} />
}
