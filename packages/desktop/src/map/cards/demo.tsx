import { type Disclosure, detailCardKinds } from '@tandem/contract/card'
import { limits } from '@tandem/contract/limits'
import { type RunState, runStates } from '@tandem/contract/run'
import { useState } from 'react'
import { Button } from '../../part/button.tsx'
import { Choice } from '../../part/choice.tsx'
import { Panel } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Card } from './card.tsx'
import { useDisclosure } from './use-disclosure.ts'

export function Demo({ onFresh }: { onFresh(): void }) {
  const [kind, setKind] = useState<(typeof detailCardKinds)[number]>('ToolCall')
  const [state, setState] = useState<RunState>('running')
  const [disclosure, send] = useDisclosure(state)
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Panel className="space-y-5 p-5">
        <Choice label={strings.cards.run_state} values={runStates} value={state} onChange={setState} />
        <Choice label={strings.cards.kind} values={detailCardKinds} value={kind} onChange={setKind} />
        <Button onClick={onFresh}>{strings.cards.reset}</Button>
      </Panel>
      <div>
        <Card kind={kind} state={state} disclosure={disclosure} send={send} />
        <div className="mt-5 px-1" role="status">
          <p className="text-faint text-sm">{strings.cards.rule}</p>
          <p>
            <code data-testid="mode">{disclosure.mode}</code> <span className="text-soft">{reasonOf(disclosure)}</span>
          </p>
        </div>
      </div>
    </div>
  )
}

function reasonOf(disclosure: Disclosure): string {
  if (disclosure.mode !== 'auto_open' || disclosure.collapse_at === null) return strings.cards.modes[disclosure.mode]
  return disclosure.held ? strings.cards.held : strings.cards.closing(limits.card_collapse_ms)
}
