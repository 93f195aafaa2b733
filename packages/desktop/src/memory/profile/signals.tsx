// Claims about the user or the agent, each with its evidence.
import type { Evidence, Signal } from '@tandem/contract/memory'
import { followLink, memoryAddress } from '../../address.ts'
import { SmallFold } from '../../part/fold.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'
import { OpenMessage } from '../open-message.tsx'

const told = memoryWords.profile
const labels: Readonly<Record<string, string>> = { ...memoryWords.kinds, ...told.names }

interface Props {
  readonly signals: readonly Signal[]
  /** The name that the heading already says. */
  readonly unnamed?: string | undefined
}

export function Signals({ signals, unnamed }: Props) {
  return (
    <ul className="space-y-2">
      {signals.map(({ name, value, confidence, evidence }) => (
        <li key={`${name} ${value}`} className="min-w-0">
          <p className="break-words">
            {name !== unnamed && <SignalName name={name} />} {visibleText(value)}{' '}
            <span className="whitespace-nowrap text-faint text-sm">{told.confidence(confidence)}</span>
          </p>
          {evidence.length > 0 && (
            <SmallFold summary={told.evidence(evidence.length)}>
              {() => (
                <ul className="space-y-1">
                  {evidence.map((one) => (
                    <EvidenceLine key={`${one.source} ${one.id} ${one.excerpt}`} evidence={one} />
                  ))}
                </ul>
              )}
            </SmallFold>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A kind of memory, a name of the contract, or the slot that the memory fills. */
function SignalName({ name }: { name: string }) {
  const known = Object.hasOwn(labels, name) ? labels[name] : undefined
  return (
    <span className="inline-block text-faint first-letter:uppercase" translate={known === undefined ? 'no' : undefined}>
      {known ?? visibleText(name).replaceAll(/[-_]/g, ' ')}:
    </span>
  )
}

function EvidenceLine({ evidence: { source, id, conversation_id, excerpt } }: { evidence: Evidence }) {
  return (
    <li className="break-words border-line border-l-2 pl-3 text-soft">
      {visibleText(excerpt)}{' '}
      {source === 'memory' && (
        <a href={memoryAddress(id)} onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.openMemory}
        </a>
      )}
      {source === 'message' && <OpenMessage message_id={id} conversation_id={conversation_id} />}
    </li>
  )
}
