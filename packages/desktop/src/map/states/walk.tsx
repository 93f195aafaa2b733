// Walk a thing through its states: every answer is a call of transition().
import { isTerminal, transition } from '@tandem/contract/transition'
import { useState } from 'react'
import { Button } from '../../part/button.tsx'
import { Choice } from '../../part/choice.tsx'
import { Panel } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import type { Table } from './tables.ts'

export function Walk({ table }: { table: Table }) {
  const [way, setWay] = useState<readonly string[]>([table.initial])
  const state = way.at(-1) ?? table.initial
  return (
    <Panel className="mb-10 grid lg:grid-cols-2">
      <div className="p-5 lg:p-6">
        <Choice label={strings.states.state} values={table.states} value={state} onChange={(chosen) => setWay([chosen])} />
        <p className="mt-6 text-faint text-sm">{strings.states.now}</p>
        <p className="font-mono font-semibold text-2xl" aria-live="polite">
          {state}
        </p>
        <p className="text-faint text-sm">{marksOf(table, state).join(' · ')}</p>
        <div className="mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <span className="text-faint">{strings.states.path}</span>
          <code className="text-soft">{way.join(' → ')}</code>
          {way.length > 1 && <Button onClick={() => setWay([table.initial])}>{strings.states.restart}</Button>}
        </div>
      </div>
      <div className="border-line border-t p-5 lg:border-t-0 lg:border-l lg:p-6">
        <h2 className="font-medium">{strings.states.triggers}</h2>
        <p className="mb-4 text-faint text-sm">{strings.states.triggers_lead}</p>
        <ul className="space-y-2.5">
          {table.triggers.map((trigger) => (
            <TriggerLine key={trigger} table={table} state={state} trigger={trigger} onGo={(next) => setWay([...way.slice(-7), next])} />
          ))}
        </ul>
      </div>
    </Panel>
  )
}

interface TriggerLineProps {
  readonly table: Table
  readonly state: string
  readonly trigger: string
  onGo(next: string): void
}

/** One button either way, so that the keyboard keeps its place when a trigger that was allowed no longer is. */
function TriggerLine({ table, state, trigger, onGo }: TriggerLineProps) {
  const outcome = transition(table, state, trigger)
  return (
    <li>
      <button
        type="button"
        aria-disabled={!outcome.ok}
        onClick={() => outcome.ok && onGo(outcome.state)}
        className="block w-full rounded-md border border-line-strong px-3 py-1.5 text-left text-sm hover:border-faint hover:bg-sunken aria-disabled:cursor-default aria-disabled:border-transparent aria-disabled:bg-transparent aria-disabled:py-0.5"
      >
        <code className={outcome.ok ? '' : 'text-faint line-through'}>{trigger}</code>
        {outcome.ok ? (
          <>
            <span className="sr-only">{strings.states.leads_to}</span>
            <span aria-hidden="true" className="text-good">
              {' → '}
            </span>
            <code className="text-good">{outcome.state}</code>
          </>
        ) : (
          <span className="block text-faint">{outcome.message}</span>
        )}
      </button>
    </li>
  )
}

export function marksOf(table: Table, state: string): string[] {
  const marks: string[] = []
  if (state === table.initial) marks.push(strings.states.start)
  if (isTerminal(table, state, fromAnywhere(table))) marks.push(strings.states.final)
  return marks
}

/** A trigger that every state answers to, as a restore, does not make a state less final. */
function fromAnywhere(table: Table): string[] {
  return table.rows.filter((row) => row.from.length === table.states.length).map((row) => row.on)
}
