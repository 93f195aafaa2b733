import type { SandboxSight } from '@tandem/contract/command'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const tones: Record<SandboxSight['state'], Tone> = { enforced: 'good', absent: 'warn', failed: 'bad', untested: 'plain' }

export function Sandbox({ sandbox, onAgain }: { sandbox: SandboxSight; onAgain(): void }) {
  const { state, backend, checks, detail, remedy } = sandbox
  return (
    <Section title={words.diagnostics.sandbox} aside={<Button onClick={onAgain}>{words.diagnostics.again}</Button>}>
      <Panel className="p-4">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{words.diagnostics.sandboxStates[state]}</Badge>
          {backend && <code>{visibleText(backend)}</code>}
        </p>
        <p className="mt-2 text-soft">{visibleText(detail)}</p>
        {remedy !== '' && <p className="text-soft">{visibleText(remedy)}</p>}
        <ul className="mt-3 divide-y divide-line">
          {checks.map(({ name, held, detail: what }) => (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-1.5">
              <span className="break-words">{visibleText(what)}</span>
              <span>
                <Badge tone={held ? 'good' : 'bad'}>{held ? words.diagnostics.held : words.diagnostics.notHeld}</Badge>
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
