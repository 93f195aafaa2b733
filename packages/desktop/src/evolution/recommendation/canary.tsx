// Runs with and without a recommendation, compared, and the runs that it matched.
import type { CommandResult } from '@tandem/contract/command'
import type { CanaryGroup } from '@tandem/contract/skill-recommendation'
import { canaryGroups } from '@tandem/contract/skill-recommendation'
import { RunLink } from '../../learning/run-link.tsx'
import { Panel } from '../../part/section.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { learningWords } from '../../strings/learning.ts'
import { formatTime } from '../../text/time.ts'

const told = evolutionWords.groups
type Shown = CommandResult<'skill_get_recommendation'>

const percentOf = (share: number | null) => (share === null ? told.absent : learningWords.percent(share))

export function Groups({ groups }: Pick<Shown, 'groups'>) {
  const rows: readonly (readonly [string, (group: CanaryGroup) => string])[] = [
    [told.runs, ({ runs }) => String(runs)],
    [told.open, ({ open_runs }) => String(open_runs)],
    [told.score, ({ score }) => percentOf(score)],
    [told.safety, ({ safety }) => percentOf(safety)],
    [told.turns, ({ turns }) => (turns === null ? told.absent : told.turnsOf(turns))],
  ]
  return (
    <Panel className="px-4 py-2">
      <table aria-label={told.title} className="w-full text-left text-sm">
        <thead className="text-faint">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {told.group}
            </th>
            {canaryGroups.map((name) => (
              <th key={name} scope="col" className="py-1.5 pr-4 font-normal">
                {told.names[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, shown]) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="py-1.5 pr-4 font-normal text-soft">
                {name}
              </th>
              {canaryGroups.map((group) => (
                <td key={group} className="py-1.5 pr-4 tabular-nums">
                  {shown(groups[group])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

export function MatchedRuns({ matched }: { matched: Shown['matched_runs'] }) {
  if (matched.length === 0) return <p className="text-soft">{told.noMatched}</p>
  const { columns } = told
  return (
    <Panel>
      <ul aria-label={told.matched} className="divide-y divide-line">
        {matched.map(({ run_id, stage, group, score, closeness, outcome, created_at }) => (
          <li key={`${run_id} ${stage}`} className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <span className="min-w-0">
              <RunLink run_id={run_id} /> <span className="whitespace-nowrap text-faint">{formatTime(created_at)}</span>
            </span>
            <span>
              {told.stageOf(stage, group)}
              <span className="text-faint">
                {` · ${columns.fits} ${percentOf(score)}`}
                {closeness !== null && ` · ${columns.steps} ${percentOf(closeness)}`}
                {outcome === null
                  ? ` · ${told.stillOpen}`
                  : ` · ${columns.outcome} ${percentOf(outcome.score)} · ${columns.turns} ${outcome.turns}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
