// Every pair of state and trigger.
import { transition } from '@tandem/contract/transition'
import { Badge } from '../../part/badge.tsx'
import { strings } from '../../strings/map.ts'
import type { Table } from './tables.ts'
import { marksOf } from './walk.tsx'

export function Matrix({ table }: { table: Table }) {
  return (
    <section
      aria-label={strings.states.whole}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
      tabIndex={0}
      className="relative overflow-x-auto rounded-xl border border-line bg-surface shadow-card"
    >
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-line border-b bg-sunken">
            <th scope="col" className="px-4 py-2.5 font-medium text-faint">
              {strings.states.state}
            </th>
            {table.triggers.map((trigger) => (
              <th key={trigger} scope="col" className="px-4 py-2.5 font-medium font-mono">
                {trigger}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.states.map((state) => (
            <tr key={state} className="border-line border-b last:border-b-0">
              <th scope="row" className="whitespace-nowrap px-4 py-2.5 font-medium font-mono">
                {state}{' '}
                {marksOf(table, state).map((mark) => (
                  <Badge key={mark}>{mark}</Badge>
                ))}
              </th>
              {table.triggers.map((trigger) => (
                <Cell key={trigger} table={table} state={state} trigger={trigger} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ table, state, trigger }: { table: Table; state: string; trigger: string }) {
  const outcome = transition(table, state, trigger)
  if (!outcome.ok) {
    return (
      <td className="px-4 py-2.5 text-faint" title={outcome.message}>
        <span aria-hidden="true">·</span>
        <span className="sr-only">{strings.states.refused}</span>
      </td>
    )
  }
  return <td className="whitespace-nowrap px-4 py-2.5 font-mono text-good">{outcome.state}</td>
}
