import type { Procedure } from '@tandem/contract/memory'
import { Panel, Section } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

/** The tools of a procedure in their order, each with its command or the names of its arguments. */
export function ProcedureSteps({ steps }: Pick<Procedure, 'steps'>) {
  return (
    <Section title={memoryWords.facts.steps}>
      <Panel className="p-4">
        <ol className="list-decimal space-y-1 pl-6 text-sm marker:text-faint">
          {steps.map(({ tool, shape, command }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same step may occur twice, and steps never move.
            <li key={at} className="break-words pl-1">
              <code>{visibleName(tool)}</code>{' '}
              <code className={`whitespace-pre-wrap ${command === null ? 'text-faint' : ''}`}>{visibleText(command ?? shape)}</code>
            </li>
          ))}
        </ol>
      </Panel>
    </Section>
  )
}
