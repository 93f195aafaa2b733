// How the runs of an agent went: a chart, one sentence about it, and all of it as a table.
import { type OutcomeEvaluation, outcomeDimensions } from '@tandem/contract/learning'
import { useState } from 'react'
import { usePages } from '../../client/use-pages.ts'
import { useNewestEventNumber } from '../../client/use-request.ts'
import { useOwner } from '../../part/agent-select.tsx'
import { Badge } from '../../part/badge.tsx'
import { Fold } from '../../part/fold.tsx'
import { Button } from '../../part/form/button.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { learningWords } from '../../strings/learning.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { learningEvents } from '../learning-events.ts'
import { RunLink } from '../run-link.tsx'
import { verdictTones } from '../tones.ts'
import { type ChartScore, chartPoints, countVerdicts, reasonsOf, trendOf } from './chart.ts'
import { OutcomeChart } from './outcome-chart.tsx'

const told = learningWords.outcomes
const size = 100
const choices = ['overall', ...outcomeDimensions] as const

export function Outcomes({ agent_id }: { agent_id: string }) {
  const version = useNewestEventNumber(learningEvents)
  const read = usePages('learning_list_evaluations', { agent_id }, { size, version })
  const [of, setOf] = useState<ChartScore>('overall')
  const agent = useOwner(agent_id)
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) => {
        const byRules = items.filter(({ evaluator }) => evaluator === 'rules')
        if (byRules.length === 0) return <EmptyState>{told.none}</EmptyState>
        const name = of === 'overall' ? told.overall : learningWords.dimensions[of]
        const trend = trendOf(byRules, of)
        return (
          <>
            <Panel className="mb-4 p-4">
              <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <p className="min-w-0 flex-1 basis-64 text-sm">
                  {told.summary(byRules.length, countVerdicts(byRules))} {trend && told.trend(trend.latest, trend.before, trend.runs)}
                </p>
                <label className="flex items-center gap-2 text-faint text-sm">
                  {told.score}
                  <select
                    value={of}
                    onChange={(event) => setOf(choices.find((one) => one === event.target.value) ?? 'overall')}
                    className="field py-1 text-ink"
                  >
                    {choices.map((one) => (
                      <option key={one} value={one}>
                        {one === 'overall' ? told.overall : learningWords.dimensions[one]}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <OutcomeChart label={`${told.chart(agent, name)}. ${told.keys}`} pointsOf={(width) => chartPoints(byRules, of, width)} />
              <Legend />
            </Panel>
            <Panel className="overflow-hidden">
              <Fold summary={told.table}>
                {() => (
                  <>
                    <OutcomeTable evaluations={items} />
                    {hasMore && (
                      <Button className="mt-3" onClick={read.more}>
                        {learningWords.loadMore}
                      </Button>
                    )}
                  </>
                )}
              </Fold>
            </Panel>
          </>
        )
      }}
    </RequestResult>
  )
}

function Legend() {
  const marks = { success: '●', partial: '▲', failure: '■' } as const
  const tones = { success: 'text-good', partial: 'text-warn', failure: 'text-bad' } as const
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 text-faint text-sm">
      {(['success', 'partial', 'failure'] as const).map((verdict) => (
        <li key={verdict}>
          <span aria-hidden="true" className={tones[verdict]}>
            {marks[verdict]}
          </span>{' '}
          {learningWords.verdicts[verdict]}
        </li>
      ))}
    </ul>
  )
}

function OutcomeTable({ evaluations }: { evaluations: readonly OutcomeEvaluation[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-xl text-left text-sm">
        <thead className="text-faint">
          <tr>
            {[told.when, told.run, told.verdict, told.score, told.reasons].map((head) => (
              <th key={head} scope="col" className="py-1.5 pr-4 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {evaluations.map((one) => (
            <tr key={one.id} className="border-line border-t align-top">
              <td className="whitespace-nowrap py-1.5 pr-4">{formatTime(one.created_at)}</td>
              <td className="max-w-56 py-1.5 pr-4">
                <RunLink run_id={one.run_id} />
                {one.evaluator === 'model' && <span className="block text-faint">{told.secondOpinion}</span>}
              </td>
              <td className="py-1.5 pr-4">
                <Badge tone={verdictTones[one.verdict]}>{learningWords.verdicts[one.verdict]}</Badge>
              </td>
              <td className="py-1.5 pr-4 tabular-nums">{learningWords.percent(one.score)}</td>
              <td className="py-1.5 text-soft">
                {reasonsOf(one)
                  .map(({ reason }) => visibleText(reason))
                  .join(' ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
