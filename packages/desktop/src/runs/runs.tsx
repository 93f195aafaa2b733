import { runStates } from '@tandem/contract/run'
import { useState } from 'react'
import { followLink, teamAddress } from '../address.ts'
import { canBeWorkflow, MakeWorkflow } from '../card/make-workflow.tsx'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { Panel } from '../part/section.tsx'
import { runTones } from '../part/state-tones.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

const all = words.runs.all
const choices = [all, ...runStates] as const
const nameOf = (one: (typeof choices)[number]) => (one === all ? all : words.cards.run[one])

export default function Runs() {
  const runs = useWindowState((state) => state.runs)
  const isRead = useWindowState((state) => state.conversations !== null)
  const teams = useWindowState((state) => state.teams)
  const client = useRuntimeClient()
  const hasOlder = useWindowState((state) => state.hasOlderRuns)
  const [isWhole, setWhole] = useState(false)
  const [state, setState] = useState<(typeof choices)[number]>(all)
  const shown = [...runs.values()]
    .filter((run) => state === all || run.state === state)
    .sort((left, right) => (left.run_id < right.run_id ? 1 : -1))
  return (
    <PageLayout title={words.runs.title} lead={words.runs.lead}>
      <div className="mb-4">
        <Choice label={words.runs.state} values={choices} value={state} onChange={setState} nameOf={nameOf} mono={false} />
      </div>
      {!isRead && <p className="text-faint">{words.loading}</p>}
      {isRead && shown.length === 0 && <EmptyState>{words.runs.none}</EmptyState>}
      {shown.length > 0 && (
        <Panel className="overflow-hidden">
          <ul className="divide-y divide-line">
            {shown.map((run) => (
              <li key={run.run_id}>
                <a
                  href={`/c/${run.conversation_id}`}
                  onClick={followLink}
                  className="block px-4 pt-3 pb-1 hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <span className="flex items-baseline justify-between gap-3">
                    <span title={visibleText(run.title)} className="min-w-0 truncate font-medium">
                      {visibleText(run.title)}
                    </span>
                    <Badge tone={runTones[run.state]}>{words.cards.run[run.state]}</Badge>
                  </span>
                  <span className="mt-0.5 block text-faint text-sm">
                    {formatTime(run.started_at)}
                    {/* A run of a workflow has no model of its own. */}
                    {run.model === 'none' ? '' : ` · ${visibleText(run.model)}`} · {words.agents.sandboxModes[run.sandbox_mode]} ·{' '}
                    {words.runs.turns(run.turns)} ·{' '}
                    <span className="whitespace-nowrap">{words.runs.tokens(run.usage.input_tokens, run.usage.output_tokens)}</span>{' '}
                    {run.usage.estimated ? words.runs.estimated : ''}
                  </span>
                  {run.pause_reason !== null && (
                    <span className="block text-sm text-warn">
                      {run.retry_at === null ? words.cards.pause[run.pause_reason] : words.cards.triesAgain(run.retry_at)}
                    </span>
                  )}
                  {run.failure_contract && (
                    <span className="block text-bad text-sm">{visibleSentence(run.failure_contract.details.message)}</span>
                  )}
                </a>
                <p className="flex flex-wrap gap-x-5 px-4 pb-3 text-sm/6">
                  {(run.team || (teams.get(run.run_id)?.members.length ?? 0) > 1) && (
                    <TeamLink run_id={run.run_id} title={visibleText(run.title)} />
                  )}
                  {canBeWorkflow(run) && <MakeWorkflow run_id={run.run_id} title={visibleText(run.title)} />}
                </p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {hasOlder && !isWhole && (
        <Button className="mt-4" onClick={async () => setWhole(await client.readOlderRuns(words.doing.runs))}>
          {words.runs.older}
        </Button>
      )}
    </PageLayout>
  )
}

function TeamLink({ run_id, title }: { run_id: string; title: string }) {
  return (
    <a
      href={teamAddress(run_id)}
      onClick={followLink}
      aria-label={teamWords.openOf(title)}
      className="text-cloud underline underline-offset-4"
    >
      {teamWords.open}
    </a>
  )
}
