// Which agents may delegate to which, and what happened, as a table.
import type { DelegationGraph } from '@tandem/contract/team'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { locale } from '../strings/locale.ts'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'

const told = teamWords.graph
const cell = 'px-2 py-2 align-top first:pl-4 last:pr-4 sm:px-3'

export function Delegation() {
  const version = useNewestEventNumber(/^run_(?:started|completed|failed|canceled)$/)
  const reading = useCommand('team_get_graph', {}, { version })
  return (
    <Section title={told.title} lead={told.lead}>
      <RequestResult reading={reading}>
        {({ graph }) => (graph.edges.length === 0 ? <EmptyState>{told.none}</EmptyState> : <Graph graph={graph} />)}
      </RequestResult>
    </Section>
  )
}

function Graph({ graph: { agents, edges } }: { graph: DelegationGraph }) {
  const names = new Map(agents.map(({ agent_id, name }) => [agent_id, name]))
  const nameOf = (agent_id: string) => visibleName(names.get(agent_id) ?? agent_id)
  const rows = edges.toSorted(
    (left, right) =>
      nameOf(left.from_agent_id).localeCompare(nameOf(right.from_agent_id), locale) ||
      nameOf(left.to_agent_id).localeCompare(nameOf(right.to_agent_id), locale),
  )
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard. */}
      <section tabIndex={0} aria-label={told.table} className="overflow-x-auto">
        <table aria-label={told.table} className="w-full text-left text-sm">
          <thead className="border-line border-b text-faint">
            <tr>
              {[told.from, told.to, told.allowed, told.delegated, told.failed].map((name) => (
                <th key={name} scope="col" className={`${cell} font-normal`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ from_agent_id, to_agent_id, allowed, delegated, failed }) => (
              <tr key={`${from_agent_id} ${to_agent_id}`}>
                <th scope="row" className={`${cell} wrap-anywhere min-w-24 font-medium`}>
                  {nameOf(from_agent_id)}
                </th>
                <td className={`${cell} wrap-anywhere min-w-24`}>{nameOf(to_agent_id)}</td>
                <td className={cell}>
                  <Badge tone={allowed ? 'good' : 'plain'}>{allowed ? told.yes : told.no}</Badge>
                </td>
                <td className={`${cell} tabular-nums`}>{delegated.toLocaleString(locale)}</td>
                <td className={`${cell} tabular-nums ${failed > 0 ? 'text-bad' : ''}`}>{failed.toLocaleString(locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}
