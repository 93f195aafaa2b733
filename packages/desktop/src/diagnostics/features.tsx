import type { CommandResult } from '@tandem/contract/command'
import { Icon } from '../part/icon.tsx'
import { Panel, Section } from '../part/section.tsx'
import { featureNames } from '../strings/features.ts'
import { words } from '../strings/window.ts'

/** Every feature of the product, and whether this runtime has it. */
export function Features({ features }: Pick<CommandResult<'runtime_status'>, 'features'>) {
  return (
    <Section title={words.diagnostics.features}>
      <Panel className="p-4">
        <ul className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2">
          {features.map(({ name, works, note }) => (
            <li key={name} className={`flex items-start gap-2.5 ${works ? '' : 'text-soft'}`}>
              {works ? (
                <Icon name="check" className="mt-1 text-good" />
              ) : (
                <span aria-hidden="true" className="mt-1 w-4 text-center text-faint">
                  –
                </span>
              )}
              <span className="min-w-0 grow">
                {featureNames[name] ?? name}
                {note !== undefined && <span className="block break-words text-soft text-sm">{note}</span>}
              </span>
              <span className={works ? 'sr-only' : 'shrink-0 text-faint text-sm'}>
                {works ? words.diagnosticsCenter.works : words.diagnosticsCenter.notYet}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
